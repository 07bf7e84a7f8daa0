// How a host and this server stand to each other: whether the host is on this
// machine, which of its entries are ours, and whether they can work. Shown by
// connect, doctor and the program's overview.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { Problem } from "../../text/problem.ts";
import { readConfiguration } from "./configuration.ts";
import { HOSTS, type Host, type Machine } from "./hosts.ts";

export interface Connection {
  readonly host: string;
  readonly title: string;
  readonly file: string;
  readonly state: "not found" | "not connected" | "connected" | "damaged";
  /** The entries that start this program. */
  readonly entries: readonly ConnectedEntry[];
  /** What is wrong, and what to do about it. */
  readonly problem?: string;
  readonly hint?: string;
}

export interface ConnectedEntry {
  readonly name: string;
  /** The command and its arguments. */
  readonly words: readonly string[];
  /** What they name by a path, the program or a vault, and is not there now. */
  readonly gone: readonly string[];
}

export function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), environment: process.env };
}

export function connections(machine: Machine): Connection[] {
  return HOSTS.map((host) => connectionOf(host, machine));
}

export function connectionOf(host: Host, machine: Machine): Connection {
  const about = { host: host.name, title: host.title, file: host.file(machine) };
  if (!isHere(host, machine)) return { ...about, state: "not found", entries: [] };
  try {
    const { entries } = readConfiguration(host, machine);
    const ours = Object.entries(entries).flatMap(([name, entry]) => ourEntry(name, entry));
    return { ...about, state: ours.length > 0 ? "connected" : "not connected", entries: ours };
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

export function isHere(host: Host, machine: Machine): boolean {
  return [host.file(machine), ...host.traces(machine)].some((path) => existsSync(path));
}

const PROGRAM = /(?:^|[/\\])(?:commonplace(?:\.js|\.cmd|\.exe)?|commonplace-mcp(?:@.*)?)$/;

/** By what it starts, not by its name: that is the user's. */
export function isOurs(entry: Readonly<Record<string, unknown>>): boolean {
  return wordsOf(entry).some((word) => PROGRAM.test(word));
}

/** What an entry of ours gives to the program: its flags. */
export function flagsIn(entry: Readonly<Record<string, unknown>> | undefined): string[] {
  const words = entry === undefined ? [] : wordsOf(entry);
  const program = words.findIndex((word) => PROGRAM.test(word));
  return program === -1 ? [] : words.slice(program + 1);
}

function ourEntry(name: string, entry: Readonly<Record<string, unknown>>): ConnectedEntry[] {
  if (!isOurs(entry)) return [];
  const words = wordsOf(entry);
  const named = words.filter((_, i) => i < 2 || /^--(?:vault|outline|project)$/.test(words[i - 1]!));
  return [{ name, words, gone: named.filter((path) => isAbsolute(path) && !existsSync(path)) }];
}

/** The command and its arguments. */
function wordsOf(entry: Readonly<Record<string, unknown>>): string[] {
  const args = Array.isArray(entry["args"]) ? (entry["args"] as unknown[]) : [];
  return [entry["command"], args].flat().filter((word) => typeof word === "string");
}
