// commonplace handoff: starts another assistant with what it needs to go on with a
// past conversation, or prints that.
import { openCommonplace } from "../../app/app.ts";
import { handoffOf } from "../../conversations/conversations.ts";
import { multiline, print, Problem } from "../../kernel/kernel.ts";
import { usageLine } from "../../setup/setup.ts";
import { choiceOf, type Command } from "../command.ts";
import { foundConversation, idIn } from "./found-conversation.ts";
import { startProgram } from "./program-start.ts";

/** How each takes its first prompt, as its manual says, and goes on interactively. */
const STARTS: Readonly<Record<string, (prompt: string) => readonly [string, ...string[]]>> = {
  "claude-code": (prompt) => ["claude", prompt],
  codex: (prompt) => ["codex", prompt],
  gemini: (prompt) => ["gemini", "--prompt-interactive", prompt],
  opencode: (prompt) => ["opencode", "--prompt", prompt],
  qwen: (prompt) => ["qwen", "--prompt-interactive", prompt],
};

const PROGRAMS = Object.keys(STARTS);

export const command: Command = {
  usage: "handoff ID --to PROGRAM [--print]",
  help: `Hands a past conversation, of any program, to another assistant: the goal, decisions,
the files that it changed and their state, open points, and where it stopped, in at most
1,500 tokens, quoted with the ids of the messages. Starts the assistant with that in the
folder of the conversation, without a shell. No model is asked.`,
  flags: {
    to: { value: "PROGRAM", choices: PROGRAMS, help: PROGRAMS.join(", ") },
    print: { help: "print it, and start nothing" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, words, flags } = invocation;
    const id = idIn(words, command.usage);
    const to = choiceOf(invocation, "to", PROGRAMS);
    if (to === undefined && !flags["print"])
      throw new Problem(
        "invalid",
        `Say to which assistant: ${usageLine(command.usage)}`,
        `One of ${PROGRAMS.join(", ")}.`,
      );
    const { text, folder } = await handoff(id, settings);
    if (to === undefined || flags["print"]) {
      print(multiline(text.trimEnd()));
      return 0;
    }
    return await startProgram(
      { command: STARTS[to]!(text), folder },
      `'${usageLine(`handoff ${id} --print`)}' prints what it would be given.`,
    );
  },
};

/** Nothing of ours stays open while the program runs. */
async function handoff(
  id: string,
  settings: Parameters<typeof openCommonplace>[0],
): Promise<{ readonly text: string; readonly folder: string | undefined }> {
  const commonplace = openCommonplace(settings);
  try {
    const { store, conversation } = await foundConversation(commonplace, id, true);
    const messages = [...store.messages(conversation)].flat();
    const { editsOf, standingOf } = store;
    const text = handoffOf({ conversation, messages, editsOf, standingOf });
    return { text, folder: conversation.folder };
  } finally {
    await commonplace.close();
  }
}
