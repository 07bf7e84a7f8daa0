// Memory under several processes, kill -9, a full disk and a read-only one.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { filesIn } from "../../src/memory/log/log-transfer.ts";
import { memoryPlaces } from "../../src/memory/log/log-places.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { bundled, NODE } from "../processes/child.ts";
import { callIn, everythingIn, newMemory, type TestMemory } from "../fixtures/memories.ts";
import type { Orders } from "./children/trace-writer.ts";
import { mountSmallDisk, unmountAll } from "../fixtures/small-disk.ts";

const TRACE_WRITER = bundled(join(import.meta.dirname, "children", "trace-writer.ts"));

function start({ home, vaultFolder }: TestMemory, name: string, count: number, more: Partial<Orders> = {}) {
  const orders: Orders = { home, vaultFolder, name, count, ...more };
  const child = spawn(NODE, [...TRACE_WRITER, JSON.stringify(orders)]);
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close").then(() => {
    expect(errors).toBe("");
    return output.split("\n").filter((line) => /^\d+$/.test(line)).length;
  });
  return { child, ended, isReady: () => output.includes("ready") };
}

test("several processes append to one file, and no line of theirs is lost or mixed", async () => {
  const memory = newMemory();
  const names = ["a", "b", "c", "d"];
  const count = 400;
  await Promise.all(names.map((name) => start(memory, name, count).ended));
  const [file, ...others] = readdirSync(memory.logFolder);
  expect(others).toEqual([]);
  // A line that was just being written is not reported as torn.
  expect(readFileSync(join(memory.logFolder, file!), "utf8")).not.toMatch(/^\n|\n\n/);
  const lines = memory.lines().map((line) => JSON.parse(line) as { type: string; session: string; why: string });
  for (const name of names) {
    const own = lines.filter(({ type, session }) => type === "trace" && session === name);
    expect(own.map(({ why }) => why.split(" ")[1])).toEqual(Array.from({ length: count }, (_, i) => String(i)));
  }
  // They have folded while they wrote; from nothing it is the same.
  const [shared, rebuilt] = [memory.index("cache"), memory.index("from nothing")];
  await shared.refresh();
  await rebuilt.refresh();
  expect(everythingIn(shared)).toEqual(everythingIn(rebuilt));
  expect(rebuilt.traces({ limit: 10_000 })).toHaveLength(names.length * count);
});

test(
  "a process that is killed while it appends harms no line but its last, and what it reported is there",
  CAMPAIGN,
  async () => {
    const memory = newMemory();
    let reported = 0;
    let next = 1;
    const random = () => (next = (next * 48_271) % 2_147_483_647) / 2_147_483_647;
    const rounds = repeats({ short: 10, long: 150 });
    for (let round = 0; round < rounds; round++) {
      const [one, two] = [start(memory, `one ${round}`, 100_000), start(memory, `two ${round}`, 100_000)];
      while (!one.isReady() || !two.isReady()) await pause(2);
      await pause(random() * 40);
      one.child.kill("SIGKILL");
      two.child.kill("SIGKILL");
      reported += (await one.ended) + (await two.ended);
    }
    const lines = readFileSync(join(memory.logFolder, readdirSync(memory.logFolder)[0]!), "utf8").split("\n");
    const torn = lines.filter((line) => {
      try {
        return line !== "" && JSON.parse(line) === undefined;
      } catch {
        return true;
      }
    });
    expect(torn.length).toBeLessThanOrEqual(rounds * 2);
    const [shared, rebuilt] = [memory.index("cache"), memory.index("from nothing")];
    await shared.refresh();
    await rebuilt.refresh();
    const all = everythingIn(rebuilt);
    expect(everythingIn(shared)).toEqual(all);
    expect(all.traces.length).toBeGreaterThanOrEqual(reported);
    expect(reported).toBeGreaterThan(rounds * 2);
  },
);

/** The lines in both places where the log may be. */
function linesIn({ home, vaultFolder }: TestMemory) {
  const { log, other } = memoryPlaces({ memory: "vault", vaultFolder, dataFolder: join(home, "data") });
  return [log, other].flatMap(({ path }) =>
    filesIn({ path, isInVault: false }).flatMap((file) => readFileSync(join(path, file), "utf8").split("\n")),
  );
}

/** Which traces of a writer are there, by their numbers. */
function tracesOf(lines: readonly string[], name: string): Set<string> {
  const traces = lines
    .filter((line) => line.includes('"trace"') && line.includes(`"${name} `) && line.endsWith("}"))
    .map((line) => JSON.parse(line) as { session: string; why: string });
  return new Set(traces.filter(({ session }) => session === name).map(({ why }) => why.split(" ")[1]!));
}

