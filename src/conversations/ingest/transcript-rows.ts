// Transcripts as the table `unit` has them: which are there, which have
// changed, how far each was read. Used within transactions by refresh.ts and
// store-writer.ts.
import type { SQLInputValue } from "node:sqlite";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { SourceName, TranscriptFile } from "../sources/source.ts";
import { withoutRestored } from "../store/transcript-paths.ts";
import type { FoundTranscript } from "./found-transcripts.ts";

/** A transcript that is being read, with its row. */
export interface StoredTranscript {
  readonly id: number;
  readonly source: SourceName;
  /** The version of the source's reader. */
  readonly reader: number;
  readonly emitsNonProseOnce: boolean;
  /** Only non-prose parts are read now; prose was read before. */
  readonly isNonProse: boolean;
  readonly transcript: TranscriptFile;
}

/** The record that an earlier refresh stored of a transcript. */
export interface TranscriptRow {
  readonly id: number;
  readonly source: SourceName;
  readonly stamp: string | undefined;
  readonly isGone: boolean;
  /** It came with a backup, and was not there. */
  readonly isRestored: boolean;
  readonly reader: number;
}

/** By path. */
export function transcriptRows(database: IndexDatabase): Map<string, TranscriptRow> {
  const rows = database.all("SELECT id, source, path, stamp, is_gone, reader FROM unit");
  return new Map(
    rows.map(({ id, source, path: stored, stamp, is_gone, reader }) => {
      const { path, isRestored } = withoutRestored(String(stored));
      return [
        path,
        {
          source: String(source),
          id: Number(id),
          stamp: stamp === null ? undefined : String(stamp),
          isGone: is_gone === 1,
          isRestored,
          reader: Number(reader),
        },
      ];
    }),
  );
}

/**
 * By the id of the transcript, how far it was read. Apart from the rows: every refresh reads those of all transcripts,
 * and the checkpoint of a database lists each of its conversations.
 */
export function checkpointsOf(database: IndexDatabase, ids: readonly number[]): Map<number, string> {
  const rows = database.all(
    "SELECT id, checkpoint FROM unit WHERE id IN (SELECT value FROM json_each(?)) AND checkpoint IS NOT NULL",
    JSON.stringify(ids),
  );
  return new Map(rows.map(({ id, checkpoint }) => [Number(id), String(checkpoint)]));
}

/** @returns the id of each path */
export function addTranscripts(database: IndexDatabase, found: readonly FoundTranscript[]): Map<string, number> {
  return new Map(
    found.map(({ source: { name, reader }, transcript: { path } }) => {
      const sql = "INSERT INTO unit (source, path, is_apart, reader) VALUES (?, ?, 1, ?)";
      return [path, database.run(sql, name, path, reader).id];
    }),
  );
}

export function changedTranscripts(
  found: ReadonlyMap<string, FoundTranscript>,
  rows: ReadonlyMap<string, TranscriptRow>,
): FoundTranscript[] {
  return inReadingOrder([...found.values()].filter((one) => mayDiffer(one, rows.get(one.transcript.path))));
}

function mayDiffer({ source, transcript }: FoundTranscript, row: TranscriptRow | undefined): boolean {
  return (
    row === undefined || row.isGone || row.isRestored || row.stamp !== transcript.stamp || row.reader !== source.reader
  );
}

/**
 * Folders with the newest files first: people are most likely to ask for those
 * while others are still unread. Within a folder the oldest file first: what a
 * resumed session repeats belongs to the one that had it first.
 */
function inReadingOrder(changed: readonly FoundTranscript[]): FoundTranscript[] {
  const newest = new Map<string, number>();
  for (const found of changed) {
    const folder = folderOf(found);
    newest.set(folder, Math.max(newest.get(folder) ?? 0, found.transcript.changed));
  }
  return changed.toSorted((a, b) => {
    const folders = [folderOf(a), folderOf(b)] as const;
    if (folders[0] === folders[1]) return a.transcript.changed - b.transcript.changed;
    return newest.get(folders[1])! - newest.get(folders[0])! || (folders[0] < folders[1] ? -1 : 1);
  });
}

function folderOf({ transcript }: FoundTranscript): string {
  return transcript.path.replace(/[/\\][^/\\]*$/, "");
}

/** A conversation is archived if no transcript that still exists has it. */
function updateArchived(database: IndexDatabase, condition: string, ...values: SQLInputValue[]): void {
  database.run(
    `UPDATE conversation SET is_archived = NOT EXISTS (
       SELECT 1 FROM holding JOIN unit ON unit.id = holding.unit WHERE holding.conversation = conversation.id AND NOT unit.is_gone
     ) WHERE ${condition}`,
    ...values,
  );
}

