// The words by which the user ran the program, for hints that contain a command:
// in a checkout there is no `commonplace` on PATH.
import { calledAs } from "./hosts/launch.ts";
import { shellWords } from "./hosts/shell-words.ts";

/** A command to paste into a shell. */
export function commandLine(...words: readonly string[]): string {
  return shellWords([...calledAs({ script: process.argv[1]! }), ...words]);
}

/** A usage line, with placeholders in brackets or capitals. */
export function usageLine(usage: string): string {
  return `${commandLine()} ${usage}`;
}
