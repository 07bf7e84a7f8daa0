// commonplace add: appends a text to the note of today, or to another note.
import { text as textOfStream } from "node:stream/consumers";
import { openCommonplace } from "../../app/app.ts";
import { printable, Problem } from "../../kernel/kernel.ts";
import { usageLine } from "../../setup/setup.ts";
import { COMMAND_LINE_CONTEXT, printResult, textOf, type Command } from "../command.ts";
import { noteGuideVault } from "../guide-vault.ts";

export const command: Command = {
  usage: "add TEXT… [--to NOTE] [--heading HEADING] [--json]",
  help: `Adds a line of text to the note of today, at its end, and begins the note if it is not there yet.
add - reads the text from standard input, and add - [ ] Call Anna adds a task.`,
  flags: {
    to: { value: "NOTE", help: "to this note: a path, a name, a [[link]] or an address such as daily:tomorrow" },
    heading: { value: "HEADING", help: "at the end of this section" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, words, flags } = invocation;
    const isStream = words.length === 1 && words[0] === "-";
    const text = isStream ? (await textOfStream(process.stdin)).replace(/\r?\n$/, "") : words.join(" ");
    if (text.trim() === "") throw new Problem("invalid", `Say what to add: ${usageLine(command.usage)}`);
    const filePath = textOf(invocation, "to") ?? "daily:today";
    const sent = {
      filePath,
      content: `${text}\n`,
      heading: textOf(invocation, "heading"),
      context: COMMAND_LINE_CONTEXT,
    };
    const commonplace = openCommonplace(settings);
    try {
      const result = await commonplace.call("contentManager_appendContent", sent, { asker: "person" });
      if (result === undefined) throw new Problem("invalid", "Nothing was added: the server is read-only.");
      noteGuideVault({ settings, flags });
      return printResult(
        result,
        flags["json"],
        ({ data, vault }) =>
          printable`Added to ${data.filePath}${vault === undefined ? "" : ` in ${vault}`}${data.created === true ? ", which is new" : ""}.`,
      );
    } finally {
      await commonplace.close();
    }
  },
};
