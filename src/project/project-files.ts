// Single files of a project, which may be anything (a link that leads out, a
// pipe that never ends, a gigabyte): their first bytes, their size and time, and
// a stamp that says whether a file is still the one that was read.
import { lstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { readBeginning as readFirst } from "../files/files.ts";

/** @returns undefined for anything but a regular file (links included), and for a file that cannot be read */
export function readBeginning(path: string, most: number): string | undefined {
  try {
    return readFirst(path, most).toString("utf8");
  } catch {
    return undefined;
  }
}

/** A string that changes with the file, without reading it; `-` if there is none. What is cached of a file is keyed by it. */
export function stampOf(path: string): string {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "-" : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
  } catch {
    // No permission: reading it will report that.
    return "?";
  }
}

export interface Measure {
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changed: number;
}

const FILES_PER_SLICE = 2000;

/** Sizes and times by path, without files that no longer exist. Works in slices, so that other calls are answered. */
export async function measureFiles(
  root: string,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, Measure>> {
  const measures = new Map<string, Measure>();
  for (let from = 0; from < paths.length; from += FILES_PER_SLICE) {
    if (from > 0) await setImmediate();
    signal?.throwIfAborted();
    for (const path of paths.slice(from, from + FILES_PER_SLICE)) {
      const measure = measureFile(`${root}/${path}`);
      if (measure !== undefined) measures.set(path, measure);
    }
  }
  return measures;
}

function measureFile(path: string): Measure | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? { bytes: stats.size, changed: stats.mtimeMs } : undefined;
  } catch {
    // A parent folder became a file, or may not be entered.
    return undefined;
  }
}
