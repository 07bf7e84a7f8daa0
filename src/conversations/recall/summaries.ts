// Summarises conversations beside their messages, without secrets. Recall
// shows the same ones again and again, and making a summary takes longer than
// seeing that its row has not changed: so they are cached. Used by local-store.ts
// and by what reads or pushes conversations.
import { type IndexDatabase, ReadCache, type Row } from "../../sqlite/sqlite.ts";
import { SUMMARY_COLUMNS, summaryIn, type ConversationSummary } from "../store/conversation-reader.ts";

/** Replaces the secrets in a text, or returns it unchanged if its owner wants that. */
export type Redaction = (text: string) => string;

const MAX_CACHED = 5_000;

/** By the id of the conversation. */
export type SummaryCache = ReadCache<number, Row, ConversationSummary>;

export function summaryCache(database: IndexDatabase, redact: Redaction): SummaryCache {
  return new ReadCache(database, {
    read: (ids: readonly number[]) => readRows(database, ids),
    make: (row) => redactedSummary(summaryIn(row), redact),
    isSame: isSameRow,
    most: MAX_CACHED,
  });
}

function readRows(database: IndexDatabase, ids: readonly number[]): [id: number, row: Row][] {
  const rows = database.all(
    `SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return rows.map((row) => [Number(row["id"]), row]);
}

function isSameRow(a: Row, b: Row): boolean {
  for (const column in a) if (a[column] !== b[column]) return false;
  return true;
}

/** Keywords are made without secrets. All other texts are redacted in one call: a call costs more than their length. */
export function redactedSummary(summary: ConversationSummary, redact: Redaction): ConversationSummary {
  const texts = [
    summary.title,
    summary.opening,
    summary.folder ?? "",
    summary.project ?? "",
    summary.branch ?? "",
    ...summary.files,
  ];
  const together = redact(texts.join("\n")).split("\n");
  // The number of lines differs if a secret has several lines, or a name has a line break.
  const [title = "", opening = "", folder = "", project = "", branch = "", ...files] =
    together.length === texts.length ? together : texts.map(redact);
  return {
    ...summary,
    title,
    opening,
    folder: folder || undefined,
    project: project || undefined,
    branch: branch || undefined,
    files,
  };
}
