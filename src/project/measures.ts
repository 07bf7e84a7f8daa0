// Sizes and times of files, looked up in slices so that other calls are
// answered meanwhile.
import { lstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

export interface Measure {
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changed: number;
}

const FILES_A_SLICE = 2000;

/** By path; what is gone meanwhile, or no file any more, is missing. */
export async function measureFiles(
  root: string,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, Measure>> {
  const measures = new Map<string, Measure>();
  for (let from = 0; from < paths.length; from += FILES_A_SLICE) {
    if (from > 0) await setImmediate();
    signal?.throwIfAborted();
    for (const path of paths.slice(from, from + FILES_A_SLICE)) {
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
    // A folder on the way became a file, or may not be entered.
    return undefined;
  }
}
