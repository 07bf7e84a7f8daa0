// commonplace connect: adds this server to the configuration of a host, or
// removes it. Without a host it lists the hosts and their state.
import type { Settings } from "../../settings.ts";
import {
  bold,
  canAsk,
  coloured,
  joined,
  nearest,
  print,
  printable,
  type Printable,
  printJson,
  Problem,
} from "../../kernel/kernel.ts";
import {
  commandLine,
  connections,
  flagsOf,
  HOSTS,
  isLocal,
  notesAfter,
  planHostChange,
  suggestedVaults,
  thisMachine,
  type Connection,
  type Host,
  type Launch,
} from "../../setup/setup.ts";
import { isConfirmed } from "../confirmation.ts";
import { isPasswordOfTerminal } from "../store/password.ts";
import type { Command, Invocation } from "../command.ts";
import { memoryNotice } from "./memory.ts";
import { checkVaults, chooseNotes } from "./notes.ts";

const NAMES = HOSTS.map(({ name }) => name);
const EAGER = HOSTS.filter(({ loadsToolsOnDemand }) => !loadsToolsOnDemand).map(({ name }) => name);

export const command: Command = {
  usage: "connect [HOST…] [--name NAME] [--remove] [--yes] [--json]",
  help: `Adds this server to the configuration of each HOST, with the settings given here.
The change is shown first and written if you agree; a backup of the file is kept.
Hosts: ${NAMES.join(", ")}.
Without a HOST: lists the hosts and their state.
With --toolsets lean the entry lists 16 tools instead of 36. That pays with hosts
that load every tool at once: ${EAGER.join(", ")}.`,
  flags: {
    name: { value: "NAME", help: "name of the entry (commonplace): one per vault" },
    remove: { help: "remove the entry" },
    yes: { help: "write without asking" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  choices: NAMES,
  run: async (invocation) => {
    const { settings, words, flags } = invocation;
    const hosts = [...new Set(words)].map(hostNamed);
    const name = nameFrom(flags["name"]);
    if (hosts.length > 0) return changeAll(hosts, name, invocation);
    if (flags["remove"] || flags["yes"]) throw new Problem("invalid", `Name a host: ${NAMES.join(", ")}.`);
    const found = connections(thisMachine());
    if (flags["json"]) printJson({ hosts: found });
    else print(printable`${tableOf(found)}\n\n${howToConnect(settings, found)}`);
    return 0;
  },
};

/** Configurations of hosts are copied and shown to others. */
const PASSWORD_NOTICE =
  "The password of the shared store is left out of the entry: the host could not log in. Put it into ~/.pgpass, or the whole address into the config file.";

/** The result for one host. */
interface Outcome extends Pick<Connection, "host" | "title" | "file"> {
  /** `pending`: the change was shown, but the user did not agree to it. */
  readonly result: "unchanged" | "written" | "pending" | "refused";
  readonly difference?: string;
  readonly backup?: string;
  readonly problem?: string;
}

async function changeAll(hosts: readonly Host[], name: string, invocation: Invocation): Promise<number> {
  const { settings: given, flags } = invocation;
  const outcomes: Outcome[] = [];
  const names = hosts.map((host) => host.name);
  let settings: Settings | undefined = given;
  if (!flags["remove"]) {
    if (isLocal(given.origins.vault)) checkVaults(given);
    if (!flags["json"] && servesGuide(names, name, given)) {
      if (canAsk() && !flags["yes"]) settings = await chooseNotes(invocation);
      else print(printable`${guideNotice(given, names)}\n`);
    }
    if (settings === undefined) {
      print("Nothing was written.");
      return 1;
    }
    if (!flags["json"] && isPasswordOfTerminal(settings)) print(`${PASSWORD_NOTICE}\n`);
  }
  const said = new Set<string>();
  const sayOnce = (sentence: string) => {
    if (!flags["json"] && !said.has(sentence)) print(sentence);
    said.add(sentence);
  };
  for (const host of hosts) outcomes.push(await changeOne(host, name, { ...invocation, settings }, sayOnce));
  if (flags["json"]) printJson({ hosts: outcomes });
  return outcomes.every(({ result }) => result === "unchanged" || result === "written") ? 0 : 1;
}

/** Returns whether an entry would serve the guide's vault, because neither flags nor config file nor the old entry name one. */
function servesGuide(hosts: readonly string[], name: string, settings: Settings): boolean {
  if (settings.origins.vault !== "default") return false;
  if (flagsOf(settings).length > 0) return true;
  const before = connections(thisMachine()).filter(({ host }) => hosts.includes(host));
  const withVault = before.filter(({ entries }) =>
    entries.some((entry) => entry.name === name && entry.words.includes("--vault")),
  );
  return withVault.length < hosts.length;
}

/** Says that no vault was named, and suggests some. */
function guideNotice(settings: Settings, hosts: readonly string[]): Printable {
  const suggested = suggestedVaults(settings, thisMachine()).map(
    ({ vault, why }) => `  ${commandLine("connect", ...hosts, ...flagsOf(settings), "--vault", vault)}  (${why})`,
  );
  const own = suggested.length > 0 ? ["For your own notes:", ...suggested] : ["For your own notes add --vault DIR."];
  return joined([`No vault was named. This connects the guide's vault: ${settings.vault}`, ...own]);
}

async function changeOne(
  host: Host,
  name: string,
  invocation: Invocation,
  sayOnce: (sentence: string) => void,
): Promise<Outcome> {
  const { settings, flags } = invocation;
  const removes = flags["remove"] === true;
  const about = { host: host.name, title: host.title, file: host.file(thisMachine()) };
  const say = flags["json"] ? () => {} : print;
  try {
    const change = await planHostChange(host, settings, { name, removes });
    const { difference, isOther, isDeletion, launch } = change;
    if (launch !== undefined) sayOnce(memoryNotice(launch.args, settings));
    if (difference === undefined) {
      const absent = isOther ? `its entry '${name}' starts another program` : `it has no entry '${name}'`;
      say(printable`${bold(host.title)}: nothing to do, ${removes ? absent : "already connected"} (${about.file})`);
      return { ...about, result: "unchanged" };
    }
    say(printable`${bold(host.title)}: ${about.file}\n${coloured(difference)}`);
    if (!(await isConfirmed(invocation, "Write this?", "writes it"))) {
      say("Nothing was written.");
      return { ...about, result: "pending", difference };
    }
    const backup = await change.write();
    const done = isDeletion ? "Deleted the file: it contained nothing else." : "Written.";
    const notes = launch === undefined ? [] : leanNotice(host, launch, settings);
    say(joined([done, ...(backup === undefined ? [] : [`Backup: ${backup}`]), ...notesAfter(host, removes), ...notes]));
    return { ...about, result: "written", difference, ...(backup === undefined ? {} : { backup }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const problem = [error.message, error.hint].filter(Boolean).join(" ");
    say(printable`${bold(host.title)}: ${problem}\nNothing was written.`);
    return { ...about, result: "refused", problem };
  }
}

/** A notice for hosts that pay for every tool; empty if the person chose the tools. */
function leanNotice({ title, loadsToolsOnDemand }: Host, { args }: Launch, { origins }: Settings): string[] {
  if (loadsToolsOnDemand || args.includes("--toolsets") || origins.toolsets !== "default") return [];
  return [`${title} loads every tool at once, about 6,000 tokens in each conversation: --toolsets lean needs 2,600.`];
}

/** A name that all hosts accept, and that can be a prefix of tool names. */
function nameFrom(given: unknown): string {
  if (given === undefined) return "commonplace";
  if (typeof given === "string" && /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(given)) return given;
  throw new Problem(
    "invalid",
    `Invalid name '${String(given)}': use a letter first, then letters, digits, - and _, at most 32 in all.`,
  );
}

function tableOf(found: readonly Connection[]): Printable {
  const width = Math.max(...found.map(({ host }) => host.length));
  const stateWidth = Math.max(...found.map(({ state }) => state.length));
  return joined(
    found.map(({ host, state, file, entries, problem }) => {
      const names = entries.map(({ name, gone }) =>
        gone.length === 0 ? name : `${name} (missing: ${gone.join(", ")})`,
      );
      const what = problem ?? [file, ...names].join("  ");
      return `${host.padEnd(width)}  ${state.padEnd(stateWidth)}  ${what}`;
    }),
  );
}

/** The command that connects the hosts that are not connected yet. */
export function howToConnect(settings: Settings, found = connections(thisMachine())): Printable {
  const here = found.filter(({ state }) => state === "not connected").map(({ host }) => host);
  const command = commandLine("connect", ...(here.length > 0 ? here : ["HOST"]), ...flagsOf(settings));
  const hint = printable`To connect:  ${command}
HOST is one of ${NAMES.join(", ")}. The change is shown first.`;
  if (settings.origins.vault !== "default") return hint;
  return printable`${hint}\n${guideNotice(settings, here.length > 0 ? here : ["HOST"])}`;
}

function hostNamed(word: string): Host {
  const host = HOSTS.find(({ name }) => name === word.toLowerCase());
  if (host !== undefined) return host;
  const meant = nearest(word, NAMES);
  throw new Problem(
    "invalid",
    `Unknown host '${word}'.`,
    meant ? `Did you mean ${meant}?` : `Hosts: ${NAMES.join(", ")}.`,
  );
}
