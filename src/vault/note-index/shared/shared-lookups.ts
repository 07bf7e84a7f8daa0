// What the index of a space is asked besides searches: links, names, tags, headings,
// times. The answers are those of note-database.ts for a folder. Used by
// shared-note-index.ts, within one transaction.
import { linkName, NameTable } from "../../../markdown/markdown.ts";
import { type Row, select, type Values } from "../../../postgres/postgres.ts";
import {
  allOf,
  comparableName,
  evaluate,
  type Facts,
  type FoundHeading,
  hasAll,
  headingsAmong,
  MOST_HEADED,
  MOST_LOOKED_AT,
  MOST_WORDS,
  onlyColumns,
  prefix,
  ranksOf,
  shortestNamed,
  termsOf,
} from "../../../search/search.ts";
import { closestNamed, mostAlike } from "../names.ts";
import type { NoteTimes, TagCount } from "../note-index.ts";
import { type Backlink, type OutgoingLink, targetRuleOf } from "../note-links.ts";
import type { Unread } from "../sweep.ts";
import { keyOf } from "./document-rows.ts";
import { isTag } from "./shared-filter.ts";
import { notesNamedLike, type SearchedSpace } from "./shared-text.ts";

export interface Lookup extends Pick<SearchedSpace, "sql" | "space"> {
  readonly isHidden: ((path: string) => boolean) | undefined;
}

/** Files of the index that meet a condition, without hidden ones, sorted by path. */
async function filesWhere(
  { sql, space, isHidden }: Lookup,
  columns: string,
  condition: (values: Values, space: string) => string,
): Promise<readonly Row[]> {
  const rows = await select(sql, (values) => {
    const number = values.add(space, "bigint");
    return `SELECT path, ${columns} FROM commonplace.note
      JOIN commonplace.file ON file.space = note.space AND file.id = note.file
      WHERE note.space = ${number} AND (${condition(values, number)}) ORDER BY path COLLATE "C"`;
  });
  return isHidden === undefined ? rows : rows.filter((row) => !isHidden(String(row["path"])));
}

function withKey(kind: string, keys: readonly string[]) {
  return (values: Values, space: string) => `note.file IN (SELECT file FROM commonplace.note_key
    WHERE space = ${space} AND kind = '${kind}' AND key = ANY(${values.add(keys.map(keyOf), "text[]")}))`;
}

function atPaths(paths: readonly string[]) {
  return (values: Values) =>
    `file.key = ANY(${values.add(
      paths.map((path) => path.normalize("NFC")),
      "text[]",
    )})`;
}

function pathsIn(rows: readonly Row[]): string[] {
  return rows.map((row) => String(row["path"]));
}

function factsIn(row: Row): Facts {
  return JSON.parse(String(row["facts"])) as Facts;
}

export async function allPaths(lookup: Lookup): Promise<string[]> {
  return pathsIn(await filesWhere(lookup, "note.kind", () => "true"));
}

export async function tagCounts(lookup: Lookup): Promise<TagCount[]> {
  const { sql, space, isHidden } = lookup;
  const shown =
    isHidden === undefined
      ? undefined
      : (await filesWhere(lookup, "file.id", () => "true")).map((row) => Number(row["id"]));
  const rows = await sql`
    SELECT min(value) AS tag, count(*) AS count FROM commonplace.note_key
    WHERE space = ${space} AND kind = 'tag' AND (${shown ?? null}::bigint[] IS NULL OR file = ANY(${shown ?? null}::bigint[]))
    GROUP BY key ORDER BY count DESC, key`;
  return rows.map((row) => ({ tag: String(row["tag"]), count: Number(row["count"]) }));
}

export async function headingsWith(
  lookup: Lookup,
  { words: stored, documents, statistics }: SearchedSpace,
  text: string,
  limit: number,
): Promise<FoundHeading[]> {
  const words = termsOf(text).slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  const query = allOf(words.map((word) => prefix([word])));
  const { texts, parts } = await evaluate(stored, query, onlyColumns("headings"));
  const ranks = ranksOf(texts, parts, statistics, (ordinal) => documents.lengths[ordinal]!);
  const best = [...texts.entries()]
    .sort(([one], [other]) => ranks[one]! - ranks[other]!)
    .slice(0, MOST_HEADED)
    .map(([, ordinal]) => ordinal);
  const rows = await filesWhere(lookup, "ordinal, facts", (values) => `ordinal = ANY(${values.add(best, "int[]")})`);
  const notes = new Map(
    rows.map((row) => [Number(row["ordinal"]), { path: String(row["path"]), headings: factsIn(row).headings }]),
  );
  return headingsAmong(
    best.flatMap((ordinal) => notes.get(ordinal) ?? []),
    words,
    limit,
  );
}

export async function filesNamed(lookup: Lookup, text: string, limit: number): Promise<string[]> {
  const { sql, space, isHidden } = lookup;
  const words = termsOf(text).slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  const rows = await sql`
    SELECT path, named.key FROM commonplace.note_key AS named
    JOIN commonplace.note ON note.space = named.space AND note.file = named.file
    JOIN commonplace.file ON file.space = note.space AND file.id = note.file
    WHERE named.space = ${space} AND named.kind = 'name' AND note.kind = 'note'
      AND NOT EXISTS (SELECT 1 FROM unnest(${words}::text[]) AS word
        WHERE NOT starts_with(named.key, word) AND position(' ' || word IN named.key) = 0)
    ORDER BY length(named.key), path COLLATE "C" LIMIT ${MOST_LOOKED_AT}`;
  const notes = rows
    .filter(({ key, path }) => hasAll(String(key).split(" "), words) && isHidden?.(String(path)) !== true)
    .map(({ path }) => String(path));
  const others = pathsIn(await filesWhere(lookup, "note.kind", () => "note.kind IN ('base', 'canvas')"));
  return [...[...new Set(notes)].slice(0, limit), ...shortestNamed(others, words, limit)];
}

