// Reads the beginning of a file of the project, which may be anything: a link
// that leads out, a pipe that never ends, a gigabyte.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Undefined for what is no plain file (a link is none) or may not be read. */
export function readBeginning(path: string, most: number): string | undefined {
  let file: number | undefined;
  try {
    // Windows knows neither of the two.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(most, stats.size));
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
