// The properties, tags, links, tasks, sizes and times of all files of a space, in
// memory: see file-table.ts. After a change the names and times of all are read, and
// the facts of those that were indexed since. Used by space-cache.ts.
import { Turns } from "../../../kernel/kernel.ts";
import type { TaggedQuery } from "../../../postgres/postgres.ts";
import type { Facts } from "../../../search/search.ts";
import { fileOf, FileTable, type IndexedFile, KEPT, knownOf } from "../file-table.ts";

const ROWS_A_STEP = 500;

interface Cached {
  readonly version: string;
  readonly table: FileTable;
  /** By the number of the file. */
  readonly files: ReadonlyMap<number, CachedFile>;
}

interface CachedFile {
  readonly number: number;
  readonly file: IndexedFile;
}

export class SharedFileTable {
  #cached: Cached | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param version which changes with every change of a file and of the index */
  async read(sql: TaggedQuery, space: number, version: string, signal?: AbortSignal): Promise<FileTable> {
    if (this.#cached?.version !== version) this.#cached = await this.#readAll(sql, space, version, new Turns(signal));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#cached = undefined), KEPT).unref();
    return this.#cached.table;
  }

  async #readAll(sql: TaggedQuery, space: number, version: string, turns: Turns): Promise<Cached> {
    const before = this.#cached;
    const files = new Map<number, CachedFile>();
    const rows = await sql`
      SELECT file.id, path, note.kind, size, modified, file.created, note.number FROM commonplace.note
      JOIN commonplace.file ON file.space = note.space AND file.id = note.file
      WHERE note.space = ${space} AND note.kind <> 'copy' ORDER BY path COLLATE "C"`;
    for (let from = 0; from < rows.length; from += ROWS_A_STEP) {
      const some = rows.slice(from, from + ROWS_A_STEP).map((row) => ({
        id: Number(row["id"]),
        path: String(row["path"]),
        kind: String(row["kind"]),
        size: Number(row["size"]),
        mtime: Number(row["modified"]),
        created: Number(row["created"]),
        number: Number(row["number"]),
      }));
      const changed = some.filter(({ id, number }) => before?.files.get(id)?.number !== number).map(({ id }) => id);
      const facts = await factsOf(sql, space, changed);
      for (const row of some) {
        const known = before?.files.get(row.id);
        const found = facts.get(row.id);
        const isSame = found === undefined && known?.file.path === row.path;
        const file = isSame ? known.file : fileOf(row, found === undefined ? known?.file : knownOf(found));
        files.set(row.id, { number: row.number, file });
      }
      if (turns.isOver()) await turns.next();
    }
    const sorted = Array.from(files.values(), ({ file }) => file).sort((a, b) => (a.path < b.path ? -1 : 1));
    return { version, table: before === undefined ? new FileTable(sorted) : before.table.with(sorted), files };
  }
}

async function factsOf(sql: TaggedQuery, space: number, files: readonly number[]): Promise<ReadonlyMap<number, Facts>> {
  if (files.length === 0) return new Map();
  const rows = await sql`
    SELECT file, facts FROM commonplace.note WHERE space = ${space} AND file = ANY(${files}::bigint[])`;
  return new Map(rows.map((row) => [Number(row["file"]), JSON.parse(String(row["facts"])) as Facts]));
}
