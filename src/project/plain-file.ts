// Reads the beginning of a file of the project, which may be anything: a link
// that leads out, a pipe that never ends, a gigabyte.
import { readBeginning as readFirst } from "../files/files.ts";

/** Undefined for what is no plain file (a link is none) or may not be read. */
export function readBeginning(path: string, most: number): string | undefined {
  try {
    return readFirst(path, most).toString("utf8");
  } catch {
    return undefined;
  }
}
