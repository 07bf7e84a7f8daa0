// The note, file or folder that a search, a list or a report is about: whatever
// reads take for a note, and folders in any spelling. What it returns is spelled as
// the disk has it, as are the paths in the index. If there is none, what to say of it.
// Used by searches, lists of tasks, reports of links and the history.
import { comparable, parseFolderPath, parseNotePath, type VaultPath } from "../files/files.ts";
import { Problem, shortened } from "../kernel/kernel.ts";
import { howToList, meantFolder } from "./missing-folder.ts";
import { meantNote } from "./notes/link-targets.ts";
import { missingNote, nearNotes } from "./notes/missing-note.ts";
import { dayAt, existingNotePath } from "./notes/note-paths.ts";
import { isPattern, pathMatcher } from "./path-patterns.ts";
import type { Vault } from "./vault.ts";

export interface Place {
  readonly path: VaultPath;
  readonly kind: "file" | "folder";
}

/** Undefined if there is none. Throws if several notes may be meant, and for a path that is refused. */
export async function meantPlace(vault: Vault, sent: string): Promise<Place | undefined> {
  const day = await dayAt(vault, sent);
  if (day !== undefined) return placeAt(vault, day.path);
  const isLink = /^!?\[\[/.test(sent);
  const folder = isLink ? undefined : parseFolderPath(sent);
  const exact = folder === undefined ? undefined : await placeAt(vault, folder);
  if (exact !== undefined) return exact;
  const { path } = await meantNote(vault, sent);
  // Brackets that no note has are no part of a path.
  const note = isLink && path === sent ? undefined : await placeAt(vault, await existingNotePath(vault, path));
  return note ?? (folder === undefined ? undefined : await folderInAnotherCase(vault, folder));
}

async function placeAt(vault: Vault, sent: VaultPath): Promise<Place | undefined> {
  const { path, kind } = await vault.root.locate(sent);
  return kind === "file" || kind === "folder" ? { path: path as VaultPath, kind } : undefined;
}

/** The only folder of that name, whatever its case. */
async function folderInAnotherCase(vault: Vault, folder: VaultPath): Promise<Place | undefined> {
  const wanted = `${comparable(folder, { ignoreCase: true })}/`;
  const depth = wanted.split("/").length - 1;
  const found = new Set<string>();
  for (const path of (await vault.index.paths()).answer)
    if (comparable(path, { ignoreCase: true }).startsWith(wanted)) found.add(path.split("/", depth).join("/"));
  const [only] = found;
  return found.size === 1 ? { path: only as VaultPath, kind: "folder" } : undefined;
}

/** Tests for paths at a place or below it; of a folder, also the note beside it that has its name. */
export function isWithin({ path, kind }: Place): (other: string) => boolean {
  if (path === "") return () => true;
  if (kind === "file") return (other) => other === path;
  return (other) => other === path || other === `${path}.md` || other.startsWith(`${path}/`);
}

/** The problem for a place that does not exist. */
export async function missingPlace(vault: Vault, sent: string): Promise<Problem> {
  if ((await dayAt(vault, sent)) !== undefined) return missingNote(vault, sent);
  return new Problem("not_found", `File not found: ${sent}`, await hintForPlace(vault, sent));
}

interface Searched {
  readonly path: string;
  /** Of a pattern: the files that it means, instead of the path. */
  readonly files?: readonly string[];
  readonly missing?: string;
}

/** For a search, which finds nothing where there is nothing: the place, or a sentence that says so. */
export async function searchedPlace(vault: Vault, sent: string): Promise<Searched> {
  try {
    const place = await placeNamed(vault, sent);
    if (place !== undefined) return { path: place.path };
    if (isPattern(sent)) {
      const files = (await vault.index.paths()).answer.filter(pathMatcher(sent));
      if (files.length > 0) return { path: sent, files };
      return { path: sent, files, missing: `No note or folder matches '${shortened(sent)}'.` };
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code !== "not_found") return { path: sent, missing: `${noPlace(sent)} ${error.message}` };
  }
  const { hint = "" } = await missingPlace(vault, sent);
  return { path: sent, missing: `${noPlace(sent)} ${hint}`.trim() };
}

/** Of a pattern: a file or folder with stars in its name. Not every system can have one. */
async function placeNamed(vault: Vault, sent: string): Promise<Place | undefined> {
  if (!isPattern(sent)) return meantPlace(vault, sent);
  try {
    return await placeAt(vault, parseFolderPath(sent));
  } catch (error) {
    if (error instanceof Problem && error.code === "invalid") return undefined;
    throw error;
  }
}

function noPlace(sent: string): string {
  return `There is no note or folder '${shortened(sent)}'.`;
}

async function hintForPlace(vault: Vault, sent: string): Promise<string> {
  const place = sent.replace(/^!?\[\[|\]\]$/g, "");
  const folder = await meantFolder(vault, parseFolderPath(place));
  if (folder.near !== undefined) return `Did you mean '${folder.near}'?`;
  const notes = await nearNotes(vault, parseNotePath(place));
  return notes.length === 0
    ? howToList(folder.above)
    : `Did you mean ${notes.map((path) => `'${path}'`).join(" or ")}?`;
}
