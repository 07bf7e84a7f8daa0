// What the history says about files: how recently and how often each changes.
// `readLog` runs the one `git log` for it, and the reader parses the output while
// git still prints it. Used by repository.ts, git-facts.ts and evidence.ts.
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
  /** The weights of all changes, added. */
  frequency: number;
}

/** What one commit changed. */
export interface Change {
  /** As they are called now. */
  readonly files: readonly GitName[];
  readonly age: Age;
}

/** How long before the newest commit: in commits that changed something, and in days. */
export interface Age {
  readonly commits: number;
  readonly days: number;
}

export interface History {
  /** The newest ones, newest first. */
  readonly commits: readonly Commit[];
  readonly activity: ReadonlyMap<GitName, Readonly<Activity>>;
  /** Newest first, without those of too many files to say anything. */
  readonly changes: readonly Change[];
}

export const EMPTY_HISTORY: History = { commits: [], activity: new Map(), changes: [] };

export const COMMITS_KEPT = 10;
/**
 * A change loses half of its weight in so many commits, and again in so many
 * days before the newest commit: a project that rests does not forget, and a
 * busy day does not count like a year. Of what was touched last the most part is
 * soon forgotten; what is touched often is known for longer.
 */
const HALF_LIVES = { soon: 4, later: 30, often: 60 };
const HALF_LIFE_DAYS = 180;
const LATER_SHARE = 0.4;
/** A commit of so many files weighs half of one that changes a single one. */
const HALF_WEIGHT_FILES = { recency: 100, frequency: 20 };
/** A commit of more files (an import, a reformatting) says nothing about any of them. */
const MOST_FILES = 300;

// What a record begins with. The first state of a commit follows a line break.
const [COMMIT, LINE_BREAK, ADDED, COPIED, RENAMED] = [..."\u0001\nACR"].map((letter) => letter.charCodeAt(0));

export function parseHistory(output: Buffer): History {
  const reader = new HistoryReader();
  reader.take(output);
  return reader.finish();
}

/** Parses the history while git prints it. */
export class HistoryReader {
  readonly #commits: Commit[] = [];
  readonly #activity = new Map<GitName, Activity>();
  readonly #changes: Change[] = [];
  /** What a file of an older commit is called now. */
  readonly #renamed = new Map<GitName, GitName>();
  #newest: number | undefined;
  #count = 0;
  #time = 0;
  #files: GitName[] = [];
  /** What has come of a record, and of the records that belong to one state. */
  #rest: Buffer = Buffer.alloc(0);
  #begun: GitName[] = [];

  take(part: Buffer): void {
    const output = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part]);
    const end = output.lastIndexOf(0) + 1;
    this.#rest = output.subarray(end);
    const records = [...this.#begun, ...recordsOf(output.subarray(0, end))];
    let next = 0;
    for (let read = -1; read !== next && next < records.length;) {
      read = next;
      next = this.#read(records, next);
    }
    this.#begun = records.slice(next);
  }

  /** What was cut off at the end is left out. */
  finish(): History {
    this.#finishCommit();
    return { commits: this.#commits, activity: this.#activity, changes: this.#changes };
  }

  /** @returns where it goes on; the same place where the rest has not come yet */
  #read(records: readonly GitName[], at: number): number {
    const record = records[at]!;
    const first = record.charCodeAt(0);
    // No letter of a state is this one, so a name that begins with it is not taken for a commit.
    if (first === COMMIT) {
      this.#finishCommit();
      this.#beginCommit(record);
      return at + 1;
    }
    const state = first === LINE_BREAK ? record.charCodeAt(1) : first;
    const isRename = state === RENAMED || state === COPIED;
    const last = at + (isRename ? 2 : 1);
    if (last >= records.length) return at;
    const name = records[last]!;
    const current = this.#renamed.get(name) ?? name;
    // One more than too many is enough to know.
    if (this.#files.length <= MOST_FILES) this.#files.push(current);
    // Before it was made or got its name, that name meant another file.
    if (state === ADDED || isRename) this.#renamed.delete(name);
    if (state === RENAMED) this.#renamed.set(records[at + 1]!, current);
    return last + 1;
  }

  #beginCommit(record: string): void {
    const [id = "", seconds = "", author = "", ...subject] = record.slice(1).split("\u0002");
    this.#time = Number(seconds);
    this.#newest ??= this.#time;
    if (this.#commits.length < COMMITS_KEPT)
      this.#commits.push({ id, time: this.#time, author, subject: subject.join(" ") });
  }

  #finishCommit(): void {
    const files = this.#files;
    // A merge changes nothing by itself.
    if (files.length === 0) return;
    const age = { commits: this.#count++, days: Math.max(0, (this.#newest ?? this.#time) - this.#time) / 86_400 };
    this.#files = [];
    if (files.length > MOST_FILES) return;
    this.#changes.push({ files, age });
    addActivity(this.#activity, files, age);
  }
}

function addActivity(activity: Map<GitName, Activity>, files: readonly GitName[], age: Age): void {
  const soonOrLater =
    (1 - LATER_SHARE) * weightAt(age, HALF_LIVES.soon) + LATER_SHARE * weightAt(age, HALF_LIVES.later);
  const recency = soonOrLater * lessening(files.length, HALF_WEIGHT_FILES.recency);
  const frequency = weightAt(age, HALF_LIVES.often) * lessening(files.length, HALF_WEIGHT_FILES.frequency);
  for (const name of files) {
    const known = activity.get(name);
    if (known === undefined) activity.set(name, { recency, frequency });
    else {
      known.recency = Math.max(known.recency, recency);
      known.frequency += frequency;
    }
  }
}

/** What is left of 1 at that age. */
export function weightAt({ commits, days }: Age, halfLife: number): number {
  return 0.5 ** (commits / halfLife + days / HALF_LIFE_DAYS);
}

/** A change among many says little about each. */
export function lessening(many: number, half: number): number {
  return 1 / (1 + Math.max(0, many - 1) / half);
}

/** How much of a history is read: the newest commits alone are there long before all changes are. */
export type Extent = "commits" | "changes";

/** Commits that are read for what changes how often; older ones would weigh next to nothing. */
const MOST_COMMITS = 1000;
/** What has come of the history by then is used: it comes newest first. */
const TIME_LIMIT = 10_000;
const MOST_BYTES = 32 * 1024 * 1024;

const WHAT: Readonly<Record<Extent, readonly string[]>> = {
  commits: ["--no-patch", `--max-count=${COMMITS_KEPT}`],
  // Only renames without a change: finding others means reading every file that ever was.
  changes: ["--name-status", "-M100%", `--max-count=${MOST_COMMITS}`],
};

/** @param isPart whether the folder is a part of the work tree: only what concerns it is read */
export async function readLog(folder: string, commit: string, extent: Extent, isPart: boolean): Promise<History> {
  const reader = new HistoryReader();
  await runGit({
    folder,
    args: [
      "log",
      "-z",
      "--format=%x01%H%x02%ct%x02%an%x02%s",
      ...WHAT[extent],
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
    mostBytes: MOST_BYTES,
    onOutput: (part) => reader.take(part),
  });
  return reader.finish();
}
