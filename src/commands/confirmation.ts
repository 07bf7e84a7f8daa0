// Asks the user to confirm a change that is hard to reverse. Used by the commands
// with a --yes flag.
import { ask, canAsk, print } from "../kernel/kernel.ts";
import type { Invocation } from "./command.ts";

/**
 * @param yes what --yes does, for the message if there is no terminal to ask in
 */
export async function isConfirmed(
  { flags }: Pick<Invocation, "flags">,
  question: string,
  yes: string,
): Promise<boolean> {
  if (flags["yes"]) return true;
  // The output is one line of JSON, for a program.
  if (flags["json"]) return false;
  if (!canAsk()) {
    print(`There is no terminal to ask in: --yes ${yes}.`);
    return false;
  }
  return /^y(?:es)?$/i.test(((await ask(`${question} [y/N]`)) ?? "").trim());
}
