// The real path of a folder, also of one that lies very deep. The C library
// asks about each folder of a path with the whole path up to it: at 900 folders
// that takes 20 ms a time, for which a vault would be locked by the minute.
import { closeSync, constants, openSync, readlinkSync, realpathSync } from "node:fs";
import { sep } from "node:path";

/** From so many folders on, the other way is faster. */
const DEEP = 40;

/** Throws what the system says where nothing is there. */
export function realPath(path: string): string {
  const isDeep = process.platform === "linux" && path.split(sep, DEEP).length === DEEP;
  return (isDeep ? openedPath(path) : undefined) ?? realpathSync.native(path);
}

function openedPath(path: string): string | undefined {
  let folder: number | undefined;
  try {
    folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    return openedAt(folder);
  } catch {
    // No folder, or no right to read it: the C library has the proper answer.
    return undefined;
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** The real path of what is open, whatever happened to it since. Only Linux tells. */
export function openedAt(file: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const told = readlinkSync(`/proc/self/fd/${file}`);
    // What was just removed, or is outside of what this process sees, is told otherwise.
    return told.startsWith("/") && !told.endsWith(" (deleted)") ? told : undefined;
  } catch {
    return undefined;
  }
}
