// Removes a server entry from a host's configuration, together with the list or
// the file if connect created it, and brings back an entry of the same name that
// connect replaced. The backups show what there was before. Used by connect.
import { Problem } from "../../kernel/kernel.ts";
import { earlierStates } from "./backups.ts";
import { entriesOf, withEntry, withEntryFrom, type Configuration, type ServerEntry } from "./configuration.ts";
import { isOurs } from "./connection.ts";
import type { Host } from "./known-hosts.ts";
import { getMember, isBareObject, removeMember } from "./json-members.ts";

/** The text without the entry, which is unchanged if the entry is not ours; undefined if the file is to be deleted. */
export function withoutEntry(configuration: Configuration, name: string, backups: string): string | undefined {
  const { host, text, entries } = configuration;
  if (entries[name] === undefined || !isOurs(entries[name])) return text;
  const states = earlierStates(host, backups).flatMap((state) => withEntries(host, state.text));
  const before = states.find((state) => !isOurs(state.entries[name] ?? {}));
  if (before?.text !== undefined) {
    if (isOnlyChange(configuration, name, before.text, before.entries)) return before.text;
    if (before.entries[name] !== undefined) return withEntryFrom(configuration, name, before.text);
  }
  const without = withEntry(configuration, name, undefined);
  if (Object.keys(entriesOf(host, without)).length > 0) return without;
  const original = states.find((state) => !Object.values(state.entries).some(isOurs))?.text;
  // Only JSON can leave an empty list behind: a TOML table `[mcp_servers.name]` needs no table for the list.
  const isLeftOver = host.format === "json" && isBareObject(without, [host.section]);
  const rest = isLeftOver && !hasMember(original, host.section) ? removeMember(without, [host.section]) : without;
  return isBlank(rest) && isBlank(original ?? "") ? original : rest;
}

interface StateWithEntries {
  readonly text: string | undefined;
  readonly entries: Readonly<Record<string, ServerEntry>>;
}

/** Empty for a file that was damaged. */
function withEntries(host: Host, text: string | undefined): StateWithEntries[] {
  try {
    return [{ text, entries: entriesOf(host, text ?? "") }];
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

/** Returns whether the entry is the only change since `before`, so that `before` can be restored with its white space. */
function isOnlyChange(
  configuration: Configuration,
  name: string,
  before: string,
  entries: Configuration["entries"],
): boolean {
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

function isBlank(text: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(text);
}
