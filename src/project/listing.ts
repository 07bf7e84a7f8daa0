// The files of a project, and separately what is not a file to open: links,
// submodules, deleted files. Listed by git, or by a walk where git cannot. Used by
// project.ts and what it calls.
import { existsSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../files/files.ts";
import { Turns } from "../kernel/kernel.ts";
import { type GitName, isNameable, shownName } from "./git/git-output.ts";
import type { GitState } from "./git/repository.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { readBeginning } from "./project-files.ts";

/** Entries that are not listed as files. */
const KINDS = [
  "symlinks",
  "submodules",
  "nested_repositories",
  "deleted",
  "unreadable",
  /** Names that are not UTF-8, with `\x` for each invalid byte. */
  "not_utf8",
  /** Folders of dependencies that no ignore file names. */
  "skipped_folders",
  /** Left out by a sparse checkout. */
  "not_checked_out",
] as const;
type Kind = (typeof KINDS)[number];

/** The paths of each kind. */
export type LeftOut = Readonly<Record<Kind, readonly string[]>>;

function leftOutOf(entries: Iterable<readonly [name: GitName, kind: Kind]>): LeftOut {
  const grouped = Map.groupBy(entries, ([, kind]) => kind);
  const pathsOf = (kind: Kind) => (grouped.get(kind) ?? []).map(([name]) => shownName(name)).toSorted(byCodeUnits);
  return Object.fromEntries(KINDS.map((kind) => [kind, pathsOf(kind)])) as Record<Kind, string[]>;
}

export interface Listing {
  /** Paths from the project's root with `/`, sorted by code units. */
  readonly files: readonly string[];
  /** Files with uncommitted changes, including untracked ones. */
  readonly changed: ReadonlySet<string>;
  readonly leftOut: LeftOut;
  /** The listing was cut at the maximum number of files. */
  readonly isCut: boolean;
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export function listingOfGit(state: GitState): Listing {
  const { status, tracked, nested, skipped, unreadable } = state;
  const untracked = new Set(state.untracked);
  const leftOut = new Map<GitName, Kind>();
  for (const name of [...tracked.symlinks, ...state.untrackedLinks]) leftOut.set(name, "symlinks");
  for (const name of tracked.submodules) leftOut.set(name, "submodules");
  for (const name of nested) leftOut.set(name.slice(0, -1), "nested_repositories");
  for (const name of skipped) leftOut.set(name.slice(0, -1), "skipped_folders");
  for (const name of tracked.notCheckedOut) leftOut.set(name, "not_checked_out");
  const added = [...untracked];
  for (const [name, { kind }] of status.changes) {
    // A file that was only removed from the index is deleted for `status`, but still exists.
    if (untracked.has(name)) continue;
    // A former link, or a file that exists despite a sparse checkout.
    if (kind === "file" && leftOut.delete(name)) added.push(name);
    if (kind !== "file")
      leftOut.set(name, kind === "symlink" ? "symlinks" : kind === "submodule" ? "submodules" : "deleted");
  }
  const files = [...tracked.files.filter((name) => !leftOut.has(name)), ...added];
  const unnameable = files.filter((name) => !isNameable(name)).map((name) => [name, "not_utf8"] as const);
  return {
    files: files.filter(isNameable).toSorted(byCodeUnits),
    changed: new Set([...status.changes.keys(), ...untracked].filter((name) => !leftOut.has(name) && isNameable(name))),
    leftOut: leftOutOf([...leftOut, ...unnameable, ...unreadable.map((name) => [name, "unreadable"] as const)]),
    isCut: false,
  };
}

/** Without the paths that must not be shown. */
export function listingWithout(listing: Listing, isLeftOut: (path: string) => boolean): Listing {
  const kept = <Paths extends Iterable<string>>(paths: Paths) => [...paths].filter((path) => !isLeftOut(path));
  const leftOut = Object.entries(listing.leftOut).map(([kind, paths]) => [kind, kept(paths as readonly string[])]);
  return {
    ...listing,
    files: kept(listing.files),
    changed: new Set(kept(listing.changed)),
    leftOut: Object.fromEntries(leftOut) as unknown as LeftOut,
  };
}

export const EMPTY_LISTING: Listing = {
  files: [],
  changed: new Set(),
  leftOut: leftOutOf([]),
  isCut: false,
};

/** Folders of dependencies and generated files that are never listed, even if no ignore file names them. */
export const SKIPPED_FOLDERS: readonly string[] = [
  "node_modules",
  "bower_components",
  "__pycache__",
  ".venv",
  ".tox",
  ".git",
  ".hg",
  ".svn",
];

interface Folder {
  /** From the root, with `/` at the end; empty for the root. */
  readonly path: string;
  readonly rules: IgnoreRules;
}

/** A home folder mistaken for a project must not keep the server busy for minutes. */
const MAX_FILES = 500_000;
const MAX_RULES_BYTES = 1024 * 1024;

/** Lists a project that git cannot list: reads every folder, applies ignore files as git does, and never follows links. */
export async function walkProject(root: string, signal?: AbortSignal): Promise<Listing> {
  // Loaded on use: most projects are listed by git.
  const { IgnoreRules: rules } = await import("./ignore-rules.ts");
  const files: string[] = [];
  const leftOut: [path: string, kind: Kind][] = [];
  const folders: Folder[] = [{ path: "", rules: rules.NONE }];
  const turns = new Turns(signal);
  while (folders.length > 0 && files.length < MAX_FILES) {
    const folder = folders.pop()!;
    const entries = entriesOf(join(root, folder.path));
    if (entries === undefined) {
      leftOut.push([folder.path.slice(0, -1) || ".", "unreadable"]);
      continue;
    }
    if (folder.path !== "" && entries.some(({ name }) => name === ".git")) {
      leftOut.push([folder.path.slice(0, -1), "nested_repositories"]);
      continue;
    }
    await add(entries, withOwnRules(root, folder, entries));
  }
  return {
    ...EMPTY_LISTING,
    files: files.toSorted(byCodeUnits),
    leftOut: leftOutOf(leftOut),
    isCut: files.length >= MAX_FILES,
  };

  async function add(entries: readonly Dirent[], { path: parent, rules: ignored }: Folder): Promise<void> {
    for (const entry of entries) {
      if (turns.isOver()) await turns.next();
      const path = parent + entry.name;
      const isFolder = entry.isDirectory();
      if (isFolder && SKIPPED_FOLDERS.includes(entry.name)) continue;
      // A file named `.git` points to a repository, and is not a file of the project.
      if (entry.name === ".git" || ignored.ignores(path, isFolder)) continue;
      // Invalid bytes come as U+FFFD, and no file exists under that name.
      if (entry.name.includes("\uFFFD") && !existsSync(join(root, path))) leftOut.push([path, "not_utf8"]);
      else if (isFolder) folders.push({ path: `${path}/`, rules: ignored });
      else if (entry.isSymbolicLink()) leftOut.push([path, "symlinks"]);
      else if (entry.isFile()) files.push(path);
    }
  }
}

function withOwnRules(root: string, folder: Folder, entries: readonly Dirent[]): Folder {
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return folder;
  const text = readBeginning(join(root, folder.path, ".gitignore"), MAX_RULES_BYTES) ?? "";
  return { ...folder, rules: folder.rules.with(folder.path, text) };
}

function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Deleted during the walk, or no longer a folder.
    return /^(?:ENOENT|ENOTDIR)$/.test(codeOf(error)) ? [] : undefined;
  }
}
