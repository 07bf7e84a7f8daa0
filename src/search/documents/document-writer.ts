// Writes documents to the tables of an index, and removes them. Used by the sweep
// of the vault and by memory, in their transactions.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SQLInputValue } from "node:sqlite";
import { finished, type Steps } from "../../kernel/kernel.ts";
import { foldForSearch } from "../words/folding.ts";
import { indexText } from "../words/terms.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { comparableName, comparableTag, namesOf, valuesOf, type Facts, type IndexedDocument } from "./document.ts";
import type { Version } from "./document.ts";

export interface Storing {
  readonly version: Version;
  /** The hash of the content, if the next change may not show in the version. */
  readonly hash?: string | undefined;
  /** Why the file could not be read. */
  readonly unread?: string | undefined;
}

export interface Prepared {
  readonly document: IndexedDocument;
  readonly storing: Storing;
}

/** Rows that are written or deleted before other work may be done. */
const ROWS_AT_ONCE = 1_000;

/**
 * Writes several documents, table by table: a quarter faster than one by one, since
 * the pages of a table stay in the processor's caches.
 */
export function putDocuments(database: IndexDatabase, prepared: readonly Prepared[]): void {
  finished(putInSteps(database, prepared));
}

/** The same in steps, for a large document: all of them belong to one transaction. */
export function* putInSteps(database: IndexDatabase, prepared: readonly Prepared[]): Steps {
  const rowsByTable: Record<Table, (string | number)[][]> = { name: [], tag: [], property: [], link: [] };
  const ids: number[] = [];
  for (const { document, storing } of prepared) {
    const { path, kind, facts } = document;
    const written = JSON.stringify(facts);
    yield;
    const id = yield* idFor(database, path, kind, storing);
    database.run("INSERT INTO facts VALUES (?, ?)", id, written);
    yield;
    for (const { table, keys, value } of tableRowsOf(path, facts, isNamed(document)))
      rowsByTable[table].push([...keys, id, ...(value === undefined ? [] : [value])]);
    ids.push(id);
    yield;
  }
  // One by one: for a statement with several rows SQLite opens a savepoint, and FTS5 would then flush
  // everything it has buffered in this transaction.
  for (const [table, rows] of Object.entries(rowsByTable))
    for (const [i, row] of rows.toSorted(byKey).entries()) {
      if (i % ROWS_AT_ONCE === 0) yield;
      database.run(INSERTS[table as Table], ...row);
    }
  for (const [i, { document }] of prepared.entries()) {
    const { fields } = document;
    if (fields === undefined) continue;
    const columns = [fields.name, fields.title, fields.headings, fields.tags, fields.properties, fields.body];
    const words: string[] = [];
    for (const column of columns) {
      words.push(indexText(column));
      yield;
    }
    database.run(
      "INSERT INTO text (rowid, name, title, headings, tags, properties, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ids[i]!,
      ...words,
    );
    yield;
  }
  for (const [i, { document }] of prepared.entries()) {
    if (!isNamed(document)) continue;
    const names = foldForSearch(namesOf(document).join("\n"));
    database.run("INSERT INTO name_part (rowid, names) VALUES (?, ?)", ids[i]!, names);
  }
}

/** The order of the tables, so that neighbours are written to the same page. */
function byKey([one]: readonly (string | number)[], [other]: readonly (string | number)[]): number {
  return one! < other! ? -1 : Number(one! > other!);
}

function isNamed({ fields, isNameless }: IndexedDocument): boolean {
  return fields !== undefined && !isNameless;
}

function* idFor(
  database: IndexDatabase,
  path: string,
  kind: string,
  { version, hash, unread }: Storing,
): Steps<number> {
  const row = [kind, version.size, version.mtime, version.inode, hash ?? null, unread ?? null, createdIn(version)];
  const added = database.run(
    "INSERT INTO document (kind, size, mtime, inode, hash, unread, created, path) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ...row,
    path,
  );
  return added.changes > 0 ? added.id : yield* replaceDocument(database, path, row);
}

/** Removes the content of an indexed document, which the caller replaces. */
function* replaceDocument(database: IndexDatabase, path: string, row: readonly SQLInputValue[]): Steps<number> {
  const id = Number(database.get("SELECT id FROM document WHERE path = ?", path)!["id"]);
  yield* removeContent(database, id, path);
  database.run(
    "UPDATE document SET kind = ?, size = ?, mtime = ?, inode = ?, hash = ?, unread = ?, created = ? WHERE id = ?",
    ...row,
    id,
  );
  return id;
}