export function markGone(database: IndexDatabase, id: number): void {
  database.run("UPDATE unit SET is_gone = 1, stamp = NULL WHERE id = ?", id);
  updateArchived(database, "id IN (SELECT conversation FROM holding WHERE unit = ?)", id);
}

/** Returns whether anything of a transcript was stored: a new one of a program that rewrites its files has nothing to be removed. */
export function hasStored(database: IndexDatabase, id: number): boolean {
  const sql = "SELECT 1 FROM holding WHERE unit = ? UNION ALL SELECT 1 FROM page WHERE unit = ? LIMIT 1";
  return database.get(sql, id, id) !== undefined;
}

/** The transcript was rewritten. Until parts follow, its conversations count as deleted: the program may have emptied it. */
export function markRewritten(database: IndexDatabase, id: number): void {
  database.run("UPDATE unit SET skipped = NULL WHERE id = ?", id);
  // It says again what was abandoned, unless another transcript did.
  database.run(
    `DELETE FROM abandoned WHERE conversation IN (
       SELECT conversation FROM holding AS own WHERE unit = ? AND NOT EXISTS (
         SELECT 1 FROM holding AS other WHERE other.conversation = own.conversation AND other.unit <> own.unit
       )
     )`,
    id,
  );
  database.run(
    "UPDATE conversation SET is_archived = 1 WHERE id IN (SELECT conversation FROM holding WHERE unit = ?)",
    id,
  );
  database.run("DELETE FROM holding WHERE unit = ?", id);
}

/** Archives the conversations that the transcript once held and that are not among these. */
export function archiveAbsent(
  database: IndexDatabase,
  { id, source }: StoredTranscript,
  present: readonly string[],
): void {
  const absent = database.all(
    `SELECT holding.conversation AS id FROM holding JOIN conversation ON conversation.id = holding.conversation
     WHERE holding.unit = ? AND source = ? AND key NOT IN (SELECT value FROM json_each(?))`,
    id,
    source,
    JSON.stringify(present),
  );
  for (const { id: conversation } of absent) {
    database.run("DELETE FROM holding WHERE unit = ? AND conversation = ?", id, Number(conversation));
    updateArchived(database, "id = ?", Number(conversation));
  }
}

export function setCheckpoint(database: IndexDatabase, { id, isNonProse }: StoredTranscript, checkpoint: string): void {
  database.run(`UPDATE unit SET ${isNonProse ? "rest_checkpoint" : "checkpoint"} = ? WHERE id = ?`, checkpoint, id);
}

export function countSkipped(
  database: IndexDatabase,
  { id }: StoredTranscript,
  { kind, reason, count }: { readonly kind: string; readonly reason: string; readonly count: number },
): void {
  const before = database.get("SELECT skipped FROM unit WHERE id = ?", id)?.["skipped"];
  const counts = (typeof before === "string" ? JSON.parse(before) : {}) as Record<string, number>;
  const key = `${kind}: ${reason}`;
  database.run(
    "UPDATE unit SET skipped = ? WHERE id = ?",
    JSON.stringify({ ...counts, [key]: (counts[key] ?? 0) + count }),
    id,
  );
}

/** The transcript was read to its end, or as far as possible. */
export function markRead(
  database: IndexDatabase,
  { id, transcript, reader, isNonProse }: StoredTranscript,
  unreadable: string | undefined,
): void {
  if (isNonProse) {
    // Even if reading failed: prose is stored, and the next change brings another attempt.
    database.run("UPDATE unit SET rest_stamp = ? WHERE id = ?", transcript.stamp, id);
    return;
  }
  // An unreadable transcript is tried again at the next refresh, whatever its stamp.
  const stamp = unreadable === undefined ? transcript.stamp : null;
  const sql = "UPDATE unit SET path = ?, stamp = ?, unreadable = ?, reader = ? WHERE id = ?";
  database.run(sql, transcript.path, stamp, unreadable ?? null, reader, id);
  if (database.run("UPDATE unit SET is_gone = 0 WHERE id = ? AND is_gone", id).changes > 0)
    updateArchived(database, "id IN (SELECT conversation FROM holding WHERE unit = ?)", id);
  // Conversations without times of their own get those of the file.
  database.run(
    `UPDATE conversation SET created = coalesce(created, ?), created_known = coalesce(created_known, 'file'),
       updated = coalesce(updated, ?), updated_known = coalesce(updated_known, 'file')
     WHERE id IN (SELECT conversation FROM holding WHERE unit = ?) AND (created IS NULL OR updated IS NULL)`,
    transcript.changed,
    transcript.changed,
    id,
  );
}
