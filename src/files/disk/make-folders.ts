// Creates a folder with those above it. Used for folders that a person named, and
// for those of other programs; our own have modes (own/own-files.ts).
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { asProblem, codeOf } from "./system-errors.ts";

/**
 * One folder after the other: Node's own recursive mkdir never returns where the system says that a folder in an
 * existing one is missing, as Linux does below /proc (Node 24.21).
 * @returns the outermost folder that was created; undefined if all exist
 */
export function makeFolders(path: string): string | undefined {
  const missing: string[] = [];
  for (let at = path; !isFolder(at); at = dirname(at)) missing.unshift(at);
  let outermost: string | undefined;
  for (const folder of missing)
    try {
      mkdirSync(folder);
      outermost ??= folder;
    } catch (error) {
      // Another process may have created it first.
      if (codeOf(error) !== "EEXIST" || !isFolder(folder)) throw asProblem(error, folder);
    }
  return outermost;
}

/** The root counts as one: it has nothing above it. */
function isFolder(path: string): boolean {
  try {
    return path === dirname(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw asProblem(error, path);
  }
}
