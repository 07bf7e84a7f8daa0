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
  /** The weight of the newest change: 1 for a small one in the newest commit, less with its age and its size. */
  readonly recency: number;
  /** The weights of all changes, added. */
  readonly frequency: number;
}

export interface History {
  /** The newest ones, newest first. */
  readonly commits: readonly Commit[];
  readonly activity: ReadonlyMap<GitName, Activity>;
}

export const EMPTY_HISTORY: History = { commits: [], activity: new Map() };

const COMMITS_KEPT = 10;
/**
 * A change loses half of its weight in so many commits, and again in so many
 * days before the newest commit: a project that rests does not forget, and a
 * busy day does not count like a year.
 */
const HALF_LIFE_COMMITS = 60;
const HALF_LIFE_DAYS = 60;
/** A commit of so many files weighs half of one that changes a single file. */
const HALF_WEIGHT_FILES = 15;

export function parseHistory(output: Buffer): History {
  const commits: Commit[] = [];
  const activity = new Map<GitName, { recency: number; frequency: number }>();
  /** What a file of an older commit is called now. */
  const renamed = new Map<GitName, GitName>();
  let newest: number | undefined;
  let count = -1;
  let time = 0;
  let touched: GitName[] = [];

  const finishCommit = (): void => {
    if (touched.length === 0) return;
    const days = Math.max(0, (newest ?? time) - time) / 86_400;
    const weight = weightOf(count, days, touched.length);
    for (const name of touched) {
      const known = activity.get(name);
      if (known === undefined) activity.set(name, { recency: weight, frequency: weight });
      else {
        known.recency = Math.max(known.recency, weight);
        known.frequency += weight;
      }
    }
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
    const state = record.replace(/^\n/, "")[0];
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
  return { commits, activity };
}

export function weightOf(commitsAgo: number, daysAgo: number, files: number): number {
  const age = 0.5 ** (commitsAgo / HALF_LIFE_COMMITS) * 0.5 ** (daysAgo / HALF_LIFE_DAYS);
  return age / (1 + (files - 1) / HALF_WEIGHT_FILES);
}
