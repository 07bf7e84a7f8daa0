// Which folders of conversations belong to a project, whatever the project was
// called at the time. Used for scores, filters and touched files.
import { existsSync } from "node:fs";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { placeOf } from "../ingest/projects/project-folders.ts";
import { comparableFolder } from "../ingest/projects/project-identity.ts";

/** A folder of conversations, and its path below the root of its project. */
export interface ProjectFolder {
  readonly folder: string;
  /** With a slash at its end; empty for the root. */
  readonly prefix: string;
}

export function foldersOfProject(database: IndexDatabase, projectFolder: string): ProjectFolder[] {
  const here = placeOf(projectFolder);
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

/** Projects by the name that results give them, else by the end of their path or address. */
export function foldersOfProjectNamed(database: IndexDatabase, name: string): ProjectFolder[] {
  const wanted = name.toLowerCase().replace(/\/+$/, "");
  const places = database.all("SELECT folder, project, root, name FROM place");
  const named = places.filter((place) => String(place["name"]).toLowerCase() === wanted);
  const ending = places.filter(({ project, root }) =>
    [String(root), String(project).replace(/^\w+:/, "")].some((one) => {
      const path = one.toLowerCase();
      return path === wanted || path.endsWith(`/${wanted}`);
    }),
  );
  return (named.length > 0 ? named : ending).map(({ folder, root }) => ({
    folder: String(folder),
    prefix: prefixOf(String(folder), String(root)),
  }));
}

function isPlain(project: unknown): boolean {
  return String(project).startsWith("path:");
}

function prefixOf(folder: string, root: string): string {
  const path = comparableFolder(folder);
  return path.startsWith(`${root}/`) && !path.includes("/.worktrees/") && !path.includes("/.claude/worktrees/")
    ? `${path.slice(root.length + 1)}/`
    : "";
}
