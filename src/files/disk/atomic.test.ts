import fs, {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { failure, withAnswers } from "../../../test/fixtures/simulated-file-systems.ts";
import { temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import {
  contentHash,
  makeFolder,
  publish,
  removeFile,
  replaceFile,
  syncFolder,
  syncFolders,
  temporaryName,
} from "./atomic.ts";
import { isTemporaryName } from "../vault/vault-path.ts";

const bytes = (text: string) => Buffer.from(text);

/** A file that is written under another name, and published under its own. */
async function createFile(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), temporaryName());
  writeFileSync(temporary, text);
  try {
    await publish(temporary, path);
  } catch (error) {
    rmSync(temporary);
    throw error;
  }
}

describe("whole files", () => {
  test("a file is replaced at once, keeps its mode, and leaves nothing beside it", async () => {
    const { folder } = temporaryVault();
    const path = join(folder, "a.md");
    writeFileSync(path, "old");
    chmodSync(path, 0o640);
    const before = statSync(path).ino;
    await replaceFile(path, bytes("new"), join(folder, temporaryName()));
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).ino).not.toBe(before);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(["a.md"]);
  });

  test.skipIf(process.platform === "win32").each([0o666, 0o777, 0o640, 0o600, 0o404])(
    "a file keeps its mode %o under every umask that would change it",
    async (mode) => {
      const { folder } = temporaryVault();
      const path = join(folder, "a.md");
      const usual = process.umask();
      try {
        for (const umask of [0o000, 0o022, 0o077, 0o777]) {
          process.umask(0o022);
          writeFileSync(path, "old");
          chmodSync(path, mode);
          process.umask(umask);
          await replaceFile(path, bytes("new"), join(folder, temporaryName()));
          expect(statSync(path).mode & 0o777, `umask ${umask.toString(8)}`).toBe(mode);
        }
      } finally {
        process.umask(usual);
      }
    },
  );

  test.skipIf(process.platform === "win32")("nobody else can read a private file while it is replaced", async () => {
    const { folder } = temporaryVault();
    const path = join(folder, "a.md");
    writeFileSync(path, "old");
    chmodSync(path, 0o600);
    const { fchmodSync } = fs;
    const modes: number[] = [];
    const replaced = (setMode: typeof fchmodSync) => {
      Object.assign(fs, { fchmodSync: setMode });
      syncBuiltinESMExports();
    };
    replaced((file, mode) => {
      modes.push(fs.fstatSync(file).mode & 0o777);
      fchmodSync(file, mode);
    });
    try {
      await replaceFile(path, bytes("new"), join(folder, temporaryName()));
    } finally {
      replaced(fchmodSync);
    }
    expect(modes).toEqual([0o600]);
  });

  test("a file that cannot be put in place leaves the old one, and nothing beside it", async () => {
    const { folder, text } = temporaryVault();
    const path = join(folder, "a.md");
    writeFileSync(path, "old");
    const renameSync = () => {
      throw failure("EXDEV", "rename");
    };
    await withAnswers({ renameSync }, () =>
      expect(replaceFile(path, bytes("new"), join(folder, temporaryName()))).rejects.toThrow("nothing was changed"),
    );
    expect(text("a.md")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a.md"]);
  });

  test.skipIf(process.platform === "win32").each([
    ["another owner", 1, 0],
    ["another group", 0, 1],
    ["both", 1, 1],
    ["neither", 0, 0],
  ])("the owner and the group are set if a process has %s", async (_, user, group) => {
    const { folder } = temporaryVault();
    const path = join(folder, "a.md");
    writeFileSync(path, "old");
    const { uid, gid } = statSync(path);
    const set: unknown[] = [];
    vi.spyOn(process, "geteuid").mockReturnValue(uid + user);
    vi.spyOn(process, "getegid").mockReturnValue(gid + group);
    const fchownSync = (_file: number, ...ids: number[]) => void set.push(ids);
    try {
      await withAnswers({ fchownSync }, () => replaceFile(path, bytes("new"), join(folder, temporaryName())));
    } finally {
      vi.restoreAllMocks();
    }
    expect(set).toEqual(user + group > 0 ? [[uid, gid]] : []);
  });

  test("of many processes that create the same file, one succeeds and its content is complete", async () => {
    const { folder } = temporaryVault();
    const path = join(folder, "a.md");
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => createFile(path, String(index).repeat(10_000))),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const winner = results.findIndex(({ status }) => status === "fulfilled");
    expect(readFileSync(path, "utf8")).toBe(String(winner).repeat(10_000));
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "exists", message: "File already exists: a.md" },
    });
    expect(readdirSync(folder)).toEqual(["a.md"]);
  });

  test("a file that appears between the check and the publication is not replaced", async () => {
    const { folder, write, text } = temporaryVault();
    const path = join(folder, "a.md");
    write("b.md", "ours");
    const { lstatSync: look } = fs;
    const replaced = (lstatSync: unknown) => {
      Object.assign(fs, { lstatSync });
      syncBuiltinESMExports();
    };
    replaced((looked: string, options: { throwIfNoEntry: false }) => {
      const stats = look(looked, options);
      if (looked === path && stats === undefined) write("a.md", "theirs");
      return stats;
    });
    try {
      await expect(publish(join(folder, "b.md"), path)).rejects.toMatchObject({
        code: "exists",
        message: "File already exists: a.md",
      });
    } finally {
      replaced(look);
    }
    expect([text("a.md"), text("b.md")]).toEqual(["theirs", "ours"]);
  });

  test("on disks without links, of many that create a file one succeeds too, and files can be moved", async () => {
    const { folder, write, text } = temporaryVault();
    const { linkSync: link } = fs;
    fs.linkSync = () => {
      throw Object.assign(new Error("no links"), { code: "ENOTSUP" });
    };
    syncBuiltinESMExports();
    try {
      const path = join(folder, "a.md");
      const results = await Promise.allSettled(["1", "2", "3"].map((text) => createFile(path, text)));
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
      write("b.md", "b");
      await expect(publish(join(folder, "b.md"), path)).rejects.toThrow("File already exists");
      await publish(join(folder, "b.md"), join(folder, "c.md"));
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
      await expect(publish(join(folder, "a.md"), join(folder, to))).rejects.toThrow("File already exists");
    expect([text("a.md"), text("b.md"), text("c.md")]).toEqual(["a", "b", "a"]);
    await publish(join(folder, "b.md"), join(folder, "d.md"));
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

  test("a file in the way of a folder is reported without its path, and removed on request", async () => {
    const { folder, write, home } = temporaryVault();
    expect(await makeFolder(join(folder, "a"))).toBe(true);
    expect(await makeFolder(join(folder, "a"))).toBe(false);
    write("file", "");
    const refused = await makeFolder(join(folder, "file", "x")).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: "Problem", message: expect.stringContaining("nothing was changed") });
    expect(String(refused)).not.toContain(home);
    await removeFile(join(folder, "file"));
    expect(existsSync(join(folder, "file"))).toBe(false);
  });

  test("folders are synced a few at a time, and what is not a folder is skipped", async () => {
    const { folder, write } = temporaryVault();
    write("file", "");
    for (const name of ["file", "gone"]) await expect(syncFolder(join(folder, name))).resolves.toBeUndefined();
    const many = Array.from(
      { length: 5000 },
      (_, index) => `${folder}${"/".repeat(index % 4)}${"/.".repeat(index >> 2)}`,
    );
    await expect(syncFolders(many.filter((path) => path.length < 4000))).resolves.toBeUndefined();
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
