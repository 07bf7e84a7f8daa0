// A note on standard error that a command used the guide's vault although the
// user has served a vault of their own, so that an empty result is not mistaken
// for that vault's. Used by the commands that read a vault.
import { printError } from "../kernel/kernel.ts";
import type { Invocation } from "./command.ts";
import { servingRecords, shellWords } from "../setup/setup.ts";

export function noteGuideVault({ settings, flags }: Pick<Invocation, "settings" | "flags">): void {
  if (settings.origins.vault !== "default" || flags["json"]) return;
  const [last] = servingRecords(settings)
    .filter(({ isGuide }) => !isGuide)
    .toSorted((a, b) => b.last - a.last);
  if (last === undefined) return;
  const own = shellWords(["--vault", last.vault]);
  printError(`No vault was named, so this is the guide's vault. For yours: ${own}`);
}
