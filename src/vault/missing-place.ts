// What to say of a place to search in that does not exist: the folder or note that
// may have been meant, or a call that lists what is there. Used by searches and
// lists of tasks, which would only find nothing.
import { parseFolderPath, parseNotePath } from "../files/files.ts";
import { Problem, shortened } from "../kernel/kernel.ts";
import { howToList, meantFolder } from "./missing-folder.ts";
import { nearNotes } from "./notes/missing-note.ts";
import { resolveDay } from "./notes/note-paths.ts";
import type { Vault } from "./vault.ts";

/** A sentence for each path where a search has nothing to look in: no folder, and no note with or without its extension. */
export function missingPlaces(vault: Vault, sent: readonly string[]): ReadonlyMap<string, string> {
  const missing = sent.filter((path) => !isPlace(vault, path));
  return new Map(
    missing.map((path) => [
      path,
      `There is no note or folder '${shortened(path)}'. ${hintForPlace(vault, resolveDay(vault, path))}`,
    ]),
  );
}

function isPlace(vault: Vault, sent: string): boolean {
  try {
    const path = parseFolderPath(resolveDay(vault, sent));
    return path === "" || [path, `${path}.md` as typeof path].some((each) => vault.root.locate(each).kind !== "absent");
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

export function hintForPlace(vault: Vault, sent: string): string {
  const folder = meantFolder(vault, parseFolderPath(sent));
  if (folder.near !== undefined) return `Did you mean '${folder.near}'?`;
  const notes = nearNotes(vault, parseNotePath(sent));
  return notes.length === 0
    ? howToList(folder.above)
    : `Did you mean ${notes.map((path) => `'${path}'`).join(" or ")}?`;
}
