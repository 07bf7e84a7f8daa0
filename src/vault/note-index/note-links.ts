// Finds outgoing links and backlinks in the index, and the documents whose links
// may lead to a name. Used by note-database.ts. Targets
// are resolved by markdown/links/resolution.ts among the files whose names may match.
import { linkName, NameTable, type NoteLink, type TargetRule } from "../../markdown/markdown.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { Facts } from "../../search/search.ts";
import { rangeOf } from "./known-files.ts";

export interface OutgoingLink {
  readonly from: string;
  readonly link: NoteLink;
  /** Undefined if the link leads nowhere. */
  readonly to: string | undefined;
}

export interface Backlink {
  readonly from: string;
  readonly to: string;
  /** How many links of that document lead there. */
  readonly count: number;
}

/** The documents at or below a path that have a link, or could not be read by the last sweep. */
export function documentsWithLinks(database: IndexDatabase, path: string): string[] {
  const rows = database.all(
    `SELECT path FROM document WHERE (path = ? OR (path >= ? AND path < ?))
     AND (unread IS NOT NULL OR id IN (SELECT document FROM link))`,
    ...rangeOf(path),
  );
  return rows.map((row) => String(row["path"]));
}

/** The documents with a link of one of these names, sorted by path. */
export function documentsWithLinkNames(database: IndexDatabase, names: Iterable<string>): string[] {
  const rows = database.all(
    `SELECT DISTINCT path FROM link JOIN document ON document.id = link.document
     WHERE link.name IN (SELECT value FROM json_each(?)) ORDER BY path`,
    JSON.stringify([...names]),
  );
  return rows.map((row) => String(row["path"]));
}

/** For many paths at once, because each call reads the list of all files. */
export function backlinksTo(database: IndexDatabase, paths: readonly string[]): Backlink[] {
  const names = new Set(paths.map(linkName));
  const table = tableOf(database, names);
  const counts = new Map(paths.map((path) => [path, new Map<string, number>()]));
  for (const from of documentsWithLinkNames(database, names)) {
    for (const link of factsAt(database, from)!.links) {
      const to = names.has(link.name) ? table.resolve(link.target, from, targetRuleOf(link)) : undefined;
      const count = to === undefined ? undefined : counts.get(to);
      count?.set(from, (count.get(from) ?? 0) + 1);
    }
  }
  return [...counts].flatMap(([to, count]) => [...count].map(([from, links]) => ({ from, to, count: links })));
}

export function linksFrom(database: IndexDatabase, paths: readonly string[]): OutgoingLink[] {
  const outgoing = paths.flatMap((from) => {
    const links = factsAt(database, from)?.links.filter(({ form }) => form !== "folder") ?? [];
    return links.map((link) => ({ from, link }));
  });
  const table = tableOf(database, new Set(outgoing.map(({ link }) => link.name)));
  return outgoing.map(({ from, link }) => ({ from, link, to: table.resolve(link.target, from, targetRuleOf(link)) }));
}

export function factsAt(database: IndexDatabase, path: string): Facts | undefined {
  const row = database.get(
    "SELECT facts FROM document JOIN facts ON facts.document = document.id WHERE path = ?",
    path,
  );
  return row === undefined ? undefined : (JSON.parse(String(row["facts"])) as Facts);
}

export function allPaths(database: IndexDatabase): string[] {
  return database
    .all("SELECT path FROM document WHERE kind <> 'folder' ORDER BY path")
    .map((row) => String(row["path"]));
}

/** Contains every file that a target of one of these names may lead to. */
function tableOf(database: IndexDatabase, names: ReadonlySet<string>): NameTable {
  return NameTable.of(allPaths(database).filter((path) => names.has(linkName(path))));
}

export function targetRuleOf({ form }: NoteLink): TargetRule {
  if (form === "markdown" || form === "definition") return "markdown";
  return form === "path" ? "path" : "wiki";
}
