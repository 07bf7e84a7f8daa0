// The result of one of doctor's checks. Each check is in the file named after its
// part; checks.ts is the table.
import type { Settings } from "../../settings.ts";

export interface Finding {
  readonly part: string;
  /** `missing` is not a problem: the part is created when it is needed. */
  readonly state: "ok" | "missing" | "problem";
  readonly path?: string;
  /** The finding, in a sentence. */
  readonly note: string;
  /** The remedy. Every problem has one. */
  readonly hint?: string;
  /** True if a person may say that it is right as it is. */
  readonly isAcceptable?: true;
  /** Counts by kind. */
  readonly counts?: Readonly<Record<string, number>>;
  /** When it last changed or was last brought up to date; ISO 8601. */
  readonly updated?: string;
}

/** Checks one part without changing it. May return several findings. */
export type Check = (settings: Settings) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;
