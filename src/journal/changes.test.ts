// The changes of a journal entry, and who asked for them.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { temporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { change, create, folder, remove, rename, replace } from "../../test/fixtures/journal-steps.ts";

describe("what an entry changed", () => {
  test("is known through later changes, moves, undo and redo of the same file", async () => {
    const { journal, write } = temporaryVault();
    write("a.md", "one\n");
    const first = await change(journal, replace("a.md", "one\n", "one\ntwo\n"));
    const changed = [{ kind: "changed", path: "a.md", before: "one\n", after: "one\ntwo\n" }];
    expect(await journal.changes(first.id)).toEqual({ files: changed, more: 0, later: [] });
    const second = await change(journal, replace("a.md", "one\ntwo\n", "zero\none\ntwo\n"));
    await change(journal, folder("sub"));
    await change(journal, rename("a.md", "sub/b.md"));
    await change(journal, rename("sub", "deep"));
    await change(journal, replace("deep/b.md", "zero\none\ntwo\n", "three\n"));
    expect(await journal.changes(first.id)).toMatchObject({
      files: changed,
      obstacle: expect.stringContaining("a.md is gone"),
    });
    expect((await journal.changes(second.id)).files).toEqual([
      { kind: "changed", path: "a.md", before: "one\ntwo\n", after: "zero\none\ntwo\n" },
    ]);
    await journal.undo();
    await journal.redo();
    expect((await journal.changes(first.id)).files).toEqual(changed);
    expect((await journal.changes(first.id)).later.map(({ id }) => id)).toContain(second.id);
  });

  test("is what was created, moved, deleted and changed, in one entry", async () => {
    const { journal, write } = temporaryVault();
    write("a.md", "see [[b]]");
    write("b.md", "b");
    write("c.md", "c");
    const { id } = await change(
      journal,
      replace("a.md", "see [[b]]", "see [[x]]"),
      rename("b.md", "x.md"),
      remove("c.md"),
      create("new/d.md", "d"),
    );
    const { files, obstacle } = await journal.changes(id);
    expect(files).toEqual([
      { kind: "changed", path: "a.md", before: "see [[b]]", after: "see [[x]]" },
      { kind: "deleted", path: "c.md" },
      { kind: "moved", path: "b.md", to: "x.md" },
      { kind: "created", path: "new/d.md", after: "d" },
    ]);
    expect(obstacle).toBeUndefined();
  });

  test("says what stands in the way, and shows no text that it does not know", async () => {
    const { journal, write, folder: vault } = temporaryVault();
    write("a.md", "one\n");
    const { id } = await change(journal, replace("a.md", "one\n", "two\n"));
    writeFileSync(join(vault, "a.md"), "somebody else\n");
    expect(await journal.changes(id)).toMatchObject({
      files: [{ kind: "changed", path: "a.md" }],
      obstacle: expect.stringContaining("a.md was changed since"),
    });
    expect((await journal.changes(id)).files[0]).not.toHaveProperty("before");
    rmSync(join(vault, "a.md"));
    expect((await journal.changes(id)).obstacle).toContain("a.md is gone");
    await expect(journal.changes("nonsense")).rejects.toThrow("There is no journal entry");
  });

  test("is listed for the first files of very many, and omits what is not text", async () => {
    const { journal } = temporaryVault();
    const steps = Array.from({ length: 70 }, (_, i) => create(`n${i}.md`, "x"));
    const { id } = await change(journal, ...steps);
    const { files, more } = await journal.changes(id);
    expect([files.length, more]).toEqual([60, 10]);
    const binary = { ...create("b.bin", ""), bytes: Buffer.of(0xff, 0xfe, 0x00) } as ReturnType<typeof create>;
    const entry = await change(journal, binary);
    expect((await journal.changes(entry.id)).files).toEqual([{ kind: "created", path: "b.bin" }]);
  });
});

