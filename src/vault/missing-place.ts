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
export async function missingPlaces(vault: Vault, sent: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const missing = new Map<string, string>();
  for (const path of sent) {
    if (await isPlace(vault, path)) continue;
    const hint = await hintForPlace(vault, await resolveDay(vault, path));
    missing.set(path, `There is no note or folder '${shortened(path)}'. ${hint}`);
  }
  return missing;
}

async function isPlace(vault: Vault, sent: string): Promise<boolean> {
  try {
    const path = parseFolderPath(await resolveDay(vault, sent));
    if (path === "") return true;
    for (const each of [path, `${path}.md` as typeof path])
      if ((await vault.root.locate(each)).kind !== "absent") return true;
    return false;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

export async function hintForPlace(vault: Vault, sent: string): Promise<string> {
  const folder = await meantFolder(vault, parseFolderPath(sent));
  if (folder.near !== undefined) return `Did you mean '${folder.near}'?`;
  const notes = await nearNotes(vault, parseNotePath(sent));
  return notes.length === 0
    ? howToList(folder.above)
    : `Did you mean ${notes.map((path) => `'${path}'`).join(" or ")}?`;
}
