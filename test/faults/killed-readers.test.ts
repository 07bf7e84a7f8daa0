// A process is killed in the middle of a change, and the next one only reads or
// undoes: it must not see, or build on, half of a change.
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { joinJournals } from "../../src/journal/journals.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { startWriter } from "./children/start-writer.ts";
import { MANY_NOTES } from "./children/operations.ts";
import { everythingIn, temporaryVault, type TemporaryVault } from "../fixtures/temporary-vault.ts";

/** Late enough that some of the 300 notes are rewritten, early enough that not all are. */
const KILL_AT = 900;

/** 300 notes in a folder, and a second change of all of them that was killed half-way. */
async function interrupted(): Promise<{ vault: TemporaryVault; before: Readonly<Record<string, string>> }> {
  const vault = temporaryVault();
  await startWriter(vault, { seed: MANY_NOTES, from: 0, count: 1 }).ended;
  const before = everythingIn(vault.folder);
  const { isKilled } = await startWriter(vault, { seed: MANY_NOTES, from: 1, count: 1, killAt: KILL_AT }).ended;
  expect(isKilled).toBe(true);
  const now = everythingIn(vault.folder);
  const changed = Object.keys(before).filter((path) => now[path] !== before[path]);
  expect(changed.length).toBeGreaterThan(0);
  expect(changed.length).toBeLessThan(300);
  return { vault, before };
}

const joined = (journal: Journal) => joinJournals([async () => [journal]]);

describe("after a process was killed in the middle of a change,", () => {
  test("a reader that recovers it first sees the vault as before the change", async () => {
    const { vault, before } = await interrupted();
    const journal = vault.another();
    await journal.recoverInterrupted();
    expect(everythingIn(vault.folder)).toEqual(before);
    expect(vault.logged.join("\n")).toContain("an interrupted change is rolled back");
  });

  test("undo rolls it back, says so, and leaves the change before it alone until it is called again", async () => {
    const { vault, before } = await interrupted();
    const journals = joined(vault.another());
    await expect(journals.undo()).rejects.toMatchObject({
      code: "conflict",
      message: "An interrupted change was rolled back instead: operation 1. Nothing else was undone.",
    });
    expect(everythingIn(vault.folder)).toEqual(before);
    expect((await journals.undo()).message).toBe("Undid: operation 0");
    expect(everythingIn(vault.folder)).toEqual({});
  });

  test("history rolls it back, and undo after it still says so", async () => {
    const { vault, before } = await interrupted();
    const journals = joined(vault.another());
    expect((await journals.history(10)).entries.map(({ message }) => message)).toEqual(["operation 0"]);
    expect(everythingIn(vault.folder)).toEqual(before);
    await expect(journals.undo()).rejects.toThrow("An interrupted change was rolled back instead");
  });

  test("a reader does not wait for a process that holds the lock, and recovers once it is free", async () => {
    const { vault, before } = await interrupted();
    const half = everythingIn(vault.folder);
    const lock = readdirSync(vault.journals).find((name) => name.endsWith(".lock.db"))!;
    const holder = new DatabaseSync(join(vault.journals, lock));
    holder.exec("BEGIN IMMEDIATE");
    const reader = vault.another();
    await reader.recoverInterrupted();
    expect(everythingIn(vault.folder)).toEqual(half);
    expect(vault.logged.join("\n")).toContain("an interrupted change is not rolled back yet");
    holder.close();
    await reader.recoverInterrupted();
    expect(everythingIn(vault.folder)).toEqual(before);
  });

  test("a note that was edited since keeps the edit, is named, and its old bytes stay in the history", async () => {
    const { vault, before } = await interrupted();
    const now = everythingIn(vault.folder);
    const touched = Object.keys(before).find((path) => now[path] !== undefined && now[path] !== before[path])!;
    appendFileSync(join(vault.folder, touched), "edited by hand");
    const journal = vault.another();
    await journal.recoverInterrupted();
    expect(everythingIn(vault.folder)).toEqual({ ...before, [touched]: `${now[touched]}edited by hand` });
    expect(vault.logged.join("\n")).toContain(`could not be rolled back for ${touched}`);
    expect((await journal.history()).entries.map(({ message }) => message)).toEqual(["operation 1", "operation 0"]);
  });
});
