// The program as the person called it, for hints that name one of its commands:
// in a checkout there is no `commonplace` on the path.
import { calledAs } from "./connect/launch.ts";
import { shellWords } from "./connect/shell-words.ts";

/** A command to paste into a shell. */
export function commandLine(...words: readonly string[]): string {
  return shellWords([...calledAs({ script: process.argv[1]! }), ...words], process.platform);
}

/** How a command is used; what stands in brackets or capitals is for the person to fill in. */
export function usageLine(usage: string): string {
  return `${commandLine()} ${usage}`;
}