/** For a file whose content is unchanged or cannot be read now: updates only its version. */
export function keepDocument(database: IndexDatabase, path: string, storing: Storing): boolean {
  const { size, mtime, inode } = storing.version;
  const sql = "UPDATE document SET size = ?, mtime = ?, inode = ?, hash = ?, unread = ?, created = ? WHERE path = ?";
  const rest = [storing.hash ?? null, storing.unread ?? null, createdIn(storing.version)];
  return database.run(sql, size, mtime, inode, ...rest, path).changes > 0;
}

/** Some file systems know no time of creation. */
function createdIn({ created, mtime }: Version): number {
  return created !== undefined && created > 0 ? created : mtime;
}

export function removeDocument(database: IndexDatabase, path: string): void {
  finished(removeInSteps(database, path));
}

export function* removeInSteps(database: IndexDatabase, path: string): Steps {
  const known = database.get("SELECT id FROM document WHERE path = ?", path);
  if (known === undefined) return;
  yield* removeContent(database, Number(known["id"]), path);
  database.run("DELETE FROM document WHERE id = ?", known["id"]!);
}

const TABLES = "document facts meaning embedding embedding_model name tag property link pdf state lease".split(" ");

/** Includes the lease, so that a process that is sweeping has to start over. */
export function removeEverything(database: IndexDatabase): void {
  for (const table of TABLES) database.run(`DELETE FROM ${table}`);
  database.run("INSERT INTO text(text) VALUES ('delete-all')");
  database.run("INSERT INTO name_part(name_part) VALUES ('delete-all')");
}

function* removeContent(database: IndexDatabase, id: number, path: string): Steps {
  const facts = factsOfDocument(database, id);
  if (facts === undefined) return;
  // The keys of the tables are made from the facts, so the old facts find their rows.
  let count = 0;
  for (const { table, keys } of tableRowsOf(path, facts, true)) {
    if (count++ % ROWS_AT_ONCE === 0) yield;
    database.run(DELETES[table], ...keys, id);
  }
  database.run("DELETE FROM facts WHERE document = ?", id);
  database.run("DELETE FROM pdf WHERE document = ?", id);
  database.run("DELETE FROM meaning WHERE document = ?", id);
  database.run("DELETE FROM embedding WHERE document = ?", id);
  yield;
  database.run("DELETE FROM text WHERE rowid = ?", id);
  database.run("DELETE FROM name_part WHERE rowid = ?", id);
}

function factsOfDocument(database: IndexDatabase, id: number): Facts | undefined {
  const row = database.get("SELECT facts FROM facts WHERE document = ?", id);
  return row === undefined ? undefined : (JSON.parse(String(row["facts"])) as Facts);
}

type Table = "name" | "tag" | "property" | "link";

const INSERTS: Readonly<Record<Table, string>> = {
  name: "INSERT OR IGNORE INTO name VALUES (?, ?)",
  tag: "INSERT OR IGNORE INTO tag VALUES (?, ?, ?)",
  property: "INSERT OR IGNORE INTO property VALUES (?, ?, ?)",
  link: "INSERT OR IGNORE INTO link VALUES (?, ?)",
};
const DELETES: Readonly<Record<Table, string>> = {
  name: "DELETE FROM name WHERE folded = ? AND document = ?",
  tag: "DELETE FROM tag WHERE folded = ? AND document = ?",
  property: "DELETE FROM property WHERE key = ? AND value = ? AND document = ?",
  link: "DELETE FROM link WHERE name = ? AND document = ?",
};

interface TableRow {
  readonly table: Table;
  readonly keys: readonly string[];
  readonly value?: string;
}

/** Yields the rows of a document for all it is found by besides its words. */
function* tableRowsOf(path: string, facts: Facts, isNamed: boolean): Generator<TableRow> {
  if (isNamed)
    for (const name of new Set(namesOf({ path, facts }).map(comparableName))) yield { table: "name", keys: [name] };
  for (const tag of facts.tags) yield { table: "tag", keys: [comparableTag(tag)], value: tag };
  for (const { key, value } of valuesOf(facts.properties))
    yield { table: "property", keys: [foldForSearch(key), foldForSearch(value)] };
  for (const name of new Set(facts.links.map((link) => link.name))) yield { table: "link", keys: [name] };
}

const MERGED_PAGES = 300;

/** Many small segments of the full text make searches slower. */
export async function mergeText(database: IndexDatabase, signal?: AbortSignal): Promise<void> {
  while (await database.write(() => database.merge(MERGED_PAGES), signal)) await nextTurn();
}
