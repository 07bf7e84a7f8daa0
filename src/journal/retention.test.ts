// How long entries of a journal are kept, whatever the clock of the machine says.
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { change, create } from "../../test/fixtures/journal-steps.ts";
import { temporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { openDatabase } from "../sqlite/sqlite.ts";
import { Entries } from "./entries.ts";
import { journalName } from "./journal-names.ts";
import { type Retention, trim } from "./retention.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 10, 18);
const NONE = { entries: 0, bytes: 0 };
const MONTH: Retention = { milliseconds: 30 * DAY, bytes: 1e9, atLeast: NONE };

afterEach(() => void vi.useRealTimers());

/** A journal of which a test adds entries and moves the clock. */
function emptyJournal() {
  const path = join(temporaryVault().home, "journal.db");
  const entries = Entries.open(path);
  const database = openDatabase(path);
  vi.useFakeTimers({ toFake: ["Date"] });
  const add = (count: number) => {
    for (let i = 0; i < count; i++) {
      const number = entries.plan({ tool: "test", message: "", origin: undefined, actions: [] });
      entries.finish({ number, origin: undefined });
    }
  };
  return {
    /** Adds entries while the clock is so many days after the start. */
    add: (count: number, day: number) => {
      vi.setSystemTime(START + day * DAY);
      add(count);
    },
    trimAt: (day: number, retention: Retention = MONTH) => {
      for (let last = -1; last !== entries.count();) {
        last = entries.count();
        trim(database, retention, START + day * DAY);
      }
      return entries.count();
    },
  };
}

describe("entries of a journal", () => {
  test("are deleted after as many lived days as are kept, the oldest first", () => {
    const journal = emptyJournal();
    for (let day = 0; day < 40; day++) {
      journal.add(10, day);
      journal.trimAt(day);
    }
    // Those of today, and of the thirty days before.
    expect(journal.trimAt(39)).toBeGreaterThanOrEqual(300);
    expect(journal.trimAt(39)).toBeLessThanOrEqual(320);
  });

  test.each([
    ["far ahead and stays there", [400, 400.1, 400.2, 400.3, 400.4]],
    ["ahead and back again", [400, 0.2, 400, 0.3, 800, 0.4]],
    ["back to the year 1970", [-20_000, 0.2, 0.3]],
  ])("stay when the clock jumps %s", (_, days) => {
    const journal = emptyJournal();
    journal.add(100, 0);
    expect(journal.trimAt(0)).toBe(100);
    for (const day of days) {
      journal.add(1, day);
      journal.trimAt(day);
    }
    expect(journal.trimAt(days.at(-1)!)).toBe(100 + days.length);
  });

  test("that were made under a clock far behind stay for as long as all others", () => {
    const journal = emptyJournal();
    journal.add(100, -20_000);
    for (let day = 0; day < 29; day++) expect(journal.trimAt(day)).toBe(100);
    for (let day = 29; day < 40; day++) journal.trimAt(day);
    expect(journal.trimAt(40)).toBe(0);
  });

  test("expire by a day's worth when the clock jumps, not all at once", () => {
    const journal = emptyJournal();
    for (let day = 0; day <= 30; day++) {
      journal.add(10, day);
      journal.trimAt(day);
    }
    const before = journal.trimAt(30);
    expect(before - journal.trimAt(4_000)).toBeLessThanOrEqual(20);
  });

  test.each([
    ["400 days", 400],
    ["half a day", 0.5],
  ])("do not expire by a clock that jumps %s ahead and back for ever", (_, far) => {
    const journal = emptyJournal();
    journal.add(100, 0);
    for (let i = 0; i < 100; i++) {
      journal.trimAt(far);
      journal.trimAt(i / 1_000);
    }
    expect(journal.trimAt(0.1)).toBe(100);
  });

  test("expire in time again after a wrong time was seen", () => {
    const journal = emptyJournal();
    journal.add(100, 0);
    journal.trimAt(400);
    for (let day = 0; day < 40; day++) journal.trimAt(day);
    expect(journal.trimAt(40)).toBe(0);
  });

  test("are never fewer, nor take fewer bytes, than what age may not delete", () => {
    const journal = emptyJournal();
    journal.add(1_200, 0);
    const atLeast = { entries: 1_000, bytes: 0 };
    for (let day = 0; day < 70; day++) journal.trimAt(day, { ...MONTH, atLeast });
    expect(journal.trimAt(70, { ...MONTH, atLeast })).toBe(1_000);
    expect(journal.trimAt(70, { ...MONTH, atLeast: { entries: 0, bytes: 50_000_000 } })).toBe(1_000);
    expect(journal.trimAt(70)).toBe(0);
  });

  test("can still be undone after a change with the clock 400 days ahead", async () => {
    const vault = temporaryVault();
    for (const name of ["a.md", "b.md", "c.md"]) await change(vault.journal, create(name, name));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 400 * DAY });
    await change(vault.another(), create("later.md", ""));
    await change(vault.another(), create("latest.md", ""));
    expect((await vault.another().history({ limit: 100 })).entries).toHaveLength(5);
  });

  test("of an earlier release are counted from now on", async () => {
    const vault = temporaryVault();
    await change(vault.journal, create("a.md", ""));
    const database = openDatabase(join(vault.journals, `${journalName(vault.root.folder)}.db`));
    database.exec(`DROP TABLE lived; UPDATE entry SET time = time - ${90 * DAY}`);
    database.close();
    await change(vault.another({ retention: MONTH }), create("b.md", ""));
    expect((await vault.journal.history()).entries).toHaveLength(2);
  });
});
