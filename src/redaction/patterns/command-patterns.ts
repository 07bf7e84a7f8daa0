// The commands and files of tools that contain a secret which no name announces, as
// data in commands/. Used by finders/commands.ts.
import type { Command } from "./command-pattern.ts";
import { CALLS, VARIABLES } from "./commands/calls-and-variables.ts";
import { LAST_ARGUMENTS } from "./commands/last-arguments.ts";
import { OPTIONS } from "./commands/options.ts";
import { PRINTED_SECRETS } from "./commands/printed-secrets.ts";
import { TOOLS } from "./commands/tool-syntax.ts";

export const COMMANDS: readonly Command[] = [
  ...OPTIONS,
  ...LAST_ARGUMENTS,
  ...CALLS,
  ...VARIABLES,
  ...TOOLS,
  ...PRINTED_SECRETS,
];
