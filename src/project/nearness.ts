// How near a file is to the current work: the files of the newest commits and
// those with uncommitted changes. Near are files that changed together with them
// before, that are in their folder, or that share their name, as a test shares
// its source's. Pure. Used by ranking.ts.
import type { GitName } from "./git/git-output.ts";
import { sizeFactor, weightAt, type Change, type History } from "./git/history.ts";

/** The weights of the kinds of nearness. */
const SHARES = { together: 0.45, folder: 0.35, name: 0.2 };
/** Half-lives in commits: of the current work, and of what changed together. */
const HALF_LIVES = { work: 4, together: 60 };
/** A commit of this many files, or folders, weighs half as much as one that changes a single one. */
const HALF_WEIGHT = { files: 20, folders: 2 };
/** A commit of more files says nothing about the current work. */
const MOST_FILES = 100;
/** A commit that weighs less is not part of the current work. */
const LEAST_WEIGHT = 0.02;
/** The share of a folder's nearness that the folder above it gets. */
const ABOVE = 0.5;
/** Added to the weight of a file's changes: having changed together once is not yet a rule. */
const ALONE = 0.5;
/** The expected number of changes together with the current work at which a file counts half. */
const HALF_TOGETHER = 1;

/** Names that say nothing: every folder has such a file. */
const COMMON_NAMES: ReadonlySet<string> = new Set(
  "index main mod lib __init__ readme package types test tests style styles".split(" "),
);

/** @param uncommitted files with uncommitted changes */
export function nearnessOf({ changes }: History, uncommitted: ReadonlySet<string>): (path: string) => number {
  const usual = changes.filter(({ files }) => files.length <= MOST_FILES);
  const work = [{ files: [...uncommitted], age: { commits: 0, days: 0 } }, ...usual];
  const { files, folders, names } = currentWork(work);
  const together = changedTogether(usual, files);
  return (path) => {
    const expected = together.get(path) ?? 0;
    return (
      (SHARES.together * expected) / (expected + HALF_TOGETHER) +
      SHARES.folder * (folders.get(folderOf(path)) ?? 0) +
      // A file with a common name is near only if it is itself part of the work.
      SHARES.name * (names.get(nameOf(path)) ?? files.get(path) ?? 0)
    );
  };
}

type Weights = Map<string, number>;

/** The files, folders and names of the newest changes, each with the weight of its newest change. */
function currentWork(changes: readonly Change[]): Readonly<Record<"files" | "folders" | "names", Weights>> {
  const work = { files: new Map(), folders: new Map(), names: new Map() } satisfies Record<string, Weights>;
  for (const { files, age } of changes) {
    const weight = weightAt(age, HALF_LIVES.work);
    if (weight < LEAST_WEIGHT) break;
    const ofFile = weight * sizeFactor(files.length, HALF_WEIGHT.files);
    for (const file of files) {
      raise(work.files, file, ofFile);
      const name = nameOf(file);
      if (!COMMON_NAMES.has(name.toLowerCase())) raise(work.names, name, ofFile);
    }
    const folders = new Set(files.map(folderOf));
    const ofFolder = weight * sizeFactor(folders.size, HALF_WEIGHT.folders);
    for (const folder of folders) {
      raise(work.folders, folder, ofFolder);
      if (folder !== "") raise(work.folders, folderOf(folder.slice(0, -1)), ABOVE * ofFolder);
    }
  }
  return work;
}

/** How many changes to expect of each file, by its earlier changes together with the files of the current work. */
function changedTogether(changes: readonly Change[], work: Weights): Weights {
  const weighted = changes.map(({ files, age }) => ({
    files,
    weight: weightAt(age, HALF_LIVES.together) * sizeFactor(files.length, HALF_WEIGHT.files),
  }));
  const all: Weights = new Map();
  for (const { files, weight } of weighted) for (const file of files) if (work.has(file)) add(all, file, weight);
  /** How much a file of the current work makes the other files of a change expected. */
  const pull = (file: GitName, weight: number): number => {
    const now = work.get(file);
    return now === undefined ? 0 : (now * weight) / (all.get(file)! + ALONE);
  };
  const together: Weights = new Map();
  for (const { files, weight } of weighted) {
    let whole = 0;
    for (const file of files) whole += pull(file, weight);
    if (whole === 0) continue;
    // A file does not count for itself.
    for (const file of files) add(together, file, whole - pull(file, weight));
  }
  return together;
}

function raise(weights: Weights, key: string, weight: number): void {
  if (weight > (weights.get(key) ?? 0)) weights.set(key, weight);
}

function add(weights: Weights, key: string, weight: number): void {
  weights.set(key, (weights.get(key) ?? 0) + weight);
}

/** The folder with a slash at the end; empty for the root. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** The name of a file without its extensions. */
function nameOf(path: string): string {
  const start = path.lastIndexOf("/") + 1;
  const dot = path.indexOf(".", start + 1);
  return path.slice(start, dot === -1 ? undefined : dot);
}
