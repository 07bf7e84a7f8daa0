// How an action of the command `store` ends: what was done, or that nothing was.
import { print, printable, printJson } from "../../kernel/kernel.ts";
import type { Invocation } from "../command.ts";

export function done({ flags }: Invocation, sentence: string, result: Readonly<Record<string, unknown>>): number {
  if (flags["json"]) printJson(result);
  else print(printable`${sentence}`);
  return 0;
}

/** The person was asked, and did not agree. */
export function undone({ flags }: Invocation): number {
  if (flags["json"]) printJson({ message: "Nothing was changed. --yes does it." });
  else print("Nothing was changed.");
  return 1;
}
