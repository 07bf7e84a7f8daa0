// Finds the folders of conversations that belong to a project, whatever the project was
// called at the time. Used for scores, filters and touched files.
import { existsSync } from "node:fs";
import { nameIn, nearest } from "../../kernel/kernel.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { type Place, placeOf } from "../ingest/projects/project-folders.ts";
import { comparableFolder } from "../ingest/projects/project-identity.ts";

/** A folder of conversations, and its path below the root of its project. */
export interface ProjectFolder {
  readonly folder: string;
  /** With a slash at its end; empty for the root. */
  readonly prefix: string;
}

/** The project of a folder of this machine; undefined on a server, whose disk is no matter of its members. */
export type PlaceAt = (folder: string) => Place | undefined;

export function foldersOfProject(
  database: IndexDatabase,
  projectFolder: string,
  placeAt: PlaceAt = placeOf,
): ProjectFolder[] {
  const here = placeAt(projectFolder);
  if (here === undefined) return [];
  return database
    .all("SELECT folder, project, root, inode FROM place")
    .filter(({ project, root, inode }) => {
      if (project === here.project || root === here.root) return true;
      // Without a repository, a subfolder belongs to the folder, unless it is a repository of its own.
      if (isPlain(here.project) && isPlain(project) && String(root).startsWith(`${here.root}/`)) return true;
      // Renamed: same inode, and the old path is gone. An inode alone may have been reused.
      return inode !== null && inode === here.inode && !existsSync(String(root));
    })
    .map(({ folder, root }) => ({ folder: String(folder), prefix: prefixOf(String(folder), String(root)) }));
}

/** Projects by the name that results give them, else by the end of their path or address, else by their folder. */
export function foldersOfProjectNamed(database: IndexDatabase, name: string, placeAt?: PlaceAt): ProjectFolder[] {
  const wanted = name.toLowerCase().replace(/(?<!\/)\/+$/, "");
  const places = database.all("SELECT folder, project, root, name FROM place");
  const named = places.filter((place) => String(place["name"]).toLowerCase() === wanted);
  const ending = places.filter(({ project, root }) =>
    [String(root), String(project).replace(/^\w+:/, "")].some((one) => {
      const path = one.toLowerCase();
      return path === wanted || path.endsWith(`/${wanted}`);
    }),
  );
  if (named.length + ending.length === 0) return foldersOfProject(database, name, placeAt);
  return (named.length > 0 ? named : ending).map(({ folder, root }) => ({
    folder: String(folder),
    prefix: prefixOf(String(folder), String(root)),
  }));
}

/** The project with this name or folder, as conversations know it. */
export interface NamedProject {
  readonly folders: readonly ProjectFolder[];
  /** The folders of its clones that are there. */
  readonly roots: readonly string[];
  /** If none is known: the most similar names. */
  readonly similar: readonly string[];
}

export function projectNamed(database: IndexDatabase, name: string): NamedProject {
  const folders = foldersOfProjectNamed(database, name);
  const roots = new Set(folders.flatMap(({ folder }) => [placeOf(folder).root, folder].find(existsSync) ?? []));
  return { folders, roots: [...roots], similar: folders.length === 0 ? similarNames(database, name) : [] };
}

const MAX_SIMILAR = 3;

export function similarNames(database: IndexDatabase, name: string): string[] {
  const wanted = name.toLowerCase();
  const rows = database.all("SELECT DISTINCT name FROM place WHERE name IS NOT NULL ORDER BY name");
  const names = rows.map((row) => String(row["name"]));
  const parts = names.filter((one) => one.toLowerCase().includes(wanted) || wanted.includes(one.toLowerCase()));
  // Of "work/shop" and "old/shop", either may be meant.
  const typed = names.filter((one) => nearest(wanted, [one, nameIn(one)]) !== undefined);
  return [...new Set([...typed, ...parts])].slice(0, MAX_SIMILAR);
}

function isPlain(project: unknown): boolean {
  return String(project).startsWith("path:");
}

/** The path of a folder below the root of its project, with a slash at its end. */
export function prefixOf(folder: string, root: string): string {
  const path = comparableFolder(folder);
  return path.startsWith(`${root}/`) && !path.includes("/.worktrees/") && !path.includes("/.claude/worktrees/")
    ? `${path.slice(root.length + 1)}/`
    : "";
}
