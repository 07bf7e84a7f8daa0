// Removes a server entry from a host's configuration, together with the list or
// the file if connect created it. The backups show what the file contained
// before connect; if there is none, there was no file. Used by connect.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../../files/files.ts";
import { readNoteText } from "../../markdown/markdown.ts";
import { Problem } from "../../kernel/kernel.ts";
import { entriesOf, withEntry, type Configuration } from "./configuration.ts";
import { isOurs } from "./connection.ts";
import type { Host } from "./hosts.ts";
import { getMember, isBareObject, removeMember } from "./json-members.ts";

/** The text without the entry; undefined if the file is to be deleted. */
export function withoutEntry(configuration: Configuration, name: string, backups: string): string | undefined {
  const { host, text } = configuration;
  const without = withEntry(configuration, name, undefined);
  if (without === text) return without;
  const before = originalText(host, backups);
  if (before !== undefined && isOnlyChange(configuration, name, before)) return before;
  if (Object.keys(entriesOf(host, without)).length > 0) return without;
  // Only JSON can leave an empty list behind: a TOML table `[mcp_servers.name]` needs no table for the list.
  const isLeftOver = host.format === "json" && isBareObject(without, [host.section]);
  const rest = isLeftOver && !hasMember(before, host.section) ? removeMember(without, [host.section]) : without;
  return isBlank(rest) && isBlank(before ?? "") ? before : rest;
}

/** Whether the entry is the only change since `before`, so that `before` can be restored with its white space. */
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

/** The newest backup without an entry of ours; undefined if there is none. */
function originalText(host: Host, backups: string): string | undefined {
  // Their names start with the host's name, followed by the time.
  const copies = namesIn(backups).filter((name) => new RegExp(`^${host.name}-\\d`).test(name));
  for (const name of copies.toSorted().toReversed()) {
    try {
      const { text } = readNoteText(readBytes(join(backups, name)));
      if (!Object.values(entriesOf(host, text)).some((entry) => isOurs(entry))) return text;
    } catch {
      // This backup cannot be read; an earlier one may.
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

function isBlank(text: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(text);
}
