// Finds the project of a folder, as the disk is now; the rules are in
// project-identity.ts. Used by refresh.ts for the folders of conversations, and
// for the project that a question comes from.
import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { identityAt, readText, realPath } from "../../../files/files.ts";
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import { projectNames } from "../../store/project-names.ts";
import { comparableFolder, remoteIn, repositoryOfWorktree, withoutWorktree } from "./project-identity.ts";

export interface Place {
  /** As conversations have it. */
  readonly folder: string;
  /** The same for all clones, worktrees and subfolders of a project. */
  readonly project: string;
  /** The repository's root, or the folder itself. */
  readonly root: string;
  /** Of the root: a renamed folder keeps it. Undefined if the folder does not exist. */
  readonly inode: string | undefined;
}

/** All folders of conversations, and which of them have a place already. */
export function foldersToPlace(database: IndexDatabase): {
  readonly folders: readonly string[];
  readonly isPlaced: (folder: string) => boolean;
} {
  const folders = database.all("SELECT DISTINCT folder FROM conversation WHERE folder IS NOT NULL");
  const placed = new Set(database.all("SELECT folder FROM place").map(({ folder }) => String(folder)));
  return { folders: folders.map(({ folder }) => String(folder)), isPlaced: (folder) => placed.has(folder) };
}

export function writePlaces(database: IndexDatabase, places: readonly Place[]): void {
  for (const { folder, project, root, inode } of places)
    database.run(
      `INSERT INTO place (folder, project, root, inode) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET project = excluded.project, root = excluded.root, inode = excluded.inode`,
      folder,
      project,
      root,
      inode ?? null,
    );
}

/** After places were written: worktrees that are gone get their repository, and every project its name. */
export function completePlaces(database: IndexDatabase): void {
  const places = database.all("SELECT folder, project, root, inode, name FROM place").map((row) => ({
    folder: String(row["folder"]),
    project: String(row["project"]),
    root: String(row["root"]),
    isGone: row["inode"] === null,
    name: row["name"],
  }));
  for (const place of places) {
    const name = place.isGone ? repositoryOfWorktree(place.root) : undefined;
    if (name === undefined) continue;
    const owners = places.filter(({ root }) => root.endsWith(`/${name}`) && repositoryOfWorktree(root) === undefined);
    if (new Set(owners.map(({ project }) => project)).size === 1)
      Object.assign(place, { project: owners[0]!.project, root: owners[0]!.root, name: undefined });
  }
  const names = projectNames(places.map(({ project }) => project));
  for (const { folder, project, root, name } of places)
    if (name !== names.get(project))
      database.run(
        "UPDATE place SET project = ?, root = ?, name = ? WHERE folder = ?",
        project,
        root,
        names.get(project)!,
        folder,
      );
}

export function placeOf(folder: string): Place {
  const real = realFolder(folder);
  if (real === undefined) {
    const root = withoutWorktree(comparableFolder(folder));
    return { folder, project: `path:${root}`, root, inode: undefined };
  }
  const repository = repositoryOf(real);
  const root = repository?.root ?? real;
  const inode = identityAt(root);
  const path = comparableFolder(root);
  if (repository === undefined) return { folder, project: `path:${path}`, root: path, inode };
  const remote = remoteIn(textAt(join(repository.git, "config")) ?? "");
  return { folder, project: remote === undefined ? `root:${path}` : `git:${remote}`, root: path, inode };
}

function realFolder(folder: string): string | undefined {
  try {
    return realPath(folder);
  } catch {
    return undefined;
  }
}

/** The repository of a folder: its root (for a worktree that of the main one), and the folder of its config. */
function repositoryOf(folder: string): { readonly root: string; readonly git: string } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, ".git");
    const stats = statSync(git, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return { root: at, git };
    if (stats?.isFile()) return linkedRepository(at, git);
    if (at === dirname(at)) return undefined;
  }
}

/** `.git` is a file in worktrees and submodules. */
function linkedRepository(folder: string, file: string): { readonly root: string; readonly git: string } {
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(textAt(file) ?? "")?.[1];
  if (target === undefined) return { root: folder, git: file };
  const git = resolve(folder, target);
  const shared = textAt(join(git, "commondir"))?.trim();
  if (shared === undefined) return { root: folder, git };
  const main = resolve(git, shared);
  return { root: basename(main) === ".git" ? dirname(main) : main, git: main };
}

function textAt(path: string): string | undefined {
  try {
    return readText(path, { followsLinks: true });
  } catch {
    return undefined;
  }
}
