// What a check of doctor finds about one part of the program. Each file of this
// folder that is named after a part holds its check; checks.ts is the table.
import type { Settings } from "../../settings.ts";

export interface Finding {
  readonly part: string;
  /** `missing` is no fault: the part is made when it is needed. */
  readonly state: "ok" | "missing" | "problem";
  readonly path?: string;
  /** What was found. */
  readonly note: string;
  /** What to do: every problem has one. */
  readonly hint?: string;
  /** How many there are of what. */
  readonly counts?: Readonly<Record<string, number>>;
  /** When it last changed or was last brought up to date; ISO 8601. */
  readonly updated?: string;
}

/** Looks at one part, and changes nothing. Several findings where there are several of it. */
export type Check = (settings: Settings) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;
