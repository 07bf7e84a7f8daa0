// That a command looked into the vault with the guide, though the person has
// served one of their own: said on standard error, so that an empty answer is
// not taken for the truth about that one. Used by commands that look into a
// vault.
import { printError } from "../kernel/kernel.ts";
import type { Invocation } from "./command.ts";
import { shellWords } from "./connect/shell-words.ts";
import { servingRecords } from "./serving-records.ts";

export function noteGuideVault({ settings, flags }: Pick<Invocation, "settings" | "flags">): void {
  if (settings.sources.vault !== "default" || flags["json"]) return;
  const [last] = servingRecords(settings)
    .filter(({ isGuide }) => !isGuide)
    .toSorted((a, b) => b.last - a.last);
  if (last === undefined) return;
  const own = shellWords(["--vault", last.vault], process.platform);
  printError(`No vault was named: this is about the one with the guide. Yours is ${own}`);
}
