// What is shown of conversations beside their messages, without secrets. Used
// by recall.ts, which shows the same ones again and again: to put a summary
// together takes longer than to see that it has not changed.
import type { IndexDatabase, Row } from "../index/database.ts";
import { SUMMARY_COLUMNS, summaryIn, type ConversationSummary } from "./store/reading.ts";

/** Takes secrets out of a text, or leaves it as it is where its owner wants that. */
export type Redaction = (text: string) => string;

const MOST_REMEMBERED = 5_000;

export class Summaries {
  readonly #database: IndexDatabase;
  readonly #redact: Redaction;
  readonly #remembered = new Map<number, { readonly row: Row; readonly summary: ConversationSummary }>();

  constructor(database: IndexDatabase, redact: Redaction) {
    this.#database = database;
    this.#redact = redact;
  }

  /** By the store's own number. */
  of(ids: readonly number[]): ReadonlyMap<number, ConversationSummary> {
    const rows = this.#database.all(
      `SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    return new Map(rows.map((row) => [Number(row["id"]), this.#summary(row)]));
  }

  #summary(row: Row): ConversationSummary {
    const id = Number(row["id"]);
    const before = this.#remembered.get(id);
    if (before !== undefined && isSame(before.row, row)) return before.summary;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    const summary = redactedSummary(summaryIn(row), this.#redact);
    this.#remembered.set(id, { row, summary });
    return summary;
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
