// Asks which notes a host shall get, where the person named none: those of the
// vaults that Obsidian knows or that were served, a folder, or the guide. Used by
// connect.
import { statSync } from "node:fs";
import { ask, joined, print, printable, Problem } from "../../kernel/kernel.ts";
import { readSettings, type Settings } from "../../settings.ts";
import { knownVaults, thisMachine } from "../../setup/setup.ts";
import type { Invocation } from "../command.ts";

/** More are no list to choose from. */
const MAX_VAULTS = 9;

/** @returns the settings with these notes; undefined if the person gave no answer (Ctrl-C, Ctrl-D) */
export async function chooseNotes({
  settings,
  flags,
}: Pick<Invocation, "settings" | "flags">): Promise<Settings | undefined> {
  const known = knownVaults(settings, thisMachine()).slice(0, MAX_VAULTS);
  print(
    joined([
      "Which notes?",
      ...known.map(({ vault, why }, i) => printable`  ${i + 1}  ${vault}  (${why})`),
      printable`  0  ${settings.vault}  (the guide, to try it)`,
    ]),
  );
  const usual = known.length > 0 ? "1" : "0";
  for (;;) {
    const answer = (await ask(`A number, or the folder of your notes [${usual}]`))?.trim();
    if (answer === undefined) return undefined;
    const chosen = answer === "" ? usual : answer;
    if (chosen === "0") return settings;
    const vault = known[Number(chosen) - 1]?.vault ?? chosen;
    try {
      const { name: _, remove: __, yes: ___, json: ____, ...ofSettings } = flags;
      const withNotes = readSettings({ ...ofSettings, vault: [vault] }, process.env, process.cwd());
      checkVaults(withNotes);
      return withNotes;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      print([error.message, error.hint].filter(Boolean).join(" "));
    }
  }
}

/** Throws if a vault does not exist: every call of the host would fail. */
export function checkVaults({ vaults, origins }: Settings): void {
  const folders = vaults.filter(({ space }) => space === undefined);
  for (const { folder } of folders) {
    const there = statSync(folder, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) continue;
    if (there !== undefined)
      throw new Problem("invalid", `${folder} is not a folder. Nothing was written.`, "Name the folder of your notes.");
    throw new Problem(
      "invalid",
      `The folder ${folder} does not exist. Nothing was written.`,
      `Check ${origins.vault}; its drive may not be mounted.`,
    );
  }
}
