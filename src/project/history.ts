// What the history says about files: how recently and how often each changes.
// Pure; repository.ts runs the one `git log` that this reads.
import { recordsOf, type GitName } from "./git-output.ts";

export interface Commit {
  readonly id: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly author: string;
  readonly subject: string;
}

export interface Activity {
  /** The weight of the newest change: 1 for the newest commit, less with its age and its size. */
  recency: number;
  /** The weights of all changes, added. */
  frequency: number;
}

export interface History {
  /** The newest ones, newest first. */
  readonly commits: readonly Commit[];
  readonly activity: ReadonlyMap<GitName, Readonly<Activity>>;
  /** Folders, with `/` at the end: the weight of the newest change in each, itself and not below it. */
  readonly folders: ReadonlyMap<GitName, number>;
}

export const EMPTY_HISTORY: History = { commits: [], activity: new Map(), folders: new Map() };

const COMMITS_KEPT = 10;
/**
 * A change loses half of its weight in so many commits, and again in so many
 * days before the newest commit: a project that rests does not forget, and a
 * busy day does not count like a year. What was touched last is soon forgotten;
 * what is touched often is known for longer.
 */
const HALF_LIFE_COMMITS = { recency: 10, frequency: 60 };
const HALF_LIFE_DAYS = 60;
/** A commit of so many files, or folders, weighs half of one that changes a single one. */
const HALF_WEIGHT_FILES = { recency: 100, frequency: 15 };
const HALF_WEIGHT_FOLDERS = 2;
/** A commit of more files (an import, a reformatting) says nothing about any of them. */
const MOST_FILES = 1000;

export function parseHistory(output: Buffer): History {
  const commits: Commit[] = [];
  const activity = new Map<GitName, Activity>();
  const folders = new Map<GitName, number>();
  /** What a file of an older commit is called now. */
  const renamed = new Map<GitName, GitName>();
  let newest: number | undefined;
  let count = -1;
  let time = 0;
  let touched: GitName[] = [];

  const finishCommit = (): void => {
    if (touched.length > MOST_FILES) touched = [];
    const days = Math.max(0, (newest ?? time) - time) / 86_400;
    const weight = (of: "recency" | "frequency") =>
      ageOf(count, days, HALF_LIFE_COMMITS[of]) * lessening(touched.length, HALF_WEIGHT_FILES[of]);
    const recency = weight("recency");
    const frequency = weight("frequency");
    for (const name of touched) {
      const known = activity.get(name);
      if (known === undefined) activity.set(name, { recency, frequency });
      else {
        known.recency = Math.max(known.recency, recency);
        known.frequency += frequency;
      }
    }
    const within = new Set(touched.map(folderOf));
    const warmth = ageOf(count, days, HALF_LIFE_COMMITS.recency) * lessening(within.size, HALF_WEIGHT_FOLDERS);
    for (const folder of within) folders.set(folder, Math.max(folders.get(folder) ?? 0, warmth));
    touched = [];
  };

  const records = recordsOf(output);
  for (let i = 0; i < records.length; i++) {
    const record = records[i]!;
    // No letter of a state is this one, so a name that begins with it is not taken for a commit.
    if (record.startsWith("\u0001")) {
      finishCommit();
      count++;
      const [id = "", seconds = "", author = "", ...subject] = record.slice(1).split("\u0002");
      time = Number(seconds);
      newest ??= time;
      if (commits.length < COMMITS_KEPT) commits.push({ id, time, author, subject: subject.join(" ") });
      continue;
    }
    const state = record[0] === "\n" ? record[1] : record[0];
    const from = records[++i];
    if (from === undefined) break;
    const isRename = state === "R" || state === "C";
    const name = isRename ? records[++i] : from;
    if (name === undefined) break;
    const current = renamed.get(name) ?? name;
    touched.push(current);
    // Before it was made or got its name, that name meant another file.
    if (state === "A" || isRename) renamed.delete(name);
    if (state === "R") renamed.set(from, current);
  }
  finishCommit();
  return { commits, activity, folders };
}

function ageOf(commitsAgo: number, daysAgo: number, halfLife: number): number {
  return 0.5 ** (commitsAgo / halfLife) * 0.5 ** (daysAgo / HALF_LIFE_DAYS);
}

/** A change among many says little about each. */
function lessening(many: number, half: number): number {
  return 1 / (1 + Math.max(0, many - 1) / half);
}

export function folderOf(name: GitName): GitName {
  return name.slice(0, name.lastIndexOf("/") + 1);
}
