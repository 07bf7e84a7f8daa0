// The interface of a command, and what several commands share. commands.ts has
// the table of them; main.ts reads the arguments.
import { log, print, type Printable, printJson, Problem } from "../kernel/kernel.ts";
import type { Settings } from "../settings.ts";
import type { CallResult } from "../tools/tools.ts";

export interface Command {
  /** The command line after `commonplace `, for the help. */
  readonly usage: string;
  /** Says in a few lines what the command does. */
  readonly help: string;
  /**
   * Its own flags besides those of the settings, or instead of one of that name. A flag with `value` takes a value of
   * that name, with `repeats` several, and with `short` it has a letter, too.
   */
  readonly flags?: Readonly<Record<string, CommandFlag>>;
  /** True if it takes arguments besides flags. */
  readonly takesArguments?: true;
  /** The words that it takes, for completion. */
  readonly choices?: readonly string[];
  /** True if it runs with a damaged config file: it reports the damage, or needs no settings. */
  readonly ignoresConfigErrors?: true;
  /** True if nothing may be written after it, such as the code that was compiled. */
  readonly leavesNothing?: true;
  /** @returns the exit code: 0, 1 for an error, 2 for invalid usage */
  readonly run: (invocation: Invocation) => Promise<number>;
}

export interface CommandFlag {
  readonly value?: string;
  readonly repeats?: true;
  readonly short?: string;
  /** The values that it takes, for completion. */
  readonly choices?: readonly string[];
  readonly help: string;
}

/** Saves what V8 has compiled by now for the next start: see bin/code-cache.js. */
export type KeepCompiled = (after: "start" | "call") => void;

export interface Invocation {
  readonly settings: Settings;
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly keepCompiled: KeepCompiled;
}

/** For tools whose contract requires a context: a command line has no session. */
export const COMMAND_LINE_CONTEXT = {
  sessionId: "command-line",
  workspaceId: "default",
  sessionDescription: "Calls on the command line",
  sessionMemory: "",
  toolContext: "",
  primaryGoal: "",
  subgoal: "",
};

/** The value of a flag that is a count, or undefined if it was not given. */
export function countOf({ flags }: Pick<Invocation, "flags">, name: string, most: number): number | undefined {
  const value = flags[name];
  if (value === undefined) return undefined;
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new Problem("invalid", `--${name} must be a number from 1 to ${most}.`);
}

/** The value of a flag that is one of several words, or undefined if it was not given. */
export function choiceOf<T extends string>(
  { flags }: Pick<Invocation, "flags">,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = flags[name];
  const choice = choices.find((each) => each === value);
  if (choice !== undefined || value === undefined) return choice;
  throw new Problem("invalid", `--${name} must be one of ${choices.join(", ")}.`);
}

/** The value of a flag that takes any text. */
export function textOf({ flags }: Pick<Invocation, "flags">, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** The values of a flag that takes several, each once, or undefined if it was not given. */
export function choicesOf<T extends string>(
  { flags }: Pick<Invocation, "flags">,
  name: string,
  choices: readonly T[],
): readonly T[] | undefined {
  const values = flags[name] as readonly string[] | undefined;
  const isChoice = (value: string): value is T => (choices as readonly string[]).includes(value);
  const chosen = values?.flatMap((value) => value.split(","));
  if (chosen === undefined || chosen.every(isChoice)) return chosen && [...new Set(chosen)];
  throw new Problem("invalid", `--${name} must be one of ${choices.join(", ")}.`);
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
