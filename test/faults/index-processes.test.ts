// Several processes share one index: they are killed while they write it, and
// they write notes while one of them sweeps.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { bundled, NODE } from "../processes/child.ts";
import type { IndexOrders, IndexReport } from "./children/note-indexer.ts";
import { randomFrom } from "./children/operations.ts";
import { temporaryVault, type TemporaryVault } from "../fixtures/temporary-vault.ts";
import { reportOf } from "./children/reporting-child.ts";

const CHILD = bundled(join(import.meta.dirname, "children", "note-indexer.ts"));

function start(vault: TemporaryVault, orders: Omit<IndexOrders, "folder" | "cache">) {
  const given: IndexOrders = { ...orders, folder: vault.folder, cache: join(vault.home, "cache") };
  const child = spawn(NODE, [...CHILD, JSON.stringify(given)]);
  return reportOf<IndexReport>(child);
}

function fill(vault: TemporaryVault, count: number, word: string): void {
  for (let i = 0; i < count; i++) {
    const path = join(vault.folder, `folder ${i % 20}`, `note ${i}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `# Note ${i}\n\n${`${word} number${i} and [[note ${i + 1}]] #tag${i % 7} `.repeat(30)}`);
  }
}

/** Every part of the database is whole, and its parts agree. */
function check(vault: TemporaryVault): void {
  const cache = join(vault.home, "cache");
  const file = readdirSync(cache).find((name) => name.endsWith(".db"))!;
  const database = new DatabaseSync(join(cache, file));
  try {
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    // Its writer may have been killed before it created the tables, which is one transaction.
    if (database.prepare("SELECT name FROM sqlite_schema").get() === undefined) return;
    database.exec("INSERT INTO text(text) VALUES ('integrity-check')");
    const count = (table: string) => database.prepare(`SELECT count(*) AS count FROM ${table}`).get()!["count"];
    expect(count("facts")).toBe(count("document"));
    expect(count("text_docsize")).toBe(count("document"));
  } finally {
    database.close();
  }
}

/** One more than a multiple of four, so that all notes change in the last round. */
const ROUNDS = repeats({ short: 9, long: 101 });

describe("an index", CAMPAIGN, () => {
  test("survives its writers being killed, again and again", async () => {
    const vault = temporaryVault();
    const random = randomFrom(3);
    let isFull = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // Every few rounds all the notes change.
      if (round % 4 === 0) fill(vault, 1_500, `word${round}`);
      const { child, ready, report } = start(vault, {});
      await ready;
      await pause(random() * 350);
      child.kill("SIGKILL");
      if ((await report) !== undefined) isFull++;
      check(vault);
    }
    expect(isFull).toBeLessThan(ROUNDS);
    const [now, before] = [`word${ROUNDS - 1}`, `word${ROUNDS - 5}`];
    const last = await start(vault, { queries: [`${now} number77`, before, "number1499 tag:#tag1"] }).report;
    expect(last!.found[`${now} number77`]![0]).toBe("folder 17/note 77.md");
    expect(last!.found[before]).toEqual([]);
    expect(last!.found["number1499 tag:#tag1"]).toEqual(["folder 19/note 1499.md"]);
    expect(last!.logged).toEqual([]);
    check(vault);
  });

  test("is shared: each process finds its own notes at once, and in the end those of all", async () => {
    const vault = temporaryVault();
    fill(vault, 1_500, "common");
    const names = ["ann", "bob", "cat", "dan"];
    const writes = (name: string) =>
      Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${name}/${i}.md`, `${name}ish${i}x`]));
    const processes = names.map((name) => start(vault, { writes: writes(name), queries: [`path:${name}/`] }));
    const reports = await Promise.all(processes.map(({ report }) => report));
    for (const [i, report] of reports.entries()) {
      expect(report!.missed).toEqual([]);
      expect(report!.found[`path:${names[i]}/`]).toHaveLength(12);
      expect(report!.logged).toEqual([]);
    }
    check(vault);
    const last = await start(vault, { queries: names.map((name) => `path:${name}/`) }).report;
    for (const name of names) expect(last!.found[`path:${name}/`]).toHaveLength(12);
  });

  test("whose sweeping process was killed is swept by another when the lease ends", async () => {
    const vault = temporaryVault();
    fill(vault, 3_000, "common");
    const first = start(vault, {});
    await first.ready;
    await pause(150);
    first.child.kill("SIGKILL");
    await first.report;
    const next = await start(vault, { queries: ["number2999"] }).report;
    expect(next!.found["number2999"]).toEqual(["folder 19/note 2999.md"]);
  });
});
