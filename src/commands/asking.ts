// Asks the person before something is done that cannot be taken back so easily.
// Used by the commands that have a --yes.
import { ask, canAsk, print } from "../kernel/kernel.ts";
import type { Invocation } from "./command.ts";

/** Whether they agree. Nobody can where there is no terminal: then what to add to the command is said, and it is a no. */
export async function agreed({ flags }: Pick<Invocation, "flags">, question: string, yes: string): Promise<boolean> {
  if (flags["yes"]) return true;
  // A program asked, and reads one line.
  if (flags["json"]) return false;
  if (!canAsk()) {
    print(`There is no terminal to ask in: --yes ${yes}.`);
    return false;
  }
  return /^y(?:es)?$/i.test(((await ask(`${question} [y/N]`)) ?? "").trim());
}
