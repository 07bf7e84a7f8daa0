// Asks the person before something is done that cannot be taken back so easily.
// Used by the commands that have a --yes.
import { print, type Invocation } from "./command.ts";

/** Whether they agree. Nobody can where there is no terminal: then what to add to the command is said, and it is a no. */
export async function agreed({ flags }: Pick<Invocation, "flags">, question: string, yes: string): Promise<boolean> {
  if (flags["yes"]) return true;
  // A program asked, and reads one line.
  if (flags["json"]) return false;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    print(`There is no terminal to ask in: --yes ${yes}.`);
    return false;
  }
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } catch {
    // Ctrl-C or Ctrl-D.
    return false;
  } finally {
    terminal.close();
  }
}
