// What is known about each file of a project, as values for the parts of its
// score: by the history, uncommitted changes, its role, recent conversations, and
// how near it is to what is being worked on. Pure.
import { ROLE_WORTH, type Role } from "./file-kinds.ts";
import type { GitName } from "./git/git-output.ts";
import { type Change, type History, lessening, weightAt } from "./git/history.ts";
import type { Listing } from "./listing.ts";
import type { Measure } from "./project-files.ts";
import type { Evidence, Part } from "./scoring.ts";

const DAY = 86_400_000;
/** Without a history: a file's own time counts half after so many days. */
const HALF_LIFE_DAYS = 30;
/** A file whose changes weigh so much counts half of one that changes all the time. */
const HALF_FREQUENCY = 2;

export interface Known {
  readonly listing: Listing;
  readonly roleOf: (path: string) => Role;
  readonly history: History;
  readonly touched: ReadonlyMap<string, number>;
  /** Where there is no git to ask. */
  readonly measures: ReadonlyMap<string, Measure> | undefined;
}

export function evidenceOf({ listing, roleOf, history, touched, measures }: Known): Evidence {
  const newest = maximum([...(measures?.values() ?? [])].map(({ changed }) => changed));
  const mostTouched = maximum([...touched.values()]);
  return {
    recency: (path) => {
      const time = measures?.get(path)?.changed;
      if (time !== undefined) return 0.5 ** ((newest - time) / DAY / HALF_LIFE_DAYS);
      return history.activity.get(path)?.recency ?? 0;
    },
    frequency: (path) => {
      const frequency = history.activity.get(path)?.frequency ?? 0;
      return frequency / (frequency + HALF_FREQUENCY);
    },
    nearness: nearnessOf(history, listing.changed),
    changes: (path) => (listing.changed.has(path) ? 1 : 0),
    role: (path) => ROLE_WORTH[roleOf(path)],
    conversations: (path) => {
      const weight = touched.get(path);
      return weight === undefined || mostTouched <= 0 ? 0 : Math.max(0, weight / mostTouched);
    },
  };
}

/** The parts of which something is known in this project. */
export function knownParts({ listing, history, touched, measures }: Known): ReadonlySet<Part> {
  const known = new Set<Part>(["role"]);
  if (history.activity.size > 0 || measures !== undefined) known.add("recency");
  if (history.activity.size > 0) known.add("frequency").add("nearness");
  if (listing.changed.size > 0) known.add("changes");
  if (touched.size > 0) known.add("conversations");
  return known;
}

function maximum(values: readonly number[]): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}

// How near a file is to what is being worked on: the files of the newest commits
// and those with uncommitted changes. Near is what changed together with them
// before, what is in their folder, and what is called like them, as the test of
// a source is. Pure.

/** What each kind of nearness counts. */
const SHARES = { together: 0.45, folder: 0.35, name: 0.2 };
/** Commits in which work moves on by half, and in which it is half forgotten what changed together. */
const HALF_LIVES = { work: 4, together: 60 };
/** A commit of so many files, or folders, weighs half of one that changes a single one. */
const HALF_WEIGHT = { files: 20, folders: 2 };
/** One of more files has nothing to do with what is being worked on. */
const MOST_FILES = 100;
/** What is left of a commit when nobody works on that any more. */
const LEAST_WEIGHT = 0.02;
/** Of a folder's nearness for the files right above it. */
const ABOVE = 0.5;
/** Changes of a file alone, beside those with others: one time together is not yet a rule. */
const ALONE = 0.5;
/** A file that is expected to change so many times with what is being worked on counts half. */
const HALF_TOGETHER = 1;

/** Every folder has one of these. */
const NAMES_OF_MANY: ReadonlySet<string> = new Set(
  "index main mod lib __init__ readme package types test tests style styles".split(" "),
);

/** @param uncommitted files with changes that are not committed: the work of this very moment */
export function nearnessOf({ changes }: History, uncommitted: ReadonlySet<string>): (path: string) => number {
  const usual = changes.filter(({ files }) => files.length <= MOST_FILES);
  const work = [{ files: [...uncommitted], age: { commits: 0, days: 0 } }, ...usual];
  const { files, folders, names } = whereWorkIs(work);
  const together = changedTogether(usual, files);
  return (path) => {
    const expected = together.get(path) ?? 0;
    return (
      (SHARES.together * expected) / (expected + HALF_TOGETHER) +
      SHARES.folder * (folders.get(folderOf(path)) ?? 0) +
      // One of those that are called like many is only near by itself.
      SHARES.name * (names.get(nameOf(path)) ?? files.get(path) ?? 0)
    );
  };
}

type Weights = Map<string, number>;

/** The files, folders and names of the newest changes, each with the weight of the newest. */
function whereWorkIs(changes: readonly Change[]): Readonly<Record<"files" | "folders" | "names", Weights>> {
  const work = { files: new Map(), folders: new Map(), names: new Map() } satisfies Record<string, Weights>;
  for (const { files, age } of changes) {
    const weight = weightAt(age, HALF_LIVES.work);
    if (weight < LEAST_WEIGHT) break;
    const ofFile = weight * lessening(files.length, HALF_WEIGHT.files);
    for (const file of files) {
      raise(work.files, file, ofFile);
      const name = nameOf(file);
      if (!NAMES_OF_MANY.has(name.toLowerCase())) raise(work.names, name, ofFile);
    }
    const folders = new Set(files.map(folderOf));
    const ofFolder = weight * lessening(folders.size, HALF_WEIGHT.folders);
    for (const folder of folders) {
      raise(work.folders, folder, ofFolder);
      if (folder !== "") raise(work.folders, folderOf(folder.slice(0, -1)), ABOVE * ofFolder);
    }
  }
  return work;
}

/** How many changes are to be expected of each file, by those that it had together with what is being worked on. */
function changedTogether(changes: readonly Change[], work: Weights): Weights {
  const weighed = changes.map(({ files, age }) => ({
    files,
    weight: weightAt(age, HALF_LIVES.together) * lessening(files.length, HALF_WEIGHT.files),
  }));
  const all: Weights = new Map();
  for (const { files, weight } of weighed) for (const file of files) if (work.has(file)) add(all, file, weight);
  /** How much of a file's work is in a change of such a weight. */
  const pull = (file: GitName, weight: number): number => {
    const now = work.get(file);
    return now === undefined ? 0 : (now * weight) / (all.get(file)! + ALONE);
  };
  const together: Weights = new Map();
  for (const { files, weight } of weighed) {
    let whole = 0;
    for (const file of files) whole += pull(file, weight);
    if (whole === 0) continue;
    // No file is near to itself.
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

/** With a slash at the end, or empty. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** What a file is called, without its endings. */
function nameOf(path: string): string {
  const start = path.lastIndexOf("/") + 1;
  const dot = path.indexOf(".", start + 1);
  return path.slice(start, dot === -1 ? undefined : dot);
}