/** Contains every file that a target of one of these names may lead to. */
async function tableOf(lookup: Lookup, names: ReadonlySet<string>): Promise<NameTable> {
  return NameTable.of(pathsIn(await filesWhere(lookup, "note.kind", withKey("file", [...names]))));
}

export async function linksFrom(lookup: Lookup, paths: readonly string[]): Promise<OutgoingLink[]> {
  const rows = await filesWhere(lookup, "facts", atPaths(paths));
  const facts = new Map(rows.map((row) => [String(row["path"]), factsIn(row)]));
  const outgoing = paths.flatMap((from) => {
    const links = facts.get(from)?.links.filter(({ form }) => form !== "folder") ?? [];
    return links.map((link) => ({ from, link }));
  });
  const table = await tableOf(lookup, new Set(outgoing.map(({ link }) => link.name)));
  return outgoing.map(({ from, link }) => ({ from, link, to: table.resolve(link.target, from, targetRuleOf(link)) }));
}

export async function backlinksTo(lookup: Lookup, paths: readonly string[]): Promise<Backlink[]> {
  const names = new Set(paths.map(linkName));
  const table = await tableOf(lookup, names);
  const counts = new Map(paths.map((path) => [path, new Map<string, number>()]));
  for (const row of await filesWhere(lookup, "facts", withKey("link", [...names]))) {
    const from = String(row["path"]);
    for (const link of factsIn(row).links) {
      const to = names.has(link.name) ? table.resolve(link.target, from, targetRuleOf(link)) : undefined;
      const count = to === undefined ? undefined : counts.get(to);
      count?.set(from, (count.get(from) ?? 0) + 1);
    }
  }
  return [...counts].flatMap(([to, count]) => [...count].map(([from, links]) => ({ from, to, count: links })));
}

export async function filesWithLinkNames(lookup: Lookup, names: ReadonlySet<string>): Promise<string[]> {
  return pathsIn(await filesWhere(lookup, "note.kind", withKey("link", [...names])));
}

/** The files at or below a path with any link, or that could not be read. */
export async function filesWithLinks(lookup: Lookup, path: string): Promise<string[]> {
  const key = path.normalize("NFC");
  const rows = await filesWhere(
    lookup,
    "note.kind",
    (
      values,
      space,
    ) => `(file.key = ${values.add(key)} OR (file.key >= ${values.add(`${key}/`)} AND file.key < ${values.add(`${key}0`)}))
      AND (unread IS NOT NULL OR EXISTS (SELECT 1 FROM commonplace.note_key AS link
        WHERE link.space = ${space} AND link.file = note.file AND link.kind = 'link'))`,
  );
  return pathsIn(rows);
}

export async function filesTagged(lookup: Lookup, tag: string): Promise<string[]> {
  const rows = await filesWhere(
    lookup,
    "note.kind",
    (values, space) => `unread IS NOT NULL OR note.kind IN ('copy', 'canvas', 'base')
      OR note.file IN (SELECT file FROM commonplace.note_key WHERE space = ${space} AND kind = 'tag' AND ${isTag(tag)(values)})`,
  );
  return pathsIn(rows);
}

export async function filesCalled(lookup: Lookup, name: string): Promise<string[]> {
  const rows = await filesWhere(lookup, "facts", withKey("name", [comparableName(name)]));
  return closestNamed(
    rows.map((row) => ({ path: String(row["path"]), aliases: factsIn(row).aliases })),
    name,
  );
}

export async function namedLike({ isHidden }: Lookup, searched: SearchedSpace, name: string): Promise<string[]> {
  const found = await notesNamedLike(searched, termsOf(name));
  return mostAlike(found.filter(({ path }) => isHidden?.(path) !== true)).map(({ path }) => path);
}

export async function noteTimes(
  lookup: Lookup,
  { from, before }: { readonly from: number; readonly before: number },
  paths: readonly string[],
): Promise<NoteTimes> {
  const changed = await filesWhere(
    lookup,
    "modified",
    (values) =>
      `note.kind = 'note' AND modified >= ${values.add(from, "float8")} AND modified < ${values.add(before, "float8")}`,
  );
  const known = await filesWhere(lookup, "modified", (values) => `note.kind = 'note' AND ${atPaths(paths)(values)}`);
  const asked = new Set(paths);
  return {
    changed: changed.map((row) => Number(row["modified"])),
    known: new Map(
      known
        .map((row): [string, number] => [String(row["path"]), Number(row["modified"])])
        .filter(([path]) => asked.has(path)),
    ),
  };
}

/** The file at a path: its ordinal; undefined if it is not indexed. */
export async function ordinalOf(lookup: Lookup, path: string): Promise<number | undefined> {
  const [row] = await filesWhere(lookup, "ordinal", atPaths([path]));
  return row === undefined ? undefined : Number(row["ordinal"]);
}

/** Files that exist and cannot be read. */
export async function unreadFiles(lookup: Lookup): Promise<Unread[]> {
  const rows = await filesWhere(lookup, "unread", () => "unread IS NOT NULL");
  return rows.map((row) => ({ path: String(row["path"]), reason: String(row["unread"]) }));
}
