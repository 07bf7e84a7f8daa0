// A vault without what is hidden in it: absent in every spelling, behind every
// link, and in every way of reading.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { accessRules } from "./access-rules.ts";
import { visibleFiles } from "./visible-files.ts";
import { parseVaultPath, type VaultPath } from "./vault-path.ts";

function hiding({ ignoresCase = false } = {}) {
  const vault = temporaryVault({ ignoresCase });
  const { folder, write } = vault;
  write("Apple.md", "apple");
  write("Caf\u00e9/a.md", "secret");
  write("Private/Deep/b.md", "secret");
  write("Open/c.secret.md", "secret");
  write("Open/d.md", "open");
  symlinkSync(join(folder, "Private"), join(folder, "folder"));
  symlinkSync(join(folder, "Private", "Deep", "b.md"), join(folder, "note.md"));
  symlinkSync(join(folder, "folder"), join(folder, "again"));
  mkdirSync(join(folder, "Open", "Empty"));
  const rules = accessRules({ hide: ["Private/", "cafe\u0301/", "*.secret.md"] });
  return { ...vault, files: visibleFiles(vault.root, rules), rules };
}

const ABSENT = [
  "Private",
  "Private/Deep",
  "Private/Deep/b.md",
  "Private/none.md",
  "private/deep/b.md",
  "Private/Deep/b.md/below.md",
  "Caf\u00e9/a.md",
  "Cafe\u0301/a.md",
  "CAF\u00c9/a.md",
  "Open/c.secret.md",
  "OPEN/C.SECRET.MD",
  "folder",
  "folder/Deep/b.md",
  "folder/none.md",
  "folder/Deep/b.md/below.md",
  "again/Deep/b.md",
  "note.md",
];

describe.each([false, true])("a hidden entry, on a disk that ignores case: %s", (ignoresCase) => {
  it.each(ABSENT)("is absent at %j", (sent) => {
    const { files } = hiding({ ignoresCase });
    const path = parseVaultPath(sent);
    expect(files.locate(path)).toMatchObject({ kind: "absent", path, stats: undefined, target: undefined });
    expect([files.read(path), files.hash(path), files.pieces(path), files.open(path)]).toEqual(
      Array(4).fill(undefined),
    );
    expect([...files.list(path)]).toEqual([]);
  });

  it("is in no listing, and everything else is", () => {
    const { files } = hiding({ ignoresCase });
    const listed = [...files.list("" as VaultPath)].map(({ path }) => path);
    expect(listed).toEqual(["Apple.md", "Open", "Open/Empty", "Open/d.md"]);
    expect([...files.list(parseVaultPath("Open"), { depth: 1 })].map(({ name }) => name)).toEqual(["Empty", "d.md"]);
    expect(files.read(parseVaultPath("Open/d.md"))!.bytes.toString()).toBe("open");
    expect(files.locate(parseVaultPath("Open/none.md")).kind).toBe("absent");
    expect(() => files.read(parseVaultPath("Open"))).toThrow("Not a file: Open");
  });
});

test("nothing is wrapped if nothing is hidden", () => {
  const { root } = temporaryVault();
  expect(visibleFiles(root, accessRules({ protect: ["a"] }))).toBe(root);
});

test("a vault that is gone is an error, not an empty vault", () => {
  const { files } = hiding();
  const check = () => {
    throw new Error("gone");
  };
  const gone = visibleFiles({ ...files, check }, accessRules({ hide: ["Private/"] }));
  expect(() => gone.locate(parseVaultPath("Private/x.md"))).toThrow("gone");
});
