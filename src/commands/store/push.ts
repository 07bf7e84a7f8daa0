// commonplace push: adds what this machine alone has to the shared store.
import { openCommonplace, type PushedMemory } from "../../app/app.ts";
import { counted, joined, print, printable, printJson, Problem } from "../../kernel/kernel.ts";
import type { Command } from "../command.ts";
import { withProgress } from "../progress.ts";

export const command: Command = {
  usage: "push memory [--space NAME] [--json]",
  help: `Adds the memory of this machine (sessions, states, workspaces and traces of calls) to a space
of the shared store, where every member of the space can read it. Nothing is pushed unless you
say so. Secrets are redacted first, and what mentions hidden files stays here. Only what the
store does not have is sent: an interrupted push is continued by the next one. Other machines
with the same store, and a vault of the same name, find it at once.`,
  flags: {
    space: { value: "NAME", help: "the space, if you are in several" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async ({ settings, flags, words }) => {
    if (words.length !== 1 || words[0] !== "memory")
      throw new Problem("invalid", "Say what to push: memory.", command.usage);
    const space = typeof flags["space"] === "string" ? flags["space"] : undefined;
    const commonplace = openCommonplace(settings);
    try {
      const { result, seconds } = await withProgress("pushing", (onProgress) =>
        commonplace.pushMemory({ space, onProgress }),
      );
      if (flags["json"]) printJson(result);
      else print(joined(result.vaults.map((vault) => lineOf(result.space, vault, seconds))));
      return 0;
    } finally {
      await commonplace.close();
    }
  },
};

function lineOf(space: string, { vault, total, added, hidden }: PushedMemory["vaults"][number], seconds: string) {
  const kept = hidden === 0 ? "" : `, ${hidden} about hidden files not shared`;
  return printable`${vault} to ${space}: ${counted(total, "event")}, ${added} new${kept}, in ${seconds} s`;
}
