// commonplace resume: opens a past conversation again in its own program, in the
// folder that it was in.
import { openCommonplace } from "../../app/app.ts";
import type { WayBack } from "../../conversations/conversations.ts";
import { print, Problem } from "../../kernel/kernel.ts";
import { usageLine } from "../../setup/setup.ts";
import type { Command } from "../command.ts";
import { foundConversation, idIn } from "./found-conversation.ts";
import { startProgram } from "./program-start.ts";

export const command: Command = {
  usage: "resume ID [--print]",
  help: `Opens a past conversation again in its own program, by the command that the
program documents, in the folder that the conversation was in. No shell is used. ID
is what search shows; source/id and the beginning of an id are enough.`,
  flags: { print: { help: "print the command, and start nothing" } },
  takesArguments: true,
  run: async ({ settings, words, flags }) => {
    const way = await wayInto(idIn(words, command.usage), settings);
    if (flags["print"]) {
      print(way.line);
      return 0;
    }
    return await startProgram(way, `The command is: ${way.line}`);
  },
};

/** Nothing of ours stays open while the program runs. */
async function wayInto(id: string, settings: Parameters<typeof openCommonplace>[0]): Promise<WayBack> {
  const commonplace = openCommonplace(settings);
  try {
    const { store, conversation } = await foundConversation(commonplace, id);
    const way = store.wayBack(conversation);
    if ("line" in way) return way;
    const hint = `'${usageLine("read ID")}' shows it.`;
    throw new Problem("unavailable", `This conversation cannot be opened again: ${way.reason}.`, hint);
  } finally {
    await commonplace.close();
  }
}
