// What a command of the command line is. main.ts holds the table of them and
// reads the arguments; each command is a file that is loaded only when used.
import { log, print, type Printable, printJson, Problem } from "../kernel/kernel.ts";
import type { Settings } from "../settings.ts";
import type { CallResult } from "../tools/tools.ts";

export interface Command {
  /** After `commonplace `, in the help. */
  readonly usage: string;
  /** What it does, in a few lines. */
  readonly help: string;
  /** Its own switches and their help, beside those of the settings. A value's name makes it take one. */
  readonly flags?: Readonly<Record<string, { readonly value?: string; readonly help: string }>>;
  /** Whether words may follow it. */
  readonly takesWords?: true;
  /** Whether it tells what is wrong with the config file, and so must run in spite of it. */
  readonly looksAtConfig?: true;
  /** The exit code: 0, 1 for an error, 2 for a call that was not right. */
  readonly run: (invocation: Invocation) => Promise<number>;
}

/** Saves what V8 has compiled by now for the next start: see bin/compiled.js. */
export type KeepCompiled = (after: "start" | "call") => void;

export interface Invocation {
  readonly settings: Settings;
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly keepCompiled: KeepCompiled;
}

/** The value of a flag that says how many; undefined where it was not given. */
export function countOf({ flags }: Pick<Invocation, "flags">, name: string, most: number): number | undefined {
  const value = flags[name];
  if (value === undefined) return undefined;
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new Problem("invalid", `--${name} must be a number from 1 to ${most}.`);
}

/** What a tool answered, for a person or as JSON. @returns the exit code */
export function tell<R>(result: CallResult<R>, asJson: unknown, shown: (answer: R) => Printable | string): number {
  if (asJson) printJson(result.structuredContent);
  else if (result.isError) log(result.content[0]!.text);
  else print(shown(result.structuredContent));
  return result.isError ? 1 : 0;
}

/** A time as the clock on the person's wall shows it, to the minute. Sweden writes dates as ISO 8601 does. */
export function localTime(time: number): string {
  return new Date(time).toLocaleString("sv").slice(0, 16);
}
