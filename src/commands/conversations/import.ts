// commonplace import: takes in the conversations of an archive that claude.ai or
// ChatGPT sent.
import { resolve } from "node:path";
import { openCommonplace } from "../../app/app.ts";
import { importSummary, type Imported } from "../../conversations/conversations.ts";
import { joined, print, printable, type Printable, printJson, Problem } from "../../kernel/kernel.ts";
import type { Command } from "../command.ts";
import { commandLine } from "../../setup/setup.ts";
import { withProgress } from "../progress.ts";

export const command: Command = {
  usage: "import FILE [--json]",
  help: `Takes in the conversations of an archive: the zip file that claude.ai (Settings, Privacy,
Export data) or ChatGPT (Settings, Data controls, Export) sends, the folder it was unpacked
to, or its conversations.json. Nothing else in it is read. Afterwards the file is no longer
needed: what was imported stays, also when conversations are indexed again or forgotten.
A newer archive adds and replaces; importing one twice changes nothing.`,
  flags: { json: { help: "as JSON" } },
  takesArguments: true,
  run: async ({ settings, words, flags }) => {
    const [file, ...more] = words;
    if (file === undefined) throw new Problem("invalid", "Name the file to import.", command.usage);
    if (more.length > 0) throw new Problem("invalid", `Unexpected argument '${more[0]}'.`);
    const commonplace = openCommonplace(settings);
    try {
      const { result, seconds } = await withProgress("importing, in MB:", (onProgress) =>
        commonplace.importArchive(resolve(file), {
          onProgress: (done, total) => onProgress(megabytes(done), megabytes(total)),
        }),
      );
      if (flags["json"]) printJson(result);
      else print(shown(result, seconds));
      return result.incomplete === undefined ? 0 : 1;
    } finally {
      await commonplace.close();
    }
  },
};

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

function shown(result: Imported, seconds: string): Printable {
  const { incomplete } = result;
  if (result.from.length === 0) return printable`${importSummary(result)}.`;
  return joined([
    printable`${importSummary(result)}, in ${seconds} s`,
    ...(incomplete === undefined ? [] : [printable`The archive could not be read to its end: ${incomplete}`]),
    printable`'${commandLine("search")} WORDS' finds them.`,
  ]);
}
