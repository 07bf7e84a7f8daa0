// An entry taken out of a host's configuration, and with it what was only made
// for it: the list of servers, and the file. The copies that connect kept tell
// what was there before the first of our entries; where none does, nothing was.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../../files/open-file.ts";
import { readNoteText } from "../../text/note-text.ts";
import { Problem } from "../../text/problem.ts";
import { entriesOf, withEntry, type Configuration } from "./configuration.ts";
import { isOurs } from "./connection.ts";
import type { Host } from "./hosts.ts";
import { getMember, isBareObject, removeMember } from "./json-members.ts";

/** The text without the entry; undefined where the file itself has to go. */
export function withoutEntry(configuration: Configuration, name: string, backups: string): string | undefined {
  const { host, text } = configuration;
  const without = withEntry(configuration, name, undefined);
  if (without === text) return without;
  const before = textBefore(host, backups);
  if (before !== undefined && isOnlyChange(configuration, name, before)) return before;
  if (Object.keys(entriesOf(host, without)).length > 0) return without;
  // In TOML our table has its list's name in its own, and leaves no list behind.
  const isLeftOver = host.format === "json" && isBareObject(without, [host.section]);
  const rest = isLeftOver && !hasMember(before, host.section) ? removeMember(without, [host.section]) : without;
  return saysNothing(rest) && saysNothing(before ?? "") ? before : rest;
}

/** Whether the entry is all that the file gained since `before`: then even white space that it replaced is restored. */
function isOnlyChange(configuration: Configuration, name: string, before: string): boolean {
  const entries = entriesOf(configuration.host, before);
  if (entries[name] !== undefined) return false;
  try {
    return (
      withEntry({ ...configuration, text: before, entries }, name, configuration.entries[name]) === configuration.text
    );
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

function hasMember(text: string | undefined, key: string): boolean {
  return text !== undefined && text.trim() !== "" && getMember(text, [key]) !== undefined;
}

/** What the file held when it last held no entry of ours, as far as a copy of that was kept. */
function textBefore(host: Host, backups: string): string | undefined {
  // Their names begin with the host and go on with the time.
  const copies = namesIn(backups).filter((name) => new RegExp(`^${host.name}-\\d`).test(name));
  for (const name of copies.toSorted().toReversed()) {
    try {
      const { text } = readNoteText(readBytes(join(backups, name)));
      if (!Object.values(entriesOf(host, text)).some((entry) => isOurs(entry))) return text;
    } catch {
      // A copy that somebody spoilt tells nothing; an earlier one may.
    }
  }
  return undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function saysNothing(text: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(text);
}
