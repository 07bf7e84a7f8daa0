// What a command of the command line is. main.ts holds the table of them and
// reads the arguments; each command is a file that is loaded only when used.
import type { Settings } from "../settings.ts";

export interface Command {
  /** After `commonplace `, in the help. */
  readonly usage: string;
  /** What it does, in a few lines. */
  readonly help: string;
  /** Its own switches and their help, beside those of the settings. A value's name makes it take one. */
  readonly flags?: Readonly<Record<string, { readonly value?: string; readonly help: string }>>;
  /** Whether words may follow it. */
  readonly takesWords?: true;
  /** The exit code: 0, 1 for an error, 2 for a call that was not right. */
  readonly run: (invocation: Invocation) => Promise<number>;
}

export interface Invocation {
  readonly settings: Settings;
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

let isHeard = false;

export function print(text: string): void {
  if (!isHeard) process.stdout.on("error", passOver);
  isHeard = true;
  process.stdout.write(`${text}\n`);
}

/** A reader that has seen enough (`| head`) is no error: the work goes on, and the exit code tells of it. */
function passOver(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
