// commonplace push: adds what this machine alone has to the shared store.
import { noStore, openCommonplace, type PushedMemory } from "../../app/app.ts";
import { counted, joined, print, printable, printJson, Problem } from "../../kernel/kernel.ts";
import { SETTINGS, type Settings } from "../../settings.ts";
import { pushingTo } from "../../setup/setup.ts";
import type { Command } from "../command.ts";
import { withProgress } from "../progress.ts";

export const command: Command = {
  usage: "push memory [--space NAME] [--install | --remove] [--yes] [--json]",
  help: `Adds the memory of this machine (sessions, states, workspaces and traces of calls) to a space
of the shared store, where every member of the space can read it. Nothing is pushed unless you
say so. Secrets are redacted first, and what mentions hidden files stays here. Only what the
store does not have is sent: an interrupted push is continued by the next one. Other machines
with the same store, and a vault of the same name, find it at once. --install has the system
push every hour.`,
  flags: {
    space: { value: "NAME", help: "the space, if you are in several" },
    install: { help: "have the system push every hour; shows what it writes first" },
    remove: { help: "take that out again" },
    yes: { help: "with --install or --remove: do not ask" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, flags, words } = invocation;
    if (words.length !== 1 || words[0] !== "memory")
      throw new Problem("invalid", "Say what to push: memory.", command.usage);
    const space = typeof flags["space"] === "string" ? flags["space"] : undefined;
    if (flags["install"] && flags["remove"]) throw new Problem("invalid", "--install and --remove exclude each other.");
    if (flags["yes"] && !flags["install"] && !flags["remove"])
      throw new Problem("invalid", "--yes requires --install or --remove.");
    if (flags["remove"]) return (await import("../schedule.ts")).remove(invocation, pushingTo(space));
    if (settings.store === undefined) throw noStore();
    if (flags["install"]) {
      checkPassword(settings);
      return (await import("../schedule.ts")).install(invocation, pushingTo(space));
    }
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

/** The system starts the program without the variables of this terminal, and what it starts is for all to see. */
function checkPassword({ store, origins }: Settings): void {
  const isInVariable = new URL(store!.reveal()).password !== "" && origins.store === SETTINGS.store.variable;
  if (isInVariable || process.env["PGPASSWORD"])
    throw new Problem(
      "invalid",
      "The system would start the push without the password, which only this terminal has.",
      "Put it into ~/.pgpass, or the whole address into the config file.",
    );
}

function lineOf(space: string, { vault, total, added, hidden }: PushedMemory["vaults"][number], seconds: string) {
  const kept = hidden === 0 ? "" : `, ${hidden} about hidden files not shared`;
  return printable`${vault} to ${space}: ${counted(total, "event")}, ${added} new${kept}, in ${seconds} s`;
}
