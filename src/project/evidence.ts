// What is known about each file of a project, as values for the parts of its
// score. Pure.
import type { History } from "./history.ts";
import type { Listing } from "./listing.ts";
import type { Measure } from "./measures.ts";
import { nearnessOf } from "./nearness.ts";
import { ROLE_WORTH, type Role } from "./roles.ts";
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
