// What is shown of conversations beside their messages, without secrets. Used
// by recall.ts, which shows the same ones again and again: to put a summary
// together takes longer than to see that it has not changed.
import { type IndexDatabase, type Row, writtenSince } from "../../sqlite/sqlite.ts";
import { SUMMARY_COLUMNS, summaryIn, type ConversationSummary } from "../store/reader.ts";

/** Takes secrets out of a text, or leaves it as it is where its owner wants that. */
export type Redaction = (text: string) => string;

const MOST_REMEMBERED = 5_000;

export class Summaries {
  readonly #database: IndexDatabase;
  readonly #redact: Redaction;
  readonly #remembered = new Map<number, { readonly row: Row; readonly summary: ConversationSummary }>();
  /** Those that are as they were, until something is written. */
  readonly #unchanged = new Set<number>();
  readonly #isWritten: () => boolean;

  constructor(database: IndexDatabase, redact: Redaction) {
    this.#database = database;
    this.#isWritten = writtenSince(database);
    this.#redact = redact;
  }

  /** By the store's own number. */
  of(ids: readonly number[]): ReadonlyMap<number, ConversationSummary> {
    if (this.#isWritten()) this.#unchanged.clear();
    if (this.#remembered.size + ids.length > MOST_REMEMBERED) {
      this.#remembered.clear();
      this.#unchanged.clear();
    }
    const others = ids.filter((id) => !this.#unchanged.has(id));
    if (others.length > 0) this.#read(others);
    return new Map(ids.map((id) => [id, this.#remembered.get(id)!.summary]));
  }

  #read(ids: readonly number[]): void {
    const rows = this.#database.all(
      `SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    for (const row of rows) {
      const id = Number(row["id"]);
      const before = this.#remembered.get(id);
      if (before === undefined || !isSame(before.row, row))
        this.#remembered.set(id, { row, summary: redactedSummary(summaryIn(row), this.#redact) });
      this.#unchanged.add(id);
    }
  }
}

function isSame(a: Row, b: Row): boolean {
  for (const column in a) if (a[column] !== b[column]) return false;
  return true;
}

/** Keywords are made without secrets. All else in one go: each call costs more than the text is long. */
export function redactedSummary(summary: ConversationSummary, redact: Redaction): ConversationSummary {
  const texts = [summary.title, summary.opening, summary.folder ?? "", summary.branch ?? "", ...summary.files];
  const together = redact(texts.join("\n")).split("\n");
  // A key of many lines, or a name with a line break in it.
  const [title = "", opening = "", folder = "", branch = "", ...files] =
    together.length === texts.length ? together : texts.map(redact);
  return { ...summary, title, opening, folder: folder || undefined, branch: branch || undefined, files };
}
