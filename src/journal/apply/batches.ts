// In how many parts a change is written. The journal writes the new content of
// all files beside them before it replaces the first one, so that a full disk
// changes nothing. Of very many files it does so part by part where the disk has
// ample room: see PART.
import { statfsSync } from "node:fs";
import type { Planned } from "../plan/plan.ts";

/**
 * Contents that are written before the first of them is put in place. Each
 * replaced file frees its number, and ext4 without a journal of its own looks at
 * every number that was freed lately before it gives one to a new file: with all
 * of 10,000 files at once, undo of a change took twice the time of the change
 * and redo twice that again (8.9 s, against 3.3 s in parts).
 */
const PART = 64;
/** Fewer files are written at once on any disk. */
const MANY = 4 * PART;
/** What a file takes on the disk at least, and what is to be left for others. */
const BLOCK = 4096;
const RESERVE = 64 * 1024 * 1024;

/** The actions in their order, in parts that are written one after the other. */
export function batchesOf(folder: string, planned: readonly Planned[]): readonly (readonly Planned[])[] {
  const contents = planned.filter(({ bytes }) => bytes !== undefined);
  if (contents.length < MANY || !hasAmpleRoom(folder, contents)) return [planned];
  const batches: Planned[][] = [[]];
  let written = 0;
  for (const one of planned) {
    if (one.bytes !== undefined && written++ % PART === 0 && written > 1) batches.push([]);
    batches.at(-1)!.push(one);
  }
  return batches;
}

/** Room for the new content of all files twice: each is written while the old one is still there, then taken back perhaps. */
function hasAmpleRoom(folder: string, contents: readonly Planned[]): boolean {
  let needed = RESERVE;
  for (const { bytes, replaces } of contents) {
    const size = replaces === undefined ? bytes!().length : Number(replaces.stats.size);
    needed += 2 * (size + BLOCK);
  }
  try {
    const { bavail, bsize, ffree } = statfsSync(folder);
    return bavail * bsize > needed && ffree > 2 * contents.length;
  } catch {
    return false;
  }
}