test("several processes append and move the log in opposite directions, and no line is lost", async () => {
  const memory = newMemory();
  const count = 120;
  const writers = [
    { name: "v", memory: "vault", carries: true },
    { name: "h", memory: "home", carries: true },
    { name: "a", memory: "vault" },
    { name: "b", memory: "home" },
  ] as const;
  await Promise.all(writers.map(({ name, ...more }) => start(memory, name, count, more).ended));
  const lines = linesIn(memory);
  for (const { name } of writers) expect(tracesOf(lines, name).size).toBe(count);
  // They have folded while the files came and went; from nothing it is the same.
  const places = memoryPlaces({
    memory: "home",
    vaultFolder: memory.vaultFolder,
    dataFolder: join(memory.home, "data"),
  });
  const [shared, rebuilt] = ["cache", "from nothing"].map((cache) => memory.index(cache, places));
  await shared!.refresh();
  await rebuilt!.refresh();
  expect(everythingIn(shared!)).toEqual(everythingIn(rebuilt!));
  expect(rebuilt!.traces({ limit: 10_000 })).toHaveLength(writers.length * count);
});

test("a process that is killed while it moves the log loses no line that was reported", CAMPAIGN, async () => {
  const memory = newMemory();
  let next = 7;
  const random = () => (next = (next * 48_271) % 2_147_483_647) / 2_147_483_647;
  const rounds = repeats({ short: 10, long: 150 });
  const reported = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const choices = ["vault", "home"] as const;
    const running = choices.map((choice) => ({
      name: `${choice}${round}`,
      ...start(memory, `${choice}${round}`, 100_000, { memory: choice, carries: true }),
    }));
    while (!running.every(({ isReady }) => isReady())) await pause(2);
    await pause(random() * 60);
    for (const { child } of running) child.kill("SIGKILL");
    for (const { name, ended } of running) reported.set(name, await ended);
  }
  const lines = linesIn(memory);
  for (const [name, count] of reported) expect(tracesOf(lines, name).size, name).toBeGreaterThanOrEqual(count);
  expect([...reported.values()].reduce((a, b) => a + b)).toBeGreaterThan(rounds);
  // What was left half-way is carried by the next one, and nothing stays behind.
  const last = start(memory, "last", 1, { memory: "home", carries: true });
  expect(await last.ended).toBe(1);
  expect(existsSync(join(memory.vaultFolder, ".commonplace"))).toBe(false);
  expect(tracesOf(linesIn(memory), "last").size).toBe(1);
  for (const [name, count] of reported) expect(tracesOf(linesIn(memory), name).size).toBeGreaterThanOrEqual(count);
});

const disk = join(newMemory().home, "small disk");
const hasDisk = mountSmallDisk(disk, 1);
afterAll(unmountAll);

describe.skipIf(!hasDisk)("on a small disk (needs permission to mount one)", () => {
  test("a full disk stores no trace, which is reported, and the next one is complete when there is room", async () => {
    const memory = newMemory();
    const folder = join(disk, "memory");
    const places = { ...memory.places, log: { path: folder, isInVault: false } };
    const open = memory.open("one", { places });
    expect(open.leaveTrace(callIn("s"))).toBeUndefined();
    await open.close();
    writeFileSync(join(disk, "filler"), "");
    let room = 1_100_000;
    while (room > 16) {
      try {
        writeFileSync(join(disk, "filler"), "x".repeat(room), { flag: "a" });
      } catch {
        room = Math.floor(room / 2);
      }
    }
    const again = memory.open("one", { places });
    // The last page of the file may still have room for some lines.
    const answers = Array.from({ length: 200 }, () => again.leaveTrace(callIn("s", { why: "word ".repeat(30) })));
    expect(answers.at(-1)).toBe("This call left no trace in memory: its disk is full.");
    await expect(again.say("session", "s", { name: "x".repeat(9000) })).rejects.toThrow(
      "Memory could not be written: its disk is full.",
    );
    writeFileSync(join(disk, "filler"), "");
    expect(again.leaveTrace(callIn("s", { why: "after all" }))).toBeUndefined();
    await again.close();
    const lines = readFileSync(join(folder, readdirSync(folder)[0]!), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.some((line) => line.startsWith("{") && line.includes('"after all"') && JSON.parse(line))).toBe(true);
  });

  test("a disk that became read-only stores no trace, which is reported", () => {
    const memory = newMemory();
    mkdirSync(join(disk, "later"));
    const places = { ...memory.places, log: { path: join(disk, "later"), isInVault: false } };
    const open = memory.open("one", { places });
    execFileSync("mount", ["-o", "remount,ro", disk]);
    try {
      expect(open.leaveTrace(callIn("s"))).toBe("This call left no trace in memory: its disk is read-only.");
    } finally {
      execFileSync("mount", ["-o", "remount,rw", disk]);
    }
  });
});
