// commonplace completions: the script by which a shell completes the commands and
// their flags, made from the table of commands.
import { multiline, print, Problem } from "../../kernel/kernel.ts";
import { SETTINGS } from "../../settings.ts";
import { usageLine } from "../../setup/setup.ts";
import type { Command, CommandFlag } from "../command.ts";
import { COMMANDS } from "../commands.ts";
import { type Completed, type CompletedFlag, SCRIPTS } from "./scripts.ts";

const SHELLS = Object.keys(SCRIPTS);

export const command: Command = {
  usage: `completions ${SHELLS.join("|")}`,
  help: `Prints the completion script of a shell:
bash  in ~/.bashrc:  source <(commonplace completions bash)
zsh   commonplace completions zsh > "\${fpath[1]}/_commonplace"
fish  commonplace completions fish > ~/.config/fish/completions/commonplace.fish`,
  takesArguments: true,
  choices: SHELLS,
  ignoresConfigErrors: true,
  run: async ({ words }) => {
    const [shell = "", ...more] = words;
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined || more.length > 0)
      throw new Problem("invalid", `Name a shell: ${usageLine(command.usage)}`);
    print(multiline(script(await completed()).trimEnd()));
    return 0;
  },
};

async function completed(): Promise<Completed> {
  const commands = Object.entries(COMMANDS).map(async ([name, { summary, load }]) => {
    const { flags = {}, choices } = (await load()).command;
    return { name, summary, flags: flagsOf({ ...flags, help: { help: "show the help" } }), choices };
  });
  const settings = Object.values(SETTINGS).flatMap((setting) =>
    setting.flag === undefined ? [] : [[setting.flag, setting] as const],
  );
  return { commands: await Promise.all(commands), settings: flagsOf(Object.fromEntries(settings)) };
}

function flagsOf(flags: Readonly<Record<string, CommandFlag>>): CompletedFlag[] {
  return Object.entries(flags).map(([name, { value, short, choices, help }]) => ({
    name,
    short,
    takesValue: value !== undefined,
    choices,
    help,
  }));
}
