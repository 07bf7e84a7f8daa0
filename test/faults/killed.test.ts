// A writer is killed again and again; the next process must find each operation
// complete or rolled back, and what was reported as done must be there.
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { contentHash } from "../../src/files/disk/atomic.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { startWriter } from "./children/start-writer.ts";
import { MANY_NOTES, operation, randomFrom, type State } from "./children/operations.ts";
import { everythingIn, temporaryVault, type TemporaryVault } from "../fixtures/temporary-vault.ts";

/** What should be in the vault, and how it came about. */
class Expected {
  readonly seed: number;
  state: State = {};
  next = 0;
  readonly past: { readonly before: State; readonly after: State; readonly message: string }[] = [];
  readonly undone: typeof this.past = [];

  constructor(seed: number) {
    this.seed = seed;
  }

  /** The state after the next operation, and what the history says then. */
  foresee(): { state: State; message: string } {
    const planned = operation(this.seed, this.next, this.state);
    if (planned === "undo") return { state: this.past.at(-1)!.before, message: `Undid: ${this.past.at(-1)!.message}` };
    if (planned === "redo")
      return { state: this.undone.at(-1)!.after, message: `Redid: ${this.undone.at(-1)!.message}` };
    return { state: planned.after, message: `operation ${this.next}` };
  }

  advance(): void {
    const { state, message } = this.foresee();
    const planned = operation(this.seed, this.next, this.state);
    if (planned === "undo") this.undone.push(this.past.pop()!);
    else if (planned === "redo") this.past.push(this.undone.pop()!);
    else this.past.push({ before: this.state, after: state, message });
    this.state = state;
    this.next++;
  }
}

/** Long content by its hash, so that a failure can be read. */
function shortened(state: State): State {
  const entries = Object.entries(state).map(([path, text]) => {
    return [path, text.length < 200 ? text : contentHash(Buffer.from(text, "latin1"))] as const;
  });
  return Object.fromEntries(entries);
}

/** Takes the lock as the next process would, and checks every byte. @returns whether the last operation was there */
async function checkAfter(vault: TemporaryVault, expected: Expected): Promise<boolean> {
  const journal = vault.another();
  await journal.change({ tool: "check" }, () => ({ message: "", steps: [] }));
  const found = everythingIn(vault.folder);
  const newest = (await journal.history({ limit: 1 })).entries[0]?.message;
  await journal.close();
  const foreseen = expected.foresee();
  const isThere = newest === foreseen.message;
  expect(shortened(found)).toEqual(shortened(isThere ? foreseen.state : expected.state));
  const trash = Object.keys(everythingIn(vault.folder, { withTrash: true }));
  expect(trash.filter((path) => path.endsWith(".tmp"))).toEqual([]);
  if (isThere) expected.advance();
  return isThere;
}

/** Undoes everything that stands, and checks each state on the way. */
async function undoAll(vault: TemporaryVault, expected: Expected): Promise<void> {
  const journal = vault.another();
  for (const entry of expected.past.toReversed()) {
    expect((await journal.undo()).message).toBe(`Undid: ${entry.message}`);
    expect(shortened(everythingIn(vault.folder))).toEqual(shortened(entry.before));
  }
  await expect(journal.undo()).rejects.toThrow("There is nothing to undo");
}

const ROUNDS = repeats({ short: 24, long: 300 });

describe("a process that is killed", CAMPAIGN, () => {
  test.concurrent.each([1, 2])(
    "at random moments, again and again, loses and tears nothing (seed %i)",
    async (seed) => {
      const vault = temporaryVault();
      const expected = new Expected(seed);
      const random = randomFrom(seed);
      let interrupted = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const { child, hasReported, ended } = startWriter(vault, { seed, from: expected.next, count: 1_000 });
        await hasReported(Math.floor(random() * 8));
        await pause(random() * 5);
        child.kill("SIGKILL");
        const { reported } = await ended;
        for (let index = 0; index < reported; index++) expected.advance();
        if (!(await checkAfter(vault, expected))) interrupted++;
      }
      expect(interrupted).toBeGreaterThan(ROUNDS / 6);
      expect(expected.next).toBeGreaterThan(ROUNDS * 1.6);
      await undoAll(vault, expected);
    },
  );

  test.concurrent.each([
    ["on a disk with links", 11, false],
    ["on a disk without", 12, true],
  ])("before each single call to the system, %s, leaves operations whole or undone", async (_, seed, withoutLinks) => {
    const vault = temporaryVault();
    const expected = new Expected(seed);
    const random = randomFrom(seed);
    // The first calls belong to opening; each start goes one call further than the last.
    let kills = 0;
    for (let killAt = 6; killAt < 76; killAt++) {
      const { ended } = startWriter(vault, { seed, from: expected.next, count: 1, killAt, withoutLinks });
      const { isKilled, reported } = await ended;
      if (isKilled) kills++;
      for (let index = 0; index < reported; index++) expected.advance();
      if (reported > 0) continue;
      // The process that recovers may be killed too, and the next one.
      if (random() < 0.4)
        await startWriter(vault, { seed, from: 0, count: 0, withoutLinks, killAt: 6 + Math.floor(random() * 20) })
          .ended;
      await checkAfter(vault, expected);
    }
    expect(kills).toBeGreaterThan(30);
    await checkAfter(vault, expected);
    await undoAll(vault, expected);
  });

  test("in the middle of a change that is written in batches, leaves it complete or rolled back", async () => {
    const vault = temporaryVault();
    const expected = new Expected(MANY_NOTES);
    let interrupted = 0;
    // From opening to the end of the change; steps that share no factor with those of a part.
    for (let killAt = 10; killAt < 4000; killAt += 149) {
      const { isKilled, reported } = await startWriter(vault, {
        seed: MANY_NOTES,
        from: expected.next,
        count: 1,
        killAt,
      }).ended;
      if (isKilled) interrupted++;
      for (let index = 0; index < reported; index++) expected.advance();
      if (reported === 0) await checkAfter(vault, expected);
    }
    expect(interrupted).toBeGreaterThan(5);
    expect(expected.next).toBeGreaterThan(3);
    await undoAll(vault, expected);
  });
});
