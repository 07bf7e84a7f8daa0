// Which conversations in another program's database have changed, found without
// reading what was said: databases grow to hundreds of megabytes, and one message
// must not cost the reading of all. Used by the sources whose programs keep
// messages as rows.
import type { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import type { Batch } from "../source.ts";

/** Of the rows of one conversation: it differs if one was added, changed or removed. */
export interface RowMark {
  readonly rows: number;
  readonly bytes: number;
  /** The latest time at which the program changed one; 0 if it stores none. */
  readonly changed: number;
}

export interface MarkedTable {
  readonly table: string;
  /** The column with the conversation's id. */
  readonly conversation: string;
  /** Columns whose sizes are added up: a program may change a row twice within a millisecond. */
  readonly content: readonly string[];
  /** The column with the time of the last change, if there is one. */
  readonly changed?: string | undefined;
}

/** Rows per query, about 5 ms: 150,000 rows of 450 MB take 110 ms in all. */
const ROWS_AT_ONCE = 5_000;

/** Adds the marks of a table's rows to those of other tables. Yields empty batches, so that other work gets turns. */
export async function* addRowMarks(
  database: ForeignDatabase,
  { table, conversation, content, changed }: MarkedTable,
  marks: Map<string, RowMark>,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  // Sizes are in the header of a row: long contents, which are on pages of their own, are not read.
  const size = content.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ");
  for (let last = -1; !signal.aborted;) {
    const rows = await database.rows(
      `SELECT CAST(conversation AS TEXT) AS id, count(*) AS rows, CAST(sum(size) AS REAL) AS bytes,
         CAST(max(changed) AS REAL) AS changed, max(row) AS last
       FROM (SELECT rowid AS row, ${conversation} AS conversation, ${size} AS size, ${changed ?? "0"} AS changed
         FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?)
       GROUP BY conversation`,
      last,
      ROWS_AT_ONCE,
    );
    for (const row of rows) {
      const id = String(row["id"]);
      const before = marks.get(id) ?? { rows: 0, bytes: 0, changed: 0 };
      marks.set(id, {
        rows: before.rows + Number(row["rows"]),
        bytes: before.bytes + Number(row["bytes"]),
        changed: Math.max(before.changed, Number(row["changed"])),
      });
      last = Math.max(last, Number(row["last"]));
    }
    if (rows.reduce((sum, row) => sum + Number(row["rows"]), 0) < ROWS_AT_ONCE) return;
    yield [];
  }
}
