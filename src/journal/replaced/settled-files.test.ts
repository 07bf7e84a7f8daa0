import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type FileStats, parseVaultPath } from "../../files/files.ts";
import { temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { KnownFiles, settledFiles } from "./settled-files.ts";

const NOTE = parseVaultPath("note.md");
const OLD = "old and long\n";

afterEach(() => void vi.restoreAllMocks());

test("a file is known by its size and its time together", () => {
  const known = new KnownFiles();
  const stats = (size: bigint, mtimeNs: bigint) => ({ dev: 1n, ino: 2n, size, mtimeNs }) as FileStats;
  known.add(stats(10n, 20n));
  expect([stats(10n, 20n), stats(11n, 20n), stats(10n, 21n)].map((one) => known.has(one))).toEqual([
    true,
    false,
    false,
  ]);
});

/** A note that was read when it rested, under a clock that only the test moves. */
async function restingNote(hasLeft = false) {
  const vault = temporaryVault();
  const clock = { now: 0 };
  vi.spyOn(Date, "now").mockImplementation(() => clock.now);
  vi.spyOn(performance, "now").mockImplementation(() => clock.now);
  const reads: string[] = [];
  const note = {
    clock,
    reads,
    afterRead: () => {},
    write: (text: string) => vault.write(NOTE, text),
    setModified: (time: number) => utimesSync(join(vault.folder, NOTE), time / 1_000, time / 1_000),
    /** Sets the clock to so many milliseconds after the last write. */
    setAge: (age: number) => {
      clock.now = Math.floor(statSync(join(vault.folder, NOTE)).ctimeMs) + age;
    },
    read: async () => (await settled.read(NOTE))?.bytes.toString(),
    /** Begins to read, and returns once the reader waits. */
    begin: async () => {
      reads.length = 0;
      const reading = note.read();
      while (reads.length < 3) await pause(1);
      return { reading };
    },
  };
  const read: typeof vault.files.read = async (...asked) => {
    const content = await vault.files.read(...asked);
    reads.push(String(content?.bytes));
    note.afterRead();
    return content;
  };
  const settled = settledFiles({ ...vault.files, read }, new KnownFiles(), () => hasLeft);
  note.write(OLD);
  note.setAge(20);
  expect(await note.read()).toBe(OLD);
  return note;
}

describe("a note that another program has", () => {
  test.each([
    ["emptied", "", 0],
    ["emptied", "", 699],
    ["written in part", "old", 0],
    ["written in part", "old", 699],
  ])("%s is read once its text is there", async (_, part, age) => {
    const note = await restingNote();
    note.write(part);
    note.setAge(age);
    const { reading } = await note.begin();
    note.write("their new and longer text\n");
    note.setAge(20);
    expect(await reading).toBe("their new and longer text\n");
  });

  test.each(["", "old"])("left as '%s' for 0.7 s is read so", async (text) => {
    const note = await restingNote();
    note.write(text);
    note.setAge(700);
    expect(await note.read()).toBe(text);
  });

  test("lengthened is read after 20 ms, and then at once", async () => {
    const note = await restingNote();
    note.write(`${OLD}more\n`);
    note.setAge(19);
    const { reading } = await note.begin();
    note.setAge(20);
    expect(await reading).toBe(`${OLD}more\n`);
    note.setAge(0);
    note.reads.length = 0;
    expect(await note.read()).toBe(`${OLD}more\n`);
    expect(note.reads).toHaveLength(1);
  });

  test("dated in the future is read once it has stayed the same for 20 ms", async () => {
    const note = await restingNote();
    note.write(`${OLD}more\n`);
    note.setAge(0);
    note.setModified(note.clock.now + 3_600_000);
    const { reading } = await note.begin();
    note.clock.now += 20;
    expect(await reading).toBe(`${OLD}more\n`);
  });

  test("written again and again is read after 0.9 s", async () => {
    const note = await restingNote();
    note.setAge(0);
    const began = note.clock.now;
    // Each read takes 100 ms, and the note is written at its end.
    const write = () => {
      note.write(`${OLD}${note.reads.length}\n`);
      note.setModified(note.clock.now + 100);
    };
    write();
    note.afterRead = () => {
      note.clock.now += 100;
      write();
    };
    note.reads.length = 0;
    await note.read();
    expect([note.clock.now - began, note.reads.length]).toEqual([900, 9]);
  });

  test("given a text that a change has left is read at once, unless that is empty", async () => {
    const note = await restingNote(true);
    note.write("left by a change\n");
    note.setAge(0);
    expect(await note.read()).toBe("left by a change\n");
    note.write("");
    note.setAge(0);
    const { reading } = await note.begin();
    note.setAge(700);
    expect(await reading).toBe("");
  });
});
