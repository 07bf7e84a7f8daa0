// How much a file of a project matters: a weighted sum of parts, each from 0 to 1
// (the role may be -1, which outweighs all others), and the resulting order. Pure.
// To add a part, add it to PARTS and to `valuesOf`. Used by project.ts;
// docs/guide/project.md explains the parts.
import { ROLE_WORTH, type Role } from "./file-kinds.ts";
import type { History } from "./git/history.ts";
import type { Listing } from "./listing.ts";
import type { Measure } from "./project-files.ts";

/** The parts of the sum and their weights, which add up to 1. */
export const PARTS = {
  /** How recently it changed, by the history; by the file's own time without one. */
  recency: 0.25,
  /** How often it changes. */
  frequency: 0.25,
  /** How recently its folder changed. */
  folder: 0.1,
  /** It has changes that are not committed. */
  changes: 0.15,
  /** The role of the file: entry point, manifest, source … lock file. */
  role: 0.1,
  /** How often recent conversations in this project touched it. */
  conversations: 0.15,
} as const satisfies Record<string, number>;

export type Part = keyof typeof PARTS;

const PART_NAMES = Object.keys(PARTS) as Part[];

export interface Ranked {
  readonly path: string;
  readonly score: number;
}

/** Scores have three digits; smaller differences do not count. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** A part that counts in this project, and what it adds to a file's score. */
export interface CountedPart {
  readonly part: Part;
  readonly shareOf: (path: string) => number;
}

/** All files, best first, and what their scores are made of. */
export interface Ranking {
  readonly ranked: readonly Ranked[];
  readonly parts: readonly CountedPart[];
}

/** The sum of the parts, kept between 0 and 1. */
export function scoreOf(path: string, parts: readonly CountedPart[]): number {
  let sum = 0;
  for (const { shareOf } of parts) sum += shareOf(path);
  return rounded(Math.min(1, Math.max(0, sum)));
}

/** Returns what each part adds to a file's score; parts that add nothing are left out. */
export function partsOf(path: string, parts: readonly CountedPart[]): Readonly<Partial<Record<Part, number>>> {
  return Object.fromEntries(
    parts.map(({ part, shareOf }) => [part, shareOf(path)] as const).filter(([, share]) => share !== 0),
  );
}

export type Group = "high" | "medium" | "low";

export function groupOf(score: number): Group {
  if (score >= 0.8) return "high";
  return score >= 0.5 ? "medium" : "low";
}

const DAY = 86_400_000;
/** Without a history: after this many days, a file's own time counts half. */
const HALF_LIFE_DAYS = 30;
/** The sum of weighted changes at which the frequency is 0.5. */
const HALF_FREQUENCY = 2;

/** The known facts about the files of a project. */
export interface RankingInput {
  readonly listing: Listing;
  readonly roleOf: (path: string) => Role;
  readonly history: History;
  /** Files that recent conversations touched, with a weight each. */
  readonly touched: ReadonlyMap<string, number>;
  /** Without git only. */
  readonly measures: ReadonlyMap<string, Measure> | undefined;
}

/** All files, best first; equal ones keep their order, which is by name. */
export function rank(input: RankingInput): Ranking {
  const values = valuesOf(input);
  // Parts about which nothing is known give their weight to the others.
  const known = PART_NAMES.filter((part) => values[part] !== undefined);
  const total = known.reduce((sum, part) => sum + PARTS[part], 0);
  const parts = known.map((part) => {
    const weight = PARTS[part] / total;
    // Below 0 it outweighs all other parts together, which are 1 at most.
    const weighted = (value: number) => (value < 0 ? value : rounded(weight * value));
    return { part, shareOf: (path: string) => weighted(values[part]!(path)) };
  });
  const ranked = input.listing.files.map((path) => ({ path, score: scoreOf(path, parts) }));
  return { ranked: ranked.sort((a, b) => b.score - a.score), parts };
}

/** The value of each part for a path, 0 if nothing is known of it; undefined for a part that counts nowhere. */
function valuesOf({
  listing,
  roleOf,
  history: { activity },
  touched,
  measures,
}: RankingInput): Readonly<Record<Part, ((path: string) => number) | undefined>> {
  const newest = maximum([...(measures?.values() ?? [])].map(({ changed }) => changed));
  const mostTouched = maximum([...touched.values()]);
  const hasHistory = activity.size > 0;
  const ageOf = (path: string) => (newest - measures!.get(path)!.changed) / DAY;
  const ofFile = (path: string) => (measures!.has(path) ? 0.5 ** (ageOf(path) / HALF_LIFE_DAYS) : 0);
  const ofHistory = hasHistory ? (path: string) => activity.get(path)?.recency ?? 0 : undefined;
  return {
    recency: measures === undefined ? ofHistory : ofFile,
    frequency: hasHistory
      ? (path) => {
          const frequency = activity.get(path)?.frequency ?? 0;
          return frequency / (frequency + HALF_FREQUENCY);
        }
      : undefined,
    folder: hasHistory ? folderRecency(activity, listing.changed) : undefined,
    changes: listing.changed.size > 0 ? (path) => (listing.changed.has(path) ? 1 : 0) : undefined,
    role: (path) => ROLE_WORTH[roleOf(path)],
    conversations: mostTouched > 0 ? (path) => Math.max(0, (touched.get(path) ?? 0) / mostTouched) : undefined,
  };
}

/** Returns the recency of the newest change in a file's folder: 1 if something in it is not committed. */
function folderRecency(activity: History["activity"], changed: ReadonlySet<string>): (path: string) => number {
  const newest = new Map<string, number>();
  for (const [path, { recency }] of activity) {
    const folder = folderOf(path);
    if (recency > (newest.get(folder) ?? 0)) newest.set(folder, recency);
  }
  for (const path of changed) newest.set(folderOf(path), 1);
  return (path) => newest.get(folderOf(path)) ?? 0;
}

/** Returns the folder with a slash at the end; empty for the root. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function maximum(values: readonly number[]): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}
