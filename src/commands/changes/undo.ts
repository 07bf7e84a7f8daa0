// commonplace undo and commonplace redo: reverse a change, whichever client made
// it, and apply it again.
import { openCommonplace } from "../../app/app.ts";
import { Problem } from "../../kernel/kernel.ts";
import { printResult, type Command } from "../command.ts";
import { noteGuideVault } from "../guide-vault.ts";
import { usageLine } from "../../setup/setup.ts";

export const undo = commandFor(
  "undo",
  "Undoes the last change of the vault or the outlines, or the one with this id (the command history\nlists them). Fails if the files have changed since.",
);

export const redo = commandFor("redo", "Applies the change that was undone last, or the one with this id, again.");

function commandFor(tool: "undo" | "redo", help: string): Command {
  return {
    usage: `${tool} [ID] [--json]`,
    help,
    flags: { json: { help: "as JSON" } },
    takesArguments: true,
    run: async ({ settings, words, flags }) => {
      const [id, ...more] = words;
      if (more.length > 0) throw new Problem("invalid", `Too many arguments: ${usageLine(`${tool} [ID]`)}`);
      const commonplace = openCommonplace(settings);
      try {
        const result = await commonplace.call(tool, { id }, { asker: "person" });
        if (result === undefined) throw new Problem("invalid", "Nothing was changed: the server is read-only.");
        noteGuideVault({ settings, flags });
        return printResult(result, flags["json"], ({ message }) => message);
      } finally {
        await commonplace.close();
      }
    },
  };
}
