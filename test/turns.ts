// How many test files run at a time: fewer on a busy machine. Each file takes a
// turn before its first test (test/each-file.ts), so the number follows the
// load during a run; no time limit counts while a file waits.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Vitest's default on two cores is one worker. Most tests wait for a process that
 * they have started, so that two would leave the cores idle for a part of the time.
 */
export const WORKERS = 4;

/** Processes that wait for each core before fewer files run at a time; a quiet machine has two to three. */
const BUSY = 4;

/** Linux and macOS know their load; elsewhere it is 0. */
export const filesAtATime = (load = loadavg()[0]!, cores = availableParallelism()): number =>
  load > BUSY * cores ? WORKERS / 2 : WORKERS;

/** The process of the whole run is the parent of those of its files. */
const turnFile = (turn: number) => join(tmpdir(), `commonplace-turn-${process.ppid}-${turn}`);

/** Waits until a turn is free. @returns what ends it */
export async function takeTurn(): Promise<() => void> {
  for (;;) {
    for (let turn = 0; turn < filesAtATime(); turn++) {
      const file = turnFile(turn);
      if (isTaken(file)) continue;
      return () => rmSync(file, { force: true });
    }
    await pause(200);
  }
}

/** Takes it, unless a process has it that is still there. */
function isTaken(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid}`, { flag: "wx" });
    return false;
  } catch {
    if (!isOver(file)) return true;
    rmSync(file, { force: true });
    return isTaken(file);
  }
}

function isOver(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    // Just being written, or of this process, whose file before this one is over.
    if (pid === 0) return false;
    if (pid === process.pid) return true;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return ["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}
