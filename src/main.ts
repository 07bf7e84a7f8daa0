// Reads the command line and runs one command. The common case, a host that
// starts the server without arguments, loads nothing but the server. Called by
// bin/commonplace.js.
import { isatty } from "node:tty";
import { parseArgs } from "node:util";
import {
  COMMANDS,
  OVERVIEW,
  programName,
  type Command,
  type CommandEntry,
  type CommandFlag,
  type KeepCompiled,
} from "./commands/commands.ts";
import { foldersOf } from "./files/files.ts";
import {
  joined,
  log,
  multiline,
  NAME,
  nearest,
  print,
  printable,
  type Printable,
  printJson,
  Problem,
  shortened,
  VERSION,
} from "./kernel/kernel.ts";
import { readSettings, readSettingsDespiteConfig, SETTINGS } from "./settings.ts";

export async function main(argv: readonly string[], keepCompiled: KeepCompiled): Promise<void> {
  process.on("uncaughtException", crash);
  try {
    process.exitCode = await run(argv, keepCompiled);
  } catch (error) {
    const problem = error instanceof Problem ? error : (await import("./sqlite/sqlite.ts")).unforeseenProblem(error);
    if (isForProgram(argv)) await printFailure(problem ?? new Problem("internal", BUG));
    if (problem === undefined) return crash(error);
    if (!isForProgram(argv)) log(problem.hint === undefined ? problem.message : `${problem.message} ${problem.hint}`);
    process.exitCode = problem.code === "invalid" ? 2 : 1;
  }
}

const BUG = "This is a mistake in Commonplace: standard error has the details.";

/** Returns whether the output is read by a program, also if the arguments cannot be read: after -- are words. */
function isForProgram(argv: readonly string[]): boolean {
  return argv.slice(0, argv.includes("--") ? argv.indexOf("--") : undefined).includes("--json");
}

/** One line of JSON, with the fields of a failed tool call. */
async function printFailure(problem: Problem): Promise<void> {
  const { CONTRACTS } = await import("./tools/tools.ts");
  const { hint } = problem;
  printJson({ ...CONTRACTS.vault.of(problem), ...(hint !== undefined && { hint }) });
}

/** A bug. Node would print the error unescaped, and its message may contain foreign text. */
function crash(error: unknown): never {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}

async function run(argv: readonly string[], keepCompiled: KeepCompiled): Promise<number> {
  const at = commandIn(argv);
  const named = argv[at];
  if (named === "help") return run([...argv.slice(at + 1, at + 2), "--help"], keepCompiled);
  const { command } = await (await entryFor(named)).load();
  const { flags, words } = readArguments(argv.toSpliced(at, 1), command);
  if (flags["version"] || flags["help"]) {
    if (flags["version"]) print(`${NAME} ${VERSION}`);
    else print(named === undefined ? await programHelp() : await commandHelp(command));
    keepCompiled("start");
    return 0;
  }
  const read = command.ignoresConfigErrors ? readSettingsDespiteConfig : readSettings;
  const ofSettings = Object.fromEntries(
    Object.entries(flags).filter(([name]) => !Object.hasOwn(command.flags ?? {}, name)),
  );
  const settings = read(ofSettings, process.env, process.cwd());
  // The person's clock is that of the whole process: a day means the same in a search, a query of notes and a template.
  if (settings.timeZone !== undefined) process.env["TZ"] = settings.timeZone;
  // The commands that report errors of the config file report these as well.
  if (!command.ignoresConfigErrors) for (const warning of settings.configWarnings) log(`${warning} It has no effect.`);
  const code = await command.run({ settings, words, flags, keepCompiled });
  if (!command.leavesNothing) keepCompiled("start");
  return code;
}

/** The index of the command: the first argument that is neither a flag nor the value of a setting's flag. */
function commandIn(argv: readonly string[]): number {
  const withValue = new Set(
    Object.values(SETTINGS).flatMap((setting) => ("value" in setting ? [`--${setting.flag}`] : [])),
  );
  let at = 0;
  while (at < argv.length && argv[at]!.startsWith("-")) at += withValue.has(argv[at]!) ? 2 : 1;
  return at;
}

async function entryFor(name: string | undefined): Promise<CommandEntry> {
  if (name === undefined) return isatty(0) ? OVERVIEW : COMMANDS["serve"]!;
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry !== undefined) return entry;
  const meant = nearest(name, Object.keys(COMMANDS));
  throw new Problem(
    "invalid",
    `Unknown command '${shortened(name)}'.`,
    meant ? `Did you mean ${meant}?` : `'${await programName()} --help' lists the commands.`,
  );
}

