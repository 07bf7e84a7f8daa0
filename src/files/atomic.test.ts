import fs, {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryVault } from "../../test/faults/temporary-vault.ts";
import {
  contentHash,
  createFile,
  makeFolders,
  moveFile,
  publish,
  removeFile,
  replaceFile,
  temporaryName,
} from "./atomic.ts";
import { isTemporaryName } from "./vault-path.ts";

const bytes = (text: string) => Buffer.from(text);

describe("whole files", () => {
  test("a file is replaced at once, keeps its mode, and leaves nothing beside it", async () => {
    const { folder } = temporaryVault();
    const path = join(folder, "a.md");
    writeFileSync(path, "old");
    chmodSync(path, 0o640);
    const before = statSync(path).ino;
    await replaceFile(path, bytes("new"));
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).ino).not.toBe(before);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(["a.md"]);
  });

  test("of many who create the same file, one succeeds and its content is whole", async () => {
    const { folder } = temporaryVault();
    const path = join(folder, "a.md");
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => createFile(path, bytes(String(index).repeat(10_000)))),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const winner = results.findIndex(({ status }) => status === "fulfilled");
    expect(readFileSync(path, "utf8")).toBe(String(winner).repeat(10_000));
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "conflict", message: "File already exists: a.md" },
    });
    expect(readdirSync(folder)).toEqual(["a.md"]);
  });

  test("where there are no links, of many who create a file one succeeds too, and files move", async () => {
    const { folder, write, text } = temporaryVault();
    const { linkSync: link } = fs;
    fs.linkSync = () => {
      throw Object.assign(new Error("no links"), { code: "ENOTSUP" });
    };
    syncBuiltinESMExports();
    try {
      const path = join(folder, "a.md");
      const results = await Promise.allSettled(["1", "2", "3"].map((text) => createFile(path, bytes(text))));
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
      write("b.md", "b");
      await expect(moveFile(join(folder, "b.md"), path)).rejects.toThrow("File already exists");
      await moveFile(join(folder, "b.md"), join(folder, "c.md"));
      expect(text("c.md")).toBe("b");
      expect(readdirSync(folder).sort()).toEqual(["a.md", "c.md"]);
    } finally {
      fs.linkSync = link;
      syncBuiltinESMExports();
    }
  });

  test("a move never replaces what is there, not even another name of the same file", async () => {
    const { folder, write, text } = temporaryVault();
    write("a.md", "a");
    write("b.md", "b");
    linkSync(join(folder, "a.md"), join(folder, "c.md"));
    for (const to of ["b.md", "c.md"])
      await expect(moveFile(join(folder, "a.md"), join(folder, to))).rejects.toThrow("File already exists");
    expect([text("a.md"), text("b.md"), text("c.md")]).toEqual(["a", "b", "a"]);
    await moveFile(join(folder, "b.md"), join(folder, "d.md"));
    expect(readdirSync(folder).sort()).toEqual(["a.md", "c.md", "d.md"]);
  });

  test("folders and symbolic links move as themselves", async () => {
    const { folder, write, text } = temporaryVault();
    write("a/x.md", "x");
    symlinkSync("a/x.md", join(folder, "link.md"));
    await publish(join(folder, "a"), join(folder, "b"));
    await publish(join(folder, "link.md"), join(folder, "moved.md"));
    expect(text("b/x.md")).toBe("x");
    expect(existsSync(join(folder, "moved.md"))).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(["b", "moved.md"]);
  });

  test("folders are made with those above them, and a file in the way is told without its place", async () => {
    const { folder, write, home } = temporaryVault();
    await makeFolders(join(folder, "a", "b", "c"));
    await makeFolders(join(folder, "a", "b", "c"));
    expect(statSync(join(folder, "a", "b", "c")).isDirectory()).toBe(true);
    write("file", "");
    const refused = await makeFolders(join(folder, "file", "x")).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: "Problem", message: expect.stringContaining("nothing was changed") });
    expect(String(refused)).not.toContain(home);
    await removeFile(join(folder, "file"));
    expect(existsSync(join(folder, "file"))).toBe(false);
  });

  test("a temporary name is recognised, and no other is", () => {
    expect(isTemporaryName(temporaryName())).toBe(true);
    expect(isTemporaryName(".commonplace-notes.tmp")).toBe(false);
    mkdirSync(join(temporaryVault().folder, temporaryName()));
  });
});

describe("the hash of a content", () => {
  test("is the first half of its SHA-256, over every byte", () => {
    expect(contentHash(Buffer.from("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223");
    expect(new Set(["a\n", "\uFEFFa\n", "a\r\n"].map((text) => contentHash(Buffer.from(text)))).size).toBe(3);
  });
});
