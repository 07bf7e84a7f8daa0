// commonplace doctor: prints what every check found, and how to fix problems.
import { print, printable, printJson } from "../../kernel/kernel.ts";
import type { Command } from "../command.ts";
import { findings } from "../../setup/setup.ts";
import { summaryOf, tableOf } from "./table.ts";

export const command: Command = {
  usage: "doctor [--secrets] [--json]",
  help: "Checks everything the server works on, changes nothing, and says how to fix\nproblems; the last line sums up. The exit code is 1 if there is a problem.",
  flags: {
    secrets: { help: "only look for keys and passwords in the conversations of all programs; none is shown" },
    json: { help: "as JSON" },
  },
  ignoresConfigErrors: true,
  run: async ({ settings, flags }) => {
    if (flags["secrets"]) return (await import("./secrets.ts")).showSecrets(settings, flags["json"] === true);
    const found = await findings(settings);
    if (flags["json"]) printJson({ findings: found, summary: summaryOf(found) });
    else print(printable`${tableOf(found)}\n\n${summaryOf(found)}`);
    return found.some(({ state }) => state === "problem") ? 1 : 0;
  },
};
