// What macOS answers otherwise, injected: there was no Mac (docs/systems.md). Names
// in another case or composition are in vault-root.test.ts and journal.test.ts.
import fs, { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { replaceFile } from "../../src/files/disk/atomic.ts";
import { openVaultRoot } from "../../src/files/vault/vault-root.ts";
import { parseQuery } from "../../src/search/query.ts";
import { openNoteDatabase } from "../../src/vault/note-index/note-database.ts";
import { onPlatform, withAnswers } from "../fixtures/simulated-file-systems.ts";
import { vaultWith } from "../fixtures/vaults.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { indexedFolder } from "../../src/vault/note-index/indexed-files.ts";

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
