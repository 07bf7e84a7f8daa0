// The interface of a command, and what several commands share. commands.ts has
// the table of them; main.ts reads the arguments.
import { log, print, type Printable, printJson, Problem } from "../kernel/kernel.ts";
import type { Settings } from "../settings.ts";
import type { CallResult } from "../tools/tools.ts";

export interface Command {
  /** The command line after `commonplace `, for the help. */
  readonly usage: string;
  /** What it does, in a few lines. */
  readonly help: string;
  /**
   * Its own flags besides those of the settings, or instead of one of that name. A flag with `value` takes a value of
   * that name, and with `repeats` several.
   */
  readonly flags?: Readonly<
    Record<string, { readonly value?: string; readonly repeats?: true; readonly help: string }>
  >;
  /** Whether it takes arguments besides flags. */
  readonly takesArguments?: true;
  /** Whether it runs with a damaged config file: it reports the damage, or needs no settings. */
  readonly ignoresConfigErrors?: true;
  /** @returns the exit code: 0, 1 for an error, 2 for invalid usage */
  readonly run: (invocation: Invocation) => Promise<number>;
}

/** Saves what V8 has compiled by now for the next start: see bin/code-cache.js. */
export type KeepCompiled = (after: "start" | "call") => void;

export interface Invocation {
  readonly settings: Settings;
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly keepCompiled: KeepCompiled;
}

/** The value of a flag that is a count, or undefined if it was not given. */
export function countOf({ flags }: Pick<Invocation, "flags">, name: string, most: number): number | undefined {
  const value = flags[name];
  if (value === undefined) return undefined;
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new Problem("invalid", `--${name} must be a number from 1 to ${most}.`);
}

/** Prints a tool's result, as text or as JSON. @returns the exit code */
export function printResult<R>(
  result: CallResult<R>,
  asJson: unknown,
  shown: (answer: R) => Printable | string,
): number {
  if (asJson) printJson(result.structuredContent);
  else if (result.isError) log(result.content[0]!.text);
  else print(shown(result.structuredContent));
  return result.isError ? 1 : 0;
}

/** A time in the user's time zone, to the minute. Swedish dates have the form of ISO 8601. */
export function localTime(time: number): string {
  return new Date(time).toLocaleString("sv").slice(0, 16);
}
