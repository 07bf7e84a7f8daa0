// Tells whether a file is still the one that was read: what is kept of it is
// tied to its stamp.
import { lstatSync } from "node:fs";

/** What a file is, as far as one can tell without reading it; `-` where there is none. */
export function stampOf(path: string): string {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "-" : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
  } catch {
    // It may not be looked at: whoever reads it hears that.
    return "?";
  }
}
