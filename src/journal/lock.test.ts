// The lock and the database of a journal, when another program holds them or
// takes them away.
import fs, { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { failure, withAnswers } from "../../test/fixtures/simulated-file-systems.ts";
import { temporaryVault, type TemporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { openDatabase } from "../sqlite/open.ts";
import { parseVaultPath } from "../files/vault/vault-path.ts";
import type { Journal } from "./journal.ts";

const shared = parseVaultPath("shared.md");

async function append(journal: Journal, text: string, beforeEnd: () => Promise<void> = async () => {}) {
  return journal.change({ tool: "test" }, async (read) => {
    const { bytes, hash } = (await read(shared))!;
    await beforeEnd();
    return {
      message: "",
      steps: [{ kind: "replace", path: shared, before: hash, bytes: Buffer.concat([bytes, Buffer.from(text)]) }],
    };
  });
}

function databaseOf({ journals }: TemporaryVault): string {
  return join(
    journals,
    readdirSync(journals).find((name) => /^[0-9a-f]{32}\.db$/.test(name))!,
  );
}

/** How often something else in this process had its turn while the work went on. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const isOver = { yet: false };
  void work.catch(() => {}).then(() => (isOver.yet = true));
  for (; !isOver.yet; turns++) await pause(1);
  return turns;
}

describe("a journal that another program holds", () => {
  test("is waited for without blocking anything else, and then reported as busy", async () => {
    const vault = temporaryVault({ wait: 1500 });
    vault.write("shared.md", "");
    await append(vault.journal, "a");
    const other = openDatabase(databaseOf(vault));
    other.exec("BEGIN IMMEDIATE");
    const refused = append(vault.journal, "b");
    // SQLite's own wait would leave one or two.
    expect(await turnsDuring(refused)).toBeGreaterThan(10);
    await expect(refused).rejects.toMatchObject({
      name: "Problem",
      code: "timeout",
      message: "Another program holds the journal: nothing was changed.",
      hint: expect.stringContaining("Try again"),
    });
    expect(vault.text("shared.md")).toBe("a");
    expect((await vault.journal.history()).entries).toHaveLength(1);
    other.close();
  });

  test("is waited for until it is free", async () => {
    // Longer than any machine keeps this process waiting.
    const vault = temporaryVault({ wait: 60_000 });
    vault.write("shared.md", "");
    await append(vault.journal, "a");
    const other = openDatabase(databaseOf(vault));
    other.exec("BEGIN IMMEDIATE");
    const waiting = append(vault.journal, "b");
    await pause(300);
    expect(vault.text("shared.md")).toBe("a");
    other.exec("ROLLBACK");
    await waiting;
    expect(vault.text("shared.md")).toBe("ab");
    other.close();
  });

  test("even against reading, or from the beginning, is reported as busy too", async () => {
    const vault = temporaryVault({ wait: 300 });
    vault.write("shared.md", "");
    await append(vault.journal, "a");
    await vault.journal.close();
    const other = openDatabase(databaseOf(vault));
    other.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
    await expect(vault.journal.history()).rejects.toThrow("Another program holds the journal");
    await expect(append(vault.journal, "b")).rejects.toMatchObject({ code: "timeout" });
    other.close();
    await append(vault.journal, "b");
    expect(vault.text("shared.md")).toBe("ab");
  });

  test("is no longer waited for when the caller aborts", async () => {
    const vault = temporaryVault();
    vault.write("shared.md", "");
    await append(vault.journal, "a");
    const other = openDatabase(databaseOf(vault));
    other.exec("BEGIN IMMEDIATE");
    const waiting = vault.journal.change({ tool: "test", signal: AbortSignal.timeout(200) }, () => ({
      message: "",
      steps: [{ kind: "create", path: parseVaultPath("x.md"), bytes: Buffer.from("") }],
    }));
    await expect(waiting).rejects.toThrow("timeout");
    other.close();
  });
});

describe("changes of one process", () => {
  test("wait for each other for as long as needed, and happen in the order of the calls", async () => {
    // Each one holds the lock for longer than another process would be waited for.
    const vault = temporaryVault({ wait: 1 });
    vault.write("shared.md", "");
    const letters = Array.from("abcdefghij");
    await Promise.all(letters.map((letter) => append(vault.journal, letter, () => pause(3))));
    expect(vault.text("shared.md")).toBe(letters.join(""));
  });

  test("that wait behind one that another process kept waiting do not wait that long again", async () => {
    const vault = temporaryVault({ wait: 400 });
    vault.write("shared.md", "");
    const held = Promise.withResolvers<void>();
    const isPlanning = Promise.withResolvers<void>();
    const other = append(vault.another(), "x", () => {
      isPlanning.resolve();
      return held.promise;
    });
    await isPlanning.promise;
    let now = Date.now();
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now);
    const asked = ["a", "b", "c", "d", "e"].map((letter) =>
      expect(append(vault.journal, letter)).rejects.toThrow("Another program has been writing"),
    );
    // The clock goes on once: were the time counted again for each of them, all but the first would wait for good.
    now += 400;
    await Promise.all(asked);
    clock.mockRestore();
    held.resolve();
    await other;
    await append(vault.journal, "f");
    expect(vault.text("shared.md")).toBe("xf");
  });

  test("can be aborted while they wait, and those behind them go on", async () => {
    const vault = temporaryVault();
    vault.write("shared.md", "");
    const held = Promise.withResolvers<void>();
    const first = append(vault.journal, "a", () => held.promise);
    const giveUp = new AbortController();
    const second = vault.journal.change({ tool: "test", signal: giveUp.signal }, () => {
      throw new Error("it was given up before its turn");
    });
    const third = append(vault.journal, "c");
    giveUp.abort(new Error("given up"));
    await expect(second).rejects.toThrow("given up");
    held.resolve();
    await Promise.all([first, third]);
    expect(vault.text("shared.md")).toBe("ac");
  });
});

describe("a lock whose file cannot be looked at", () => {
  test("is given up with the system's error, not taken for one that was replaced", async () => {
    const vault = temporaryVault({ wait: 300 });
    vault.write("shared.md", "");
    await append(vault.journal, "a");
    let failures = 1;
    const { statSync: look } = fs;
    const statSync = (path: string, options: object) => {
      if (path.endsWith(".lock.db") && failures-- > 0) throw failure("EIO", "stat");
      return look(path, options);
    };
    await withAnswers({ statSync }, () => expect(append(vault.journal, "b")).rejects.toThrow("EIO"));
    expect(failures).toBe(0);
    expect(vault.text("shared.md")).toBe("a");
    await append(vault.another(), "c");
    await append(vault.journal, "d");
    expect(vault.text("shared.md")).toBe("acd");
    expect(vault.logged).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("a journal whose folder is taken away while it is open", () => {
  const takeAway = {
    deleted: ({ journals }: TemporaryVault) => rmSync(journals, { recursive: true }),
    "moved away": ({ journals }: TemporaryVault) => renameSync(journals, `${journals}-old`),
    emptied: ({ journals }: TemporaryVault) => {
      rmSync(journals, { recursive: true });
      mkdirSync(journals);
    },
  };

  test.each(Object.entries(takeAway))("(%s) has one lock with those who come later", async (_, take) => {
    const vault = temporaryVault({ wait: 300 });
    vault.write("shared.md", "");
    await append(vault.journal, "a");
    take(vault);
    const later = vault.another();
    const held = Promise.withResolvers<void>();
    const isPlanning = Promise.withResolvers<void>();
    const first = append(later, "b", async () => {
      isPlanning.resolve();
      await held.promise;
    });
    await isPlanning.promise;
    await expect(append(vault.journal, "c")).rejects.toMatchObject({ code: "timeout" });
    held.resolve();
    await first;
    await append(vault.journal, "c");
    expect(vault.text("shared.md")).toBe("abc");
    expect((await vault.journal.history()).entries).toHaveLength(2);
    expect((await later.history()).entries).toHaveLength(2);
    expect(vault.logged).toEqual(["the journal was deleted or moved while it was in use: a new one is created"]);
    await vault.journal.undo();
    await later.undo();
    expect(vault.text("shared.md")).toBe("a");
  });

  test("lists nothing that is gone, and does not disturb the change in progress", async () => {
    const vault = temporaryVault();
    vault.write("shared.md", "");
    await append(vault.journal, "a");
    await append(vault.journal, "b", async () => {
      rmSync(vault.journals, { recursive: true });
      expect((await vault.journal.history()).entries).toEqual([]);
    });
    expect(vault.text("shared.md")).toBe("ab");
    await append(vault.journal, "c");
    expect((await vault.journal.history()).entries).toHaveLength(1);
    expect(vault.text("shared.md")).toBe("abc");
  });
});
