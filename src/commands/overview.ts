// commonplace without a command, in a terminal: shows the state of every part and
// how to connect a host.
import { NAME, print, printable, VERSION } from "../kernel/kernel.ts";
import type { Settings } from "../settings.ts";
import { selectTools, TOOLS } from "../tools/tools.ts";
import type { Command } from "./command.ts";
import { howToConnect } from "./connect/connect.ts";
import { shortTableOf } from "./doctor/table.ts";
import { commandLine, findings } from "../setup/setup.ts";

export const command: Command = {
  usage: "",
  help: "In a terminal: shows what was found and how to connect. Started by a host: MCP over stdio.",
  ignoresConfigErrors: true,
  run: async ({ settings }) => {
    print(
      printable`${NAME} ${VERSION}\n\n${shortTableOf(await findings(settings))}\n\n${toolsOffered(settings)}\n\n${howToConnect(settings)}\n\n'${commandLine("--help")}' shows the commands.`,
    );
    return 0;
  },
};

function toolsOffered(settings: Settings): string {
  const offered = selectTools(settings).tools.length;
  const more = offered === TOOLS.length ? "" : "; --toolsets all offers every one, --toolsets lean the most useful few";
  return `Tools:       ${offered} of ${TOOLS.length} are offered to hosts${more}`;
}
