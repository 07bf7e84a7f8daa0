// commonplace doctor: what was found, and what to do about what is wrong.
import { print, printable, printJson } from "../../kernel/kernel.ts";
import type { Command } from "../command.ts";
import { findings } from "./checks.ts";
import { summaryOf, tableOf } from "./table.ts";

export const command: Command = {
  usage: "doctor [--json]",
  help: "Looks at everything the server works on, changes nothing, and says what to do\nabout problems; the last line sums up. Exit code 1 where there is one.",
  flags: { json: { help: "as JSON" } },
  ignoresConfigErrors: true,
  run: async ({ settings, flags }) => {
    const found = await findings(settings);
    if (flags["json"]) printJson({ findings: found, summary: summaryOf(found) });
    else print(printable`${tableOf(found)}\n\n${summaryOf(found)}`);
    return found.some(({ state }) => state === "problem") ? 1 : 0;
  },
};
