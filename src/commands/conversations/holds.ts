// commonplace holds: which conversations wrote a file or a note, and what of theirs is gone.
import { openCommonplace } from "../../app/app.ts";
import { joined, printable, type Printable, Problem } from "../../kernel/kernel.ts";
import { usageLine } from "../../setup/setup.ts";
import type { ResultNamed } from "../../tools/tools.ts";
import { localTime, printResult, type Command } from "../command.ts";

export const command: Command = {
  usage: "holds PATH [--in PROJECT] [--json]",
  help: `Lists the conversations that wrote a file or a note, the newest first, with the lines of
theirs that stand there, and what of them was changed since. Nothing is said where that
is not certain. PATH is in the project that you are in, or in a vault.`,
  flags: {
    in: { value: "PROJECT", help: "the project that has the file, by its name or folder" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async ({ settings, words, flags }) => {
    const [file, ...more] = words;
    if (file === undefined) throw new Problem("invalid", `Say which file: ${usageLine(command.usage)}`);
    if (more.length > 0) throw new Problem("invalid", `Too many arguments: ${usageLine(command.usage)}`);
    const commonplace = openCommonplace(settings);
    try {
      const sent = { file, holds: true, since: "all", fast_mode: false, limit: 100, project: flags["in"] };
      const result = (await commonplace.call("recall_conversations", sent, { asker: "person" }))!;
      return printResult(result, flags["json"], shown);
    } finally {
      await commonplace.close();
    }
  },
};

function shown({ conversations, summary }: ResultNamed<"recall_conversations">): Printable {
  return joined([
    ...(summary.note === undefined ? [] : [printable`${summary.note}`]),
    ...conversations.map(
      ({ id, title, source_tool, updated_at, holds, changed_lines }) =>
        printable`${holds ?? "?"}${changed_lines === undefined ? "" : ` (lines ${changed_lines})`}  ${localTime(Date.parse(updated_at))}  ${source_tool}/${id}  ${title}`,
    ),
  ]);
}
