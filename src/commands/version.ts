// commonplace version: which version this is.
import { NAME, print, printJson, VERSION } from "../kernel/kernel.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  usage: "version [--json]",
  help: "Shows the version, as --version does with every command.",
  flags: { json: { help: "as JSON" } },
  // A damaged config file has nothing to do with it.
  looksAtConfig: true,
  run: async ({ flags }) => {
    if (flags["json"]) printJson({ name: NAME, version: VERSION });
    else print(`${NAME} ${VERSION}`);
    return 0;
  },
};
