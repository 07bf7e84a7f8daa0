// What macOS answers otherwise, injected: there was no Mac (docs/internals/systems.md). Names
// in another case or composition are in vault-root.test.ts and journal.test.ts.
import { execFileSync, spawnSync } from "node:child_process";
import fs, { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { replaceFile } from "../../src/files/disk/atomic.ts";
import { openVaultRoot } from "../../src/files/vault/vault-root.ts";
import { parseQuery } from "../../src/search/query.ts";
import { openNoteDatabase } from "../../src/vault/note-index/note-database.ts";
import { onPlatform, withAnswers } from "../fixtures/simulated-file-systems.ts";
import { change, replace } from "../fixtures/journal-steps.ts";
import { temporaryVault } from "../fixtures/temporary-vault.ts";
import { vaultWith } from "../fixtures/vaults.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { indexedFolder } from "../../src/vault/note-index/indexed-files.ts";

/** Sets and gets an extended attribute, with the tools of Linux. */
const setTag = (file: string) =>
  spawnSync("python3", ["-c", "import os, sys; os.setxattr(sys.argv[1], 'user.tag', b'red')", file]);
const tagOf = (file: string) =>
  String(spawnSync("python3", ["-c", "import os, sys; print(os.getxattr(sys.argv[1], 'user.tag'))", file]).stdout);

/** Whether attributes can be set here. */
const hasAttributes = (() => {
  const file = join(temporaryFolder(), "probe");
  writeFileSync(file, "");
  return setTag(file).status === 0;
})();

describe("on macOS", () => {
  it.each([
    ["darwin", true],
    ["win32", true],
    ["linux", false],
  ] as const)(
    "a disk is taken for one that ignores case while nothing on it says otherwise: %s",
    async (name, ignores) => {
      const folder = temporaryFolder();
      expect(await onPlatform(name, () => openVaultRoot(folder).ignoresCase)).toBe(ignores);
    },
  );

  it("a file that is replaced keeps the time of its birth", async () => {
    const file = join(temporaryFolder(), "note.md");
    writeFileSync(file, "before");
    const { birthtime } = fs.statSync(file, { bigint: true });
    const set: unknown[] = [];
    const { futimesSync } = fs;
    const answers = {
      futimesSync: (handle: number, accessed: Date, modified: Date) => {
        set.push(modified);
        futimesSync(handle, accessed, modified);
      },
    };
    const started = Date.now();
    await onPlatform("darwin", () =>
      withAnswers(answers, () => replaceFile(file, Buffer.from("after"), `${file}.tmp`)),
    );
    expect(fs.readFileSync(file, "utf8")).toBe("after");
    // An earlier time sets that of the birth; the second is that of the change.
    expect(set).toEqual([birthtime, expect.any(Date)]);
    expect((set[1] as Date).getTime()).toBeGreaterThanOrEqual(started);
    set.length = 0;
    await onPlatform("linux", () => withAnswers(answers, () => replaceFile(file, Buffer.from("again"), `${file}.tmp`)));
    expect(set).toEqual([]);
  });

  it("a file that is replaced keeps what a copy of it has, however long its new content is", async () => {
    const home = temporaryFolder();
    const file = join(home, "note.md");
    const folder = join(home, "vault");
    mkdirSync(folder);
    const { copyFileSync } = fs;
    const copied: string[] = [];
    // A Mac's own copy has the attributes; here it is a copy with them by the system.
    const answers = {
      copyFileSync: (from: string, to: string, mode?: number) => {
        copied.push(from);
        copyFileSync(from, to, mode);
        if (hasAttributes) execFileSync("cp", ["--attributes-only", "--preserve=xattr", from, to]);
      },
    };
    for (const after of ["", "after", "after ".repeat(1_000)]) {
      writeFileSync(file, "before before");
      if (hasAttributes) setTag(file);
      await onPlatform("darwin", () =>
        withAnswers(answers, () => replaceFile(file, Buffer.from(after), `${file}.tmp`)),
      );
      expect(fs.readFileSync(file, "utf8")).toBe(after);
      if (hasAttributes) expect(tagOf(file)).toContain("red");
    }
    expect(copied).toEqual([file, file, file]);
    expect(fs.readdirSync(home).toSorted()).toEqual(["note.md", "vault"]);
  });

  it("a note keeps them through an edit and its undo, and is edited where no copy can be made", async () => {
    const vault = temporaryVault();
    vault.write("Folder/a.md", "before");
    const { copyFileSync } = fs;
    const copied: string[] = [];
    const copies = (from: string, to: string, mode?: number) => {
      copied.push(basename(from));
      copyFileSync(from, to, mode);
    };
    const fails = () => {
      throw Object.assign(new Error("ENOTSUP"), { code: "ENOTSUP" });
    };
    for (const answer of [copies, fails]) {
      await onPlatform("darwin", () =>
        withAnswers({ copyFileSync: answer }, async () => {
          await change(vault.journal, replace("Folder/a.md", "before", "after an edit"));
          expect(vault.text("Folder/a.md")).toBe("after an edit");
          await vault.journal.undo();
        }),
      );
      expect(vault.text("Folder/a.md")).toBe("before");
    }
    expect(copied).toEqual(["a.md", "a.md"]);
    expect(fs.readdirSync(join(vault.folder, "Folder"))).toEqual(["a.md"]);
  });

  it("a note whose content is only in iCloud is known by its name, and not downloaded", async () => {
    const { folder, vault } = vaultWith({ "Here.md": "apple", "Away.md": "banana!" });
    const longAgo = new Date("2026-01-02");
    for (const name of ["Here.md", "Away.md"]) utimesSync(join(folder, name), longAgo, longAgo);
    const cache = join(dirname(folder), "cache");
    mkdirSync(cache);
    const index = openNoteDatabase({ file: join(cache, "index.db"), log: () => {} });
    const read: string[] = [];
    const size = BigInt("banana!".length);
    const withoutBlocks =
      (look: (...values: never[]) => unknown) =>
      (...values: never[]) => {
        const stats = look(...values) as fs.BigIntStats | undefined;
        return stats?.size === size ? Object.assign(stats, { blocks: 0n }) : stats;
      };
    const { openSync } = fs;
    const answers = {
      lstatSync: withoutBlocks(fs.lstatSync as never),
      statSync: withoutBlocks(fs.statSync as never),
      fstatSync: withoutBlocks(fs.fstatSync as never),
      openSync: (path: string, flags: number, mode?: number) => {
        read.push(path);
        return openSync(path, flags, mode);
      },
    };
    const swept = await onPlatform("darwin", () => withAnswers(answers, () => index.sweep(indexedFolder(vault.root))));
    expect(swept!.unread).toEqual([{ path: "Away.md", reason: "only in the cloud" }]);
    expect(read.filter((path) => path.endsWith("Away.md"))).toEqual([]);
    const found = (words: string) => index.search(parseQuery(words), { limit: 10 }).hits.map(({ path }) => path);
    expect([found("apple"), found("away"), found("banana")]).toEqual([["Here.md"], ["Away.md"], []]);
    index.close();
  });
});
