// The commands undo and redo.
import { openCommonplace } from "../app.ts";
import { Problem } from "../kernel/kernel.ts";
import { printResult, type Command } from "./command.ts";
import { noteGuideVault } from "./guide-vault.ts";
import { usageLine } from "./program-name.ts";

export function journalStep(tool: "undo" | "redo", help: string): Command {
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
