// commonplace version: prints the version.
import { NAME, print, printJson, VERSION } from "../kernel/kernel.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "version [--json]",
  help: "Shows the version, as --version does for every command.",
  flags: { json: { help: "as JSON" } },
  // A damaged config file does not matter here.
  ignoresConfigErrors: true,
  run: async ({ flags }) => {
    if (flags["json"]) printJson({ name: NAME, version: VERSION });
    else print(`${NAME} ${VERSION}`);
    return 0;
  },
};
