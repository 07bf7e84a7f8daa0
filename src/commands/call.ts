// commonplace call: one tool call from the command line, the same way in as a
// host's.
import { text } from "node:stream/consumers";
import { openCommonplace } from "../app.ts";
import { nearest, printJson, Problem } from "../kernel/kernel.ts";
import { TOOLS } from "../tools/tools.ts";
import type { Command } from "./command.ts";
import { usageLine } from "./program-name.ts";

export const command: Command = {
  usage: "call TOOL [JSON]",
  help: `Calls one tool and prints its result as one line of JSON. JSON holds the
arguments; - reads them from standard input. Every tool can be called,
whatever --toolsets says. Each call stands alone: the outline that one opens is
not open in the next, --outline FILE names it. Exit code 1 where the tool
answers with an error.`,
  flags: { json: { help: "as JSON: the only form there is" } },
  takesWords: true,
  run: async ({ settings, words }) => {
    const [name, json = "{}", ...more] = words;
    if (name === undefined) throw new Problem("invalid", `Say which tool: ${usageLine(command.usage)}`);
    if (more.length > 0) throw new Problem("invalid", `Too many words (quote the JSON): ${usageLine(command.usage)}`);
    const sent = parseArguments(json === "-" ? await text(process.stdin) : json);
    // get_server_version names the toolsets that are offered here.
    const commonplace = openCommonplace({ ...settings, toolsets: ["all"] });
    try {
      const result = await commonplace.call(name, sent, { asker: "program" });
      if (result === undefined) {
        if (TOOLS.some((tool) => tool.name === name))
          throw new Problem("invalid", `${name} writes, and is left out by --read-only or --memory off.`);
        const names = (await commonplace.toolbox("program")).tools.map((tool) => tool.name);
        const meant = nearest(name, names);
        throw new Problem(
          "invalid",
          `There is no tool '${name}'.`,
          meant ? `Did you mean ${meant}?` : `There are ${names.join(", ")}.`,
        );
      }
      printJson(result.structuredContent);
      return result.isError ? 1 : 0;
    } finally {
      await commonplace.close();
    }
  },
};

function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Problem("invalid", `The arguments are not JSON: ${(error as Error).message}`);
  }
}
