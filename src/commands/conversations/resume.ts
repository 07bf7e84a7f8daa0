// commonplace resume: opens a past conversation again in its own program, in the
// folder that it was in.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { openCommonplace } from "../../app/app.ts";
import type { WayBack } from "../../conversations/conversations.ts";
import { print, Problem, programOnPath } from "../../kernel/kernel.ts";
import { usageLine } from "../../setup/setup.ts";
import type { Command } from "../command.ts";
import { foundConversation, idIn } from "./found-conversation.ts";

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
    return await start(way);
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

async function start({ command: [name, ...args], folder, line }: WayBack): Promise<number> {
  if (folder !== undefined && !isFolder(folder))
    throw new Problem(
      "not_found",
      `The folder of this conversation is not there: ${folder}`,
      "It may have been renamed, or its drive may not be mounted.",
    );
  const program = programOnPath(name);
  if (program === undefined)
    throw new Problem("not_found", `${name} is not installed, or not on the PATH.`, `The command is: ${line}`);
  // The terminal sends these to both: the program decides, and this process waits for it.
  for (const signal of ["SIGINT", "SIGQUIT"] as const) process.on(signal, () => {});
  const running = spawn(program, args, { cwd: folder, stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => running.kill(signal));
  const [code] = (await once(running, "close")) as [number | null];
  return code ?? 1;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