describe("the history of a path", () => {
  test("has every change of it and of what is below it, however many others came later", async () => {
    const { journal } = temporaryVault();
    await change(journal, create('Trips/Caf\u00E9 "x"_%.md', "a"));
    await change(journal, rename('Trips/Caf\u00E9 "x"_%.md', "Moved.md"));
    await change(journal, create("Trips other.md", "b"));
    await change(journal, create("Moved.md too.md", "b"));
    const counts = [
      ['Trips/Cafe\u0301 "x"_%', 2],
      ["Trips", 2],
      ["Moved.md", 1],
      ["Moved", 1],
      ["Trip", 0],
    ] as const;
    for (const [path, count] of counts)
      expect((await journal.history({ path, limit: 2 })).entries, path).toHaveLength(count);
  });
});

describe("who asked for a change", () => {
  const by = { asker: "host", client: "Claude Code", session: "s1" };

  test("is kept with the entry, and unknown for entries of releases that did not record it", async () => {
    const vault = temporaryVault();
    const plan = () => ({ message: "A change", steps: [create("a.md", "a")] });
    await vault.journal.change({ tool: "test", by }, plan);
    await change(vault.journal, create("b.md", "b"));
    const [second, first] = (await vault.journal.history()).entries;
    expect(first!.by).toEqual(by);
    expect(second).not.toHaveProperty("by");
    await vault.journal.close();

    // A journal of an earlier release has no such table, and one that both used is still read by it.
    const name = readdirSync(vault.journals).find((each) => /^[0-9a-f]+\.db$/.test(each))!;
    const database = new DatabaseSync(join(vault.journals, name));
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    database.exec("DROP TABLE asker");
    database.close();
    const later = vault.another();
    expect((await later.history()).entries.map((entry) => entry.by)).toEqual([undefined, undefined]);
    await later.change({ tool: "test", by }, () => ({ message: "Another", steps: [create("c.md", "c")] }));
    expect((await later.history()).entries[0]!.by).toEqual(by);
    await later.purge();
    expect((await later.history()).entries).toEqual([]);
  });
});

describe("the forecast of several undos", () => {
  test("is what then happens: files that were changed, moved, created and deleted again and again", async () => {
    const { journal, write, folder: vault } = temporaryVault();
    const read = (path: string) => readFileSync(join(vault, path), "utf8");
    write("a.md", "one\n");
    write("gone.md", "gone\n");
    const entries = [
      await change(journal, replace("a.md", "one\n", "two\n")),
      await change(journal, folder("sub")),
      await change(journal, rename("a.md", "sub/b.md")),
      await change(journal, replace("sub/b.md", "two\n", "three\n")),
      await change(journal, create("a.md", "another\n")),
      await change(journal, remove("gone.md")),
    ];
    const ids = entries.map(({ id }) => id).toReversed();
    expect(await journal.forecastUndo(ids)).toEqual({ possible: 6 });
    for (const id of ids) await journal.undo({ id });
    expect([read("a.md"), read("gone.md")]).toEqual(["one\n", "gone\n"]);
  });

  test("names how many come before what stands in the way, and what that is", async () => {
    const { journal, write, folder: vault } = temporaryVault();
    write("a.md", "one\n");
    write("b.md", "b\n");
    const first = await change(journal, replace("a.md", "one\n", "two\n"));
    const second = await change(journal, replace("b.md", "b\n", "B\n"));
    const third = await change(journal, create("c.md", "c\n"));
    writeFileSync(join(vault, "b.md"), "by somebody else\n");
    const forecast = await journal.forecastUndo([third.id, second.id, first.id]);
    expect(forecast).toEqual({ possible: 1, obstacle: expect.stringContaining("b.md was changed since") });
    await journal.undo({ id: third.id });
    await expect(journal.undo({ id: second.id })).rejects.toThrow("b.md was changed since");
    expect(await journal.forecastUndo([first.id])).toEqual({ possible: 1 });
  });
});
