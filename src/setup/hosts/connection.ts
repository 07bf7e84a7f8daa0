// The state of each host: whether it is installed, which of its server entries
// start this program, and whether the paths in them exist. Shown by connect,
// doctor and the program's overview.
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { operatingSystem, Problem } from "../../kernel/kernel.ts";
import { commandLine } from "../program-name.ts";
import { readConfiguration, type ServerEntry } from "./configuration.ts";
import type { Settings } from "../../settings.ts";
import { HOSTS, type Host, type Machine } from "./known-hosts.ts";
import { isLocal } from "./setting-flags.ts";

export interface Connection {
  readonly host: string;
  readonly title: string;
  readonly file: string;
  /** `plugin`: the plugin starts the server, without an entry. */
  readonly state: "not found" | "not connected" | "connected" | "plugin" | "damaged";
  /** The entries that start this program. */
  readonly entries: readonly ConnectedEntry[];
  /** The fault, and how to fix it. */
  readonly problem?: string;
  readonly hint?: string;
}

export interface ConnectedEntry {
  readonly name: string;
  /** The command and its arguments. */
  readonly words: readonly string[];
  /** Paths among them (the program, a vault) that do not exist. */
  readonly gone: readonly string[];
  /** The folders of the vaults that it names; none if the server reads them from its settings. */
  readonly vaults: readonly string[];
}

export function thisMachine(): Machine {
  return { system: operatingSystem(), home: homedir(), environment: process.env };
}

/**
 * The vaults that the entries of a host serve instead of those of these settings; undefined if one serves them too, or
 * if the person has chosen none: to connect a host to the guide instead of its notes is nothing to suggest.
 */
export function otherVaults({ entries }: Connection, settings: Settings): readonly string[] | undefined {
  if (settings.origins.vault === "default") return undefined;
  const own = new Set(settings.vaults.map(({ folder }) => resolve(folder)));
  const isOurs = ({ vaults }: ConnectedEntry) =>
    vaults.length === 0 ? !isLocal(settings.origins.vault) : vaults.some((folder) => own.has(resolve(folder)));
  if (entries.length === 0 || entries.some(isOurs)) return undefined;
  const named = [...new Set(entries.flatMap(({ vaults }) => vaults))];
  return named.length > 0 ? named : ["the one of its settings"];
}

export function connections(machine: Machine): Connection[] {
  return HOSTS.map((host) => connectionOf(host, machine));
}

export function connectionOf(host: Host, machine: Machine): Connection {
  const about = { host: host.name, title: host.title, file: host.file(machine) };
  if (!isInstalled(host, machine)) return { ...about, state: "not found", entries: [] };
  try {
    const { entries } = readConfiguration(host, machine);
    const ours = Object.entries(entries).flatMap(([name, entry]) => ourEntry(name, entry));
    const hasPlugin = host.plugin?.isEnabled(machine) === true;
    if (ours.length === 0) return { ...about, state: hasPlugin ? "plugin" : "not connected", entries: [] };
    const twice = hasPlugin
      ? {
          problem: `It has the plugin and the entry '${ours[0]!.name}': every tool is listed twice`,
          hint: `take one out: '${commandLine("connect", host.name, "--remove")}', or '${host.plugin!.removal}'`,
        }
      : {};
    return { ...about, state: "connected", entries: ours, ...twice };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      ...about,
      state: "damaged",
      entries: [],
      problem: error.message,
      ...(error.hint ? { hint: error.hint } : {}),
    };
  }
}

export function isInstalled(host: Host, machine: Machine): boolean {
  return [host.file(machine), ...host.installedPaths(machine)].some((path) => existsSync(path));
}

const PROGRAM = /(?:^|[/\\])(?:commonplace(?:\.js|\.cmd|\.exe)?|commonplace-mcp(?:@.*)?)$/;

/** Such a path among the arguments of another program may be a folder that it is to serve. */
const MAYBE_FOLDER = /[/\\](?:commonplace|commonplace-mcp(?:@.*)?)$/;
const STARTERS = /(?:^|[/\\])(?:wsl|node|env|ssh)(?:\.exe)?$/;

function programIn(words: readonly string[]): number {
  return words.findIndex(
    (word, i) =>
      PROGRAM.test(word) && (i === 0 || !MAYBE_FOLDER.test(word) || isFile(word) || STARTERS.test(words[0]!)),
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Recognized by the command, since users choose the name. */
export function isOurs(entry: ServerEntry): boolean {
  return programIn(wordsOf(entry)) !== -1;
}

/** The flags that an entry of ours passes to the program. */
export function flagsIn(entry: ServerEntry | undefined): string[] {
  const words = entry === undefined ? [] : wordsOf(entry);
  const program = programIn(words);
  return program === -1 ? [] : words.slice(program + 1);
}

function ourEntry(name: string, entry: ServerEntry): ConnectedEntry[] {
  if (!isOurs(entry)) return [];
  const words = wordsOf(entry);
  const program = programIn(words);
  const named = words.filter((_, i) => i <= program || /^--(?:vault|outline|project)$/.test(words[i - 1]!));
  const paths = named.map(folderIn);
  const flags = words.flatMap((word, i) => (words[i - 1] === "--vault" ? [folderIn(word)] : []));
  const variable = (entry["env"] as Readonly<Record<string, unknown>> | undefined)?.["COMMONPLACE_VAULT"];
  const vaults = flags.length > 0 || typeof variable !== "string" ? flags : [folderIn(variable)];
  return [{ name, words, gone: paths.filter((path) => isAbsolute(path) && !existsSync(path)), vaults }];
}

/** A vault may have a name before its folder: NAME=DIR. */
function folderIn(path: string): string {
  return isAbsolute(path) ? path : path.replace(/^[^=/\\]+=/, "");
}

/** The command and its arguments. */
function wordsOf(entry: ServerEntry): string[] {
  const args = Array.isArray(entry["args"]) ? (entry["args"] as unknown[]) : [];
  return [entry["command"], args].flat().filter((word) => typeof word === "string");
}
