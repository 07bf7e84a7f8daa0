// commonplace call: calls one tool, by the same code as a host's call.
import { text } from "node:stream/consumers";
import { openCommonplace } from "../app/app.ts";
import { isRecord, nearestOrLonger, printJson, Problem } from "../kernel/kernel.ts";
import { requiresContext, TOOLS } from "../tools/tools.ts";
import { COMMAND_LINE_CONTEXT, type Command } from "./command.ts";
import { usageLine } from "../setup/setup.ts";

export const command: Command = {
  usage: "call TOOL [JSON]",
  help: `Calls one tool and prints its result as one line of JSON. JSON contains the
arguments; - reads them from standard input. Every tool can be called,
regardless of --toolsets. Calls share no state: an outline that one call opens
is not open in the next; name it with --outline FILE. A context that a tool
requires may be left out. The exit code is 1 if the tool returns an error.`,
  flags: { json: { help: "no effect: the output is always JSON" } },
  takesArguments: true,
  run: async ({ settings, words }) => {
    const [name, json = "{}", ...more] = words;
    if (name === undefined)
      throw new Problem(
        "invalid",
        `Name a tool: ${usageLine(command.usage)}`,
        toolsNamed(TOOLS.map((tool) => tool.name)),
      );
    if (more.length > 0)
      throw new Problem("invalid", `Too many arguments (quote the JSON): ${usageLine(command.usage)}`);
    const sent = parseArguments(json === "-" ? await text(process.stdin) : json);
    // get_server_version names the toolsets that are offered here.
    const commonplace = openCommonplace({ ...settings, toolsets: ["all"] });
    try {
      const result = await commonplace.call(name, withContext(name, sent), { asker: "program" });
      if (result === undefined) {
        if (TOOLS.some((tool) => tool.name === name))
          throw new Problem("invalid", `${name} writes: it is not available with --read-only or --memory off.`);
        const names = (await commonplace.toolbox("program")).tools.map((tool) => tool.name);
        const meant = nearestOrLonger(name, names);
        throw new Problem("invalid", `Unknown tool '${name}'.`, meant ? `Did you mean ${meant}?` : toolsNamed(names));
      }
      printJson(result.structuredContent);
      return result.isError ? 1 : 0;
    } finally {
      await commonplace.close();
    }
  },
};

function toolsNamed(names: readonly string[]): string {
  return `Tools: ${names.join(", ")}.`;
}

/** The arguments with the context that hosts send, if the tool requires one: a command line has no session. */
function withContext(name: string, sent: unknown): unknown {
  const isRequired = TOOLS.some((tool) => tool.name === name && requiresContext(tool));
  if (!isRequired || !isRecord(sent) || "context" in sent) return sent;
  return { ...sent, context: COMMAND_LINE_CONTEXT };
}

function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Problem("invalid", `The arguments are not JSON: ${(error as Error).message}`);
  }
}
