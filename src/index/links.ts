// Which documents lead where, answered from the links that the index keeps.
// Used by note-index.ts. What a target means is decided by the rules of
// link-resolution.ts, on the files of the names that could decide it.
import type { NoteLink } from "../text/note-facts.ts";
import { linkName, NameTable, type Reading } from "../text/link-resolution.ts";
import type { IndexDatabase } from "./database.ts";
import type { Facts } from "./document.ts";

export interface OutgoingLink {
  readonly link: NoteLink;
  /** Undefined where the link leads nowhere. */
  readonly path: string | undefined;
}

export interface Backlinks {
  readonly path: string;
  readonly links: readonly NoteLink[];
}

/** The documents with a link of one of these names, in the order of their paths. */
export function documentsWithLinkNames(database: IndexDatabase, names: Iterable<string>): string[] {
  const rows = database.all(
    `SELECT DISTINCT path FROM link JOIN document ON document.id = link.document
     WHERE link.name IN (SELECT value FROM json_each(?)) ORDER BY path`,
    JSON.stringify([...names]),
  );
  return rows.map((row) => String(row["path"]));
}

export function backlinksTo(database: IndexDatabase, path: string): Backlinks[] {
  const name = linkName(path);
  const table = tableOf(database, new Set([name]));
  const leadsHere = (from: string) => (link: NoteLink) =>
    link.name === name && table.resolve(link.target, from, readingOf(link)) === path;
  return documentsWithLinkNames(database, [name]).flatMap((from) => {
    const links = factsAt(database, from)!.links.filter(leadsHere(from));
    return links.length === 0 ? [] : [{ path: from, links }];
  });
}

export function linksFrom(database: IndexDatabase, path: string): OutgoingLink[] {
  const links = factsAt(database, path)?.links.filter(({ form }) => form !== "folder") ?? [];
  const table = tableOf(database, new Set(links.map(({ name }) => name)));
  return links.map((link) => ({ link, path: table.resolve(link.target, path, readingOf(link)) }));
}

export function factsAt(database: IndexDatabase, path: string): Facts | undefined {
  const row = database.get(
    "SELECT facts FROM document JOIN facts ON facts.document = document.id WHERE path = ?",
    path,
  );
  return row === undefined ? undefined : (JSON.parse(String(row["facts"])) as Facts);
}

export function allPaths(database: IndexDatabase): string[] {
  return database.all("SELECT path FROM document ORDER BY path").map((row) => String(row["path"]));
}

/** Every file that a target of these names could mean has one of them as its own. */
function tableOf(database: IndexDatabase, names: ReadonlySet<string>): NameTable {
  return NameTable.of(allPaths(database).filter((path) => names.has(linkName(path))));
}

function readingOf({ form }: NoteLink): Reading {
  if (form === "markdown" || form === "definition") return "markdown";
  return form === "path" ? "path" : "wiki";
}
