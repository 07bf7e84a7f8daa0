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
  return { ...vault, files: visibleFiles(vault.files, rules), rules };
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
  it.each(ABSENT)("is absent at %j", async (sent) => {
    const { files } = hiding({ ignoresCase });
    const path = parseVaultPath(sent);
    expect(await files.locate(path)).toMatchObject({ kind: "absent", path, stats: undefined, target: undefined });
    const { read, hash, pieces, open, stats } = files;
    const answers = await Promise.all([read, hash, pieces, open, stats].map((ask) => ask(path)));
    expect(answers).toEqual(Array(5).fill(undefined));
    expect([...(await files.list(path))]).toEqual([]);
  });

  it("is in no listing, and everything else is", async () => {
    const { files } = hiding({ ignoresCase });
    const listed = [...(await files.list("" as VaultPath))].map(({ path }) => path);
    expect(listed).toEqual(["Apple.md", "Open", "Open/Empty", "Open/d.md"]);
    expect([...(await files.list(parseVaultPath("Open"), { depth: 1 }))].map(({ name }) => name)).toEqual([
      "Empty",
      "d.md",
    ]);
    expect((await files.read(parseVaultPath("Open/d.md")))!.bytes.toString()).toBe("open");
    expect((await files.locate(parseVaultPath("Open/none.md"))).kind).toBe("absent");
    await expect(files.read(parseVaultPath("Open"))).rejects.toThrow("Not a file: Open");
  });
});

test("nothing is wrapped if nothing is hidden", () => {
  const { files } = temporaryVault();
  expect(visibleFiles(files, accessRules({ protect: ["a"] }))).toBe(files);
});

test("a vault that is gone is an error, not an empty vault", async () => {
  const { files } = hiding();
  const check = () => {
    throw new Error("gone");
  };
  const gone = visibleFiles({ ...files, check }, accessRules({ hide: ["Private/"] }));
  await expect(gone.locate(parseVaultPath("Private/x.md"))).rejects.toThrow("gone");
});
