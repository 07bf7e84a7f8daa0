// The files that transcripts name by a path, whole or by its end, in all projects:
// for a question about a file that is not below the folder it is asked from. Used
// by conversation-library.ts.
import { posix } from "node:path";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { comparableFolder } from "../ingest/projects/project-identity.ts";
import { prefixOf } from "../store/projects.ts";
import { comparableFile } from "./file-references.ts";

export interface RecordedFile {
  readonly path: string;
  /** Its path below the recorded root of its project; undefined if no project is known that has it. */
  readonly inProject: { readonly root: string; readonly path: string } | undefined;
}

/** Distinct spellings that are looked at, those of the newest conversations first. */
const MAX_SPELLINGS = 500;
const MAX_FILES = 20;

interface Place {
  readonly folder: string;
  readonly project: string;
  readonly root: string;
}

/** Returns the files whose recorded path is `sent` or ends in it, those of the newest conversations first. */
export function recordedFiles(database: IndexDatabase, sent: string): RecordedFile[] {
  const end = posix.normalize(sent.replaceAll("\\", "/")).replace(/^(?:\.\/|\/)+/, "");
  if (end === "" || end === "." || end.startsWith("../")) return [];
  const spellings = database.all(
    `SELECT path, folder, max(updated) AS newest FROM file JOIN conversation ON conversation.id = file.conversation
     WHERE is_listed AND (path = ? OR path LIKE ? ESCAPE '\\') GROUP BY path, folder ORDER BY newest DESC LIMIT ?`,
    end,
    `%/${end.replaceAll(/[%_\\]/g, String.raw`\$&`)}`,
    MAX_SPELLINGS,
  );
  const places = placesIn(database);
  const found = new Map<string, RecordedFile>();
  for (const { path, folder } of spellings) {
    const { key, file } = located(String(path), folder === null ? undefined : String(folder), places);
    if (isExact(sent, file.path) && !found.has(key)) found.set(key, file);
    if (found.size === MAX_FILES) break;
  }
  return [...found.values()];
}

/** Finds the file that a conversation in this folder names by a path. */
export function recordedFile(database: IndexDatabase, path: string, folder: string | undefined): RecordedFile {
  return located(path.replace(/^file:\/\//, ""), folder, placesIn(database)).file;
}

function placesIn(database: IndexDatabase): Place[] {
  return database.all("SELECT folder, project, root FROM place").map(({ folder, project, root }) => ({
    folder: String(folder),
    project: String(project),
    root: String(root),
  }));
}

/** An absolute path means that file alone. */
function isExact(sent: string, path: string): boolean {
  const asked = comparableFolder(sent);
  return !isAbsolute(asked) || asked === comparableFolder(path);
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[a-z]:\/)/i.test(path);
}

/** Finds the project of a path that a conversation in `folder` recorded. Clones and worktrees of a project have the same file. */
function located(
  path: string,
  folder: string | undefined,
  places: readonly Place[],
): { key: string; file: RecordedFile } {
  const base = folder === undefined ? undefined : comparableFolder(folder);
  const within = base === undefined ? path : posix.normalize(comparableFile(path, base));
  const own = places.find((place) => place.folder === folder);
  if (own !== undefined && !isAbsolute(within) && !within.startsWith("../"))
    return inProject(own, prefixOf(own.folder, own.root) + within);
  const absolute = comparableFolder(isAbsolute(within) || base === undefined ? path : posix.join(base, within));
  const holding = places
    .filter(({ root }) => absolute.startsWith(`${comparableFolder(root)}/`))
    .toSorted((a, b) => b.root.length - a.root.length)[0];
  if (holding !== undefined) return inProject(holding, absolute.slice(comparableFolder(holding.root).length + 1));
  return { key: absolute, file: { path: absolute, inProject: undefined } };
}

function inProject({ project, root }: Place, path: string): { key: string; file: RecordedFile } {
  return { key: `${project}\0${path}`, file: { path: posix.join(root, path), inProject: { root, path } } };
}
