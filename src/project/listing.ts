// The files of a project, and separately what is not a file to open: links,
// submodules, deleted files. Built from git's output or from a walk. Pure.
import { type GitName, isNameable, shownName } from "./git/git-output.ts";
import type { Seen } from "./git/repository.ts";
import type { Walked } from "./walk.ts";

/** Entries that are not listed as files, by kind. */
export interface LeftOut {
  readonly symlinks: readonly string[];
  readonly submodules: readonly string[];
  readonly nested_repositories: readonly string[];
  readonly deleted: readonly string[];
  readonly unreadable: readonly string[];
  /** Names that are not UTF-8, with `\x` for each invalid byte. */
  readonly not_utf8: readonly string[];
  /** Folders of dependencies that no ignore file names. */
  readonly skipped_folders: readonly string[];
  /** Left out by a sparse checkout. */
  readonly not_checked_out: readonly string[];
}

export interface Listing {
  /** Paths from the project's root with `/`, sorted by code units. */
  readonly files: readonly string[];
  /** Files with uncommitted changes, including untracked ones. */
  readonly changed: ReadonlySet<string>;
  readonly untracked: ReadonlySet<string>;
  readonly leftOut: LeftOut;
  /** The listing was cut at the maximum number of files. */
  readonly isCut: boolean;
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export function listingOfGit(seen: Seen): Listing {
  const { status, tracked, nested, skipped, unreadable } = seen;
  const untracked = new Set(seen.untracked);
  const leftOut = new Map<GitName, keyof LeftOut>();
  for (const name of [...tracked.symlinks, ...seen.untrackedLinks]) leftOut.set(name, "symlinks");
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
  const named = files.filter(isNameable);
  return {
    files: named.toSorted(byCodeUnits),
    changed: new Set([...status.changes.keys(), ...untracked].filter((name) => !leftOut.has(name) && isNameable(name))),
    untracked,
    leftOut: {
      ...grouped(leftOut),
      unreadable,
      not_utf8: named.length === files.length ? [] : files.filter((name) => !isNameable(name)).map(shownName),
    },
    isCut: false,
  };
}

/** Whether a path is among the files, by binary search. */
export function holds({ files }: Listing, path: string): boolean {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (files[middle]! < path) low = middle + 1;
    else high = middle;
  }
  return files[low] === path;
}

function grouped(leftOut: ReadonlyMap<GitName, keyof LeftOut>): Omit<LeftOut, "unreadable" | "not_utf8"> {
  const of = (group: keyof LeftOut): string[] =>
    [...leftOut]
      .filter(([, other]) => other === group)
      .map(([name]) => shownName(name))
      .toSorted(byCodeUnits);
  return {
    symlinks: of("symlinks"),
    submodules: of("submodules"),
    nested_repositories: of("nested_repositories"),
    deleted: of("deleted"),
    skipped_folders: of("skipped_folders"),
    not_checked_out: of("not_checked_out"),
  };
}

export function listingOfWalk(walked: Walked): Listing {
  return {
    files: walked.files,
    changed: new Set(),
    untracked: new Set(),
    leftOut: {
      symlinks: walked.symlinks.toSorted(byCodeUnits),
      submodules: [],
      nested_repositories: walked.nested.toSorted(byCodeUnits),
      deleted: [],
      unreadable: walked.unreadable.toSorted(byCodeUnits),
      not_utf8: walked.unnameable.toSorted(byCodeUnits),
      skipped_folders: [],
      not_checked_out: [],
    },
    isCut: walked.isCut,
  };
}

export const EMPTY_LISTING: Listing = listingOfWalk({
  files: [],
  symlinks: [],
  nested: [],
  unreadable: [],
  unnameable: [],
  isCut: false,
});

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
