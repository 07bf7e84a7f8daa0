// The history of a project: its newest commits, and how recently and how often
// each file changed. Used by repository.ts, git-facts.ts and ranking.ts.
import { type GitName, recordsOf } from "./git-output.ts";
import { runGit } from "./git-process.ts";

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
  /** The sum of the weights of all changes. */
  frequency: number;
}

/** The distance from the newest commit: in commits that changed something, and in days. */
interface Age {
  readonly commits: number;
  readonly days: number;
}

export interface History {
  /** The newest few, newest first. */
  readonly commits: readonly Commit[];
  readonly activity: ReadonlyMap<GitName, Readonly<Activity>>;
}

export const EMPTY_HISTORY: History = { commits: [], activity: new Map() };

const COMMITS_KEPT = 10;
/**
 * A change loses half of its weight in this many commits, and again in
 * HALF_LIFE_DAYS before the newest commit: a dormant project keeps its weights,
 * and a busy day does not count like a year. Recency is the sum of a fast and a
 * slow decay; frequency decays more slowly than both.
 */
const HALF_LIVES = { fast: 4, slow: 30, frequency: 60 };
const HALF_LIFE_DAYS = 180;
const SLOW_SHARE = 0.4;
/** A commit of this many files weighs half as much as one that changes a single file. */
const HALF_WEIGHT_FILES = { recency: 100, frequency: 20 };
/** A commit of more files (an import, a reformatting) says nothing about any of them. */
const MAX_FILES = 300;

/**
 * Parses the output of `readLog`, which may be cut off anywhere. A state never
 * begins like a commit, so a file name cannot be mistaken for one.
 */
export function parseHistory(output: Buffer): History {
  const commits: Commit[] = [];
  const activity = new Map<GitName, Activity>();
  /** The current names of files that were renamed, by their older names. */
  const renamed = new Map<GitName, GitName>();
  const records = recordsOf(output);
  let newest: number | undefined;
  let changing = 0;
  for (let at = 0; at < records.length;) {
    const [id = "", seconds = "", author = "", ...subject] = records[at++]!.slice(1).split("\u0002");
    const time = Number(seconds);
    newest ??= time;
    if (commits.length < COMMITS_KEPT) commits.push({ id, time, author, subject: subject.join(" ") });
    const files: GitName[] = [];
    while (at < records.length && !records[at]!.startsWith("\u0001")) {
      // The first state of a commit comes after a line break.
      const state = records[at++]!.trimStart()[0];
      const older = state === "R" || state === "C" ? records[at++] : undefined;
      const name = records[at++];
      if (name === undefined) break;
      const current = renamed.get(name) ?? name;
      files.push(current);
      // In older commits this name means another file.
      if (state === "A" || older !== undefined) renamed.delete(name);
      if (state === "R") renamed.set(older!, current);
    }
    // A merge lists no files.
    if (files.length === 0) continue;
    const age = { commits: changing++, days: Math.max(0, newest - time) / 86_400 };
    if (files.length <= MAX_FILES) addActivity(activity, files, age);
  }
  return { commits, activity };
}

function addActivity(activity: Map<GitName, Activity>, files: readonly GitName[], age: Age): void {
  const decayed = (1 - SLOW_SHARE) * weightAt(age, HALF_LIVES.fast) + SLOW_SHARE * weightAt(age, HALF_LIVES.slow);
  const recency = decayed * sizeFactor(files.length, HALF_WEIGHT_FILES.recency);
  const frequency = weightAt(age, HALF_LIVES.frequency) * sizeFactor(files.length, HALF_WEIGHT_FILES.frequency);
  for (const name of files) {
    const known = activity.get(name);
    if (known === undefined) activity.set(name, { recency, frequency });
    else {
      known.recency = Math.max(known.recency, recency);
      known.frequency += frequency;
    }
  }
}

/** The weight, from 1 to 0, of a change of this age. */
function weightAt({ commits, days }: Age, halfLife: number): number {
  return 0.5 ** (commits / halfLife + days / HALF_LIFE_DAYS);
}

/** A commit of many files says less about each: 1 for one file, 0.5 for about `half` of them. */
function sizeFactor(files: number, half: number): number {
  return 1 / (1 + Math.max(0, files - 1) / half);
}

/** How much of a history is read: the newest commits alone take much less time than all changes. */
export type Extent = "commits" | "changes";

/** How many commits are read for frequencies; older ones would weigh almost nothing. */
const MAX_COMMITS = 1000;
/** After this time, what git has printed so far is used: newest commits come first. */
const TIME_LIMIT = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

const EXTENT_ARGUMENTS: Readonly<Record<Extent, readonly string[]>> = {
  commits: ["--no-patch", `--max-count=${COMMITS_KEPT}`],
  // Only renames without a change: finding others would mean reading every version of every file.
  changes: ["--name-status", "-M100%", `--max-count=${MAX_COMMITS}`],
};

/** @param isPart whether the folder is only a part of the work tree; then only its commits are read */
export async function readLog(folder: string, commit: string, extent: Extent, isPart: boolean): Promise<History> {
  const outcome = await runGit({
    folder,
    args: [
      "log",
      "-z",
      "--format=%x01%H%x02%ct%x02%an%x02%s",
      ...EXTENT_ARGUMENTS[extent],
      "--no-ext-diff",
      "--no-textconv",
      "--no-show-signature",
      "--no-notes",
      "--no-mailmap",
      "-O/dev/null",
      commit,
      ...(isPart ? ["--relative", "--", "."] : []),
    ],
    timeLimit: TIME_LIMIT,
    mostBytes: MAX_BYTES,
  });
  return outcome === undefined ? EMPTY_HISTORY : parseHistory(outcome.stdout);
}