const COMMON_FLAGS = {
  help: { short: "h", help: "show this help" },
  version: { short: "v", help: "show the version" },
} as const satisfies Record<string, CommandFlag>;

/** As `- [ ] call Anna`, in one argument. */
const LIST_ITEM = /^-\s/;

const asSent = (word: unknown) => (typeof word === "string" && /^ -\s/.test(word) ? word.slice(1) : word);

function readArguments(args: readonly string[], command: Command) {
  const known: Record<string, CommandFlag> = { ...settingFlags(), ...command.flags, ...COMMON_FLAGS };
  const options = Object.fromEntries(
    Object.entries(known).map(([flag, { value, repeats = false, short }]) => [
      flag,
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        multiple: repeats,
        ...(short !== undefined && { short }),
      },
    ]),
  );
  const { values, positionals, tokens } = parseArgs({
    // An item of a list is a text, never options: parseArgs takes none that begins with a dash.
    args: args.map((word) => (LIST_ITEM.test(word) ? ` ${word}` : word)),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    // In `-nuts` the letter of a flag begins a word that is to be left out.
    const beginsWord = flag?.short === token.rawName.slice(1) && token.inlineValue && !/^\d+$/.test(token.value);
    if (flag === undefined || beginsWord) {
      const isWord = command.takesArguments === true && !token.rawName.startsWith("--");
      const meant = isWord ? undefined : nearest(token.name, Object.keys(known));
      throw new Problem(
        "invalid",
        `Unknown option ${token.rawName}.`,
        meant
          ? `Did you mean --${meant}?`
          : isWord
            ? "Write -- before arguments that begin with -."
            : "'--help' lists the options.",
      );
    }
    if (flag.value !== undefined && token.value === undefined)
      throw new Problem("invalid", `--${token.name} needs a value: --${token.name} ${flag.value}`);
    if (flag.value === undefined && token.value !== undefined)
      throw new Problem("invalid", `--${token.name} takes no value after "=".`);
  }
  if (positionals.length > 0 && !command.takesArguments)
    throw new Problem("invalid", `Unexpected argument '${shortened(positionals[0]!)}'.`, "'--help' shows the usage.");
  const flags = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asSent(value)]));
  return {
    flags: flags as Record<string, string | boolean | undefined>,
    words: positionals.map((word) => asSent(word) as string),
  };
}

function settingFlags(): Record<string, CommandFlag> {
  return Object.fromEntries(
    Object.values(SETTINGS).flatMap((setting) => (setting.flag === undefined ? [] : [[setting.flag, setting]])),
  );
}

async function programHelp(): Promise<Printable> {
  const program = await programName();
  const commands = Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary] as const);
  return joined([
    `${NAME} ${VERSION}: your notes, outlines and past AI conversations, for AI assistants.`,
    "",
    `${program}                 in a terminal: shows what was found; started by a host: MCP over stdio`,
    `${program} COMMAND --help  more about one command`,
    "",
    columns(commands),
    "",
    settingsHelp(),
  ]);
}

async function commandHelp(command: Command): Promise<Printable> {
  const own = Object.entries({ ...command.flags, help: COMMON_FLAGS.help }).map(
    ([flag, { value, short, help }]: [string, CommandFlag]) =>
      [`${short === undefined ? "" : `-${short}, `}--${flag}${value === undefined ? "" : ` ${value}`}`, help] as const,
  );
  const program = await programName();
  return joined([
    `${program} ${command.usage}`,
    "",
    multiline(command.help),
    "",
    columns(own),
    "",
    `Every command takes the settings, such as --vault DIR: ${program} --help lists them.`,
  ]);
}

function settingsHelp(): Printable {
  const rows = Object.values(SETTINGS).map(
    (setting: { flag: string | undefined; variable: string; value?: string; help: string }) => {
      const flag =
        setting.flag === undefined ? "" : `--${setting.flag}${setting.value === undefined ? "" : ` ${setting.value}`}`;
      return [flag, setting.variable, setting.help] as const;
    },
  );
  const { config } = foldersOf(process.env);
  return printable`Settings, as a flag or a variable. The config file takes the flags as keys, such as\n{"vault": "~/Notes", "readOnly": true}: ${config}\n${columns(rows)}`;
}

function columns(rows: readonly (readonly string[])[]): Printable {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return joined(rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i]!)).join("  ")}`.trimEnd()));
}
