import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseVaultPath } from "../files/vault/vault-path.ts";
import { openVaultRoot } from "../files/vault/vault-root.ts";
import { Problem } from "../kernel/problem.ts";
import { idPrefixesIn, openJournal, type Journal } from "./journal.ts";
import { joinJournals } from "./journals.ts";

let home: string;
let opened: Journal[];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-journals-")));
  opened = [];
  // Each change in a millisecond of its own: no caller is faster than that with two journals.
  let time = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => ++time);
  for (const name of ["a.md", "b.md"]) writeFileSync(join(home, name), "");
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const journal of opened) await journal.close();
  rmSync(home, { recursive: true, force: true });
});

/** A journal of one file, as an outline has it; opened again, as another process does. */
function journalOf(name: string): Journal {
  const root = openVaultRoot(home);
  const journal = openJournal(join(home, "journal"), root, { log: () => {}, subject: join(root.folder, name) });
  opened.push(journal);
  return journal;
}

async function write(journal: Journal, name: string, text: string): Promise<string> {
  const path = parseVaultPath(name);
  const written = await journal.change({ tool: "test" }, async (read) => ({
    message: `Wrote ${text}`,
    steps: [{ kind: "replace", path, before: (await read(path))!.hash, bytes: Buffer.from(text) }],
  }));
  return written!.id;
}

const texts = () => ["a.md", "b.md"].map((name) => readFileSync(join(home, name), "utf8"));

describe("several journals", () => {
  it("take a redo for the newest change of one journal, also in another process", async () => {
    const root = openVaultRoot(home);
    const open = () => {
      const journal = openJournal(join(home, "journal"), root, { log: () => {} });
      opened.push(journal);
      return journal;
    };
    const journal = open();
    const first = await write(journal, "a.md", "1");
    await journal.undo();
    await write(journal, "b.md", "2");
    await journal.redo({ id: first });
    expect((await open().undo()).message).toBe("Undid: Wrote 1");
    await journal.redo({ id: first });
    expect((await journal.undo()).message).toBe("Undid: Wrote 1");
  });

  it("are undone and redone in the order of their changes", async () => {
    const [a, b] = [journalOf("a.md"), journalOf("b.md")];
    const journals = joinJournals([async () => [a], async () => [b]]);
    await write(a, "a.md", "1");
    await write(b, "b.md", "2");
    await write(a, "a.md", "3");
    const seen: string[][] = [];
    for (let i = 0; i < 3; i++) {
      await journals.undo();
      seen.push(texts());
    }
    expect(seen).toEqual([
      ["1", "2"],
      ["1", ""],
      ["", ""],
    ]);
    await expect(journals.undo()).rejects.toMatchObject({ code: "not_found", message: "There is nothing to undo." });
    for (const expected of [
      ["1", ""],
      ["1", "2"],
      ["3", "2"],
    ]) {
      await journals.redo();
      expect(texts()).toEqual(expected);
    }
  });

  it("undo what this process did before what others did later", async () => {
    const [a, b] = [journalOf("a.md"), journalOf("b.md")];
    await write(a, "a.md", "mine");
    await write(journalOf("b.md"), "b.md", "of another process");
    const journals = joinJournals([async () => [a, b]]);
    expect((await journals.undo()).message).toBe("Undid: Wrote mine");
    expect((await journals.undo()).message).toBe("Undid: Wrote of another process");
  });

  it("undo what another process did to an outline that is not open here", async () => {
    const [a, b] = [journalOf("a.md"), journalOf("b.md")];
    await write(journalOf("a.md"), "a.md", "of the vault");
    await write(journalOf("b.md"), "b.md", "of an outline, later");
    const journals = joinJournals([async () => [a], async (reach) => (reach === "all" ? [b] : [])]);
    expect((await journals.undo()).message).toBe("Undid: Wrote of an outline, later");
    expect((await journals.undo()).message).toBe("Undid: Wrote of the vault");
  });

  it("find an entry by its id in any of them", async () => {
    const [a, b] = [journalOf("a.md"), journalOf("b.md")];
    const first = await write(a, "a.md", "1");
    await write(b, "b.md", "2");
    const journals = joinJournals([async (reach) => (reach === "all" ? [b, a] : [b])]);
    expect(await journals.undo({ id: first })).toMatchObject({ id: first, paths: ["a.md"] });
    expect(texts()).toEqual(["", "2"]);
    await expect(journals.undo({ id: "abcdef-1" })).rejects.toThrow("There is no journal entry abcdef-1.");
  });

  it("have one history, newest first", async () => {
    const [a, b] = [journalOf("a.md"), journalOf("b.md")];
    for (const [journal, name, text] of [
      [a, "a.md", "1"],
      [b, "b.md", "2"],
      [a, "a.md", "3"],
    ] as const) {
      await write(journal, name, text);
    }
    const journals = joinJournals([async () => [a], async () => [b]]);
    expect((await journals.history(10)).entries.map(({ message }) => message)).toEqual([
      "Wrote 3",
      "Wrote 2",
      "Wrote 1",
    ]);
    expect(await journals.history(2)).toMatchObject({ entries: { length: 2 }, total: 3 });
    expect(await journals.purge()).toBe(3);
    expect(await journals.history(10)).toEqual({ entries: [], total: 0 });
  });

  it("say how many there are of vaults and outlines that are not open here, and which entry is of one", async () => {
    const [a, b] = [journalOf("a.md"), journalOf("b.md")];
    await write(a, "a.md", "1");
    const elsewhere = await write(b, "b.md", "2");
    const prefixes = () => idPrefixesIn(join(home, "journal"));
    const journals = joinJournals([async () => [a]], prefixes);
    expect(await journals.elsewhere()).toBe(1);
    await expect(journals.undo({ id: elsewhere })).rejects.toMatchObject({
      code: "not_found",
      message: `Entry ${elsewhere} belongs to another vault or outline.`,
      hint: expect.stringContaining("--outline FILE"),
    });
    await expect(journals.undo({ id: `${a.idPrefix()}-zz` })).rejects.toThrow("There is no journal entry");
    expect(await joinJournals([async () => [a, b]], prefixes).elsewhere()).toBe(0);
    expect(idPrefixesIn(join(home, "nowhere"))).toEqual([]);
  });

  it("are independent: an error to open one is thrown only if no other one answers", async () => {
    const a = journalOf("a.md");
    const missing = () => Promise.reject(new Problem("not_found", "The vault folder is missing: nothing was changed."));
    const journals = joinJournals([missing, async () => [a]]);
    await expect(journals.undo()).rejects.toThrow("The vault folder is missing");
    await expect(journals.history(1)).rejects.toThrow("The vault folder is missing");
    await write(a, "a.md", "1");
    expect((await journals.history(1)).entries).toHaveLength(1);
    expect((await journals.undo()).message).toBe("Undid: Wrote 1");
  });
});
