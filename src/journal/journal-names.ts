// The names of journals, and the ids of their entries. Used by the journal,
// and through its door by doctor and by the outlines.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { contentHash } from "../files/files.ts";

/** An id starts with the first letters of the journal's name, which distinguish the entries of several journals. */
const PREFIX_LENGTH = 6;

/** The name of a journal's files: a hash of the real path of its subject, a vault or an outline. */
export function journalName(subject: string): string {
  return contentHash(Buffer.from(subject)).slice(0, 32);
}

/** Returns whether this subject was ever changed. */
export function hasJournal(folder: string, subject: string): boolean {
  return existsSync(join(folder, `${journalName(subject)}.db`));
}

/** Returns the id prefixes of all journals in a folder, those of other vaults and outlines included. */
export function idPrefixesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => (/^[0-9a-f]{32}\.db$/.test(name) ? [idPrefixOf(name)] : []));
}

export function idPrefixOf(journal: string): string {
  return journal.slice(0, PREFIX_LENGTH);
}

export function idOfEntry(journal: string, number: number): string {
  return `${idPrefixOf(journal)}-${number.toString(36)}`;
}

/** Undefined for an id of another journal, and for what is not an id. */
export function numberOfEntry(journal: string, id: string): number | undefined {
  const [, prefix, digits = ""] = /^([0-9a-f]{6})-([0-9a-z]{1,10})$/.exec(id) ?? [];
  return prefix === idPrefixOf(journal) ? Number.parseInt(digits, 36) : undefined;
}
