// Removes text from the tables: of a transcript that is read again, and of
// conversations that their owner wants deleted. Used within
// transactions.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { SourceName } from "../sources/source.ts";
import { IS_IN_A_FILE } from "./transcript-paths.ts";
import { noteForgottenPart } from "./forgotten.ts";
import { hashOf, messageHash, type PartHash } from "./part-hash.ts";
import { partsOfPage } from "./conversation-reader.ts";
import { removeBlocks } from "./tool-texts/block-rows.ts";

interface TranscriptOfSource {
  readonly id: number;
  readonly source: SourceName;
}

/**
 * Removes what a transcript brought and has it read again from its beginning. Conversations that their program has
 * deleted from the transcript cannot be read again, and stay.
 * @returns the transcripts to be read again, including those of conversations that continue one of these
 */
export function readAgain(database: IndexDatabase, transcript: TranscriptOfSource): number[] {
  const also = removeTranscriptText(
    database,
    transcript,
    "AND conversation IN (SELECT conversation FROM holding WHERE holding.unit = part.unit)",
  );
  database.run("UPDATE unit SET stamp = NULL, checkpoint = NULL, skipped = NULL WHERE id = ?", transcript.id);
  database.run(
    `UPDATE conversation SET created = NULL, created_known = NULL, updated = NULL, updated_known = NULL
     WHERE id IN (SELECT conversation FROM holding WHERE unit = ?)
       AND NOT EXISTS (SELECT 1 FROM page WHERE page.conversation = conversation.id)`,
    transcript.id,
  );
  return [transcript.id, ...also];
}

/** Has every existing transcript read again; archived and imported conversations stay. */
export async function readAllAgain(database: IndexDatabase): Promise<void> {
  for (const { id, source } of database.all(`SELECT id, source FROM unit WHERE NOT is_gone AND ${IS_IN_A_FILE}`))
    await database.write(() => readAgain(database, { id: Number(id), source: source as SourceName }));
}

/**
 * Removes all text of a transcript; what is left of its conversations came from other transcripts.
 * @returns the transcripts of conversations that continue one of these: they have to be read again
 */
export function removeTranscriptText(
  database: IndexDatabase,
  { id, source }: TranscriptOfSource,
  condition = "",
): number[] {
  const pages = database.all(`SELECT id, conversation FROM page AS part WHERE unit = ? ${condition}`, id);
  database.run(`DELETE FROM usage AS part WHERE unit = ? ${condition}`, id);
  database.run("UPDATE unit SET rest_stamp = NULL, rest_checkpoint = NULL WHERE id = ?", id);
  const ofConversations = Map.groupBy(pages, (page) => Number(page["conversation"]));
  const conversations = [...ofConversations.keys()];
  for (const [conversation, own] of ofConversations) {
    const key = String(database.get("SELECT key FROM conversation WHERE id = ?", conversation)!["key"]);
    for (const page of own) removePage(database, Number(page["id"]), source, key);
    // The remaining parts came from other transcripts.
    database.run(
      "UPDATE conversation SET messages = ? WHERE id = ?",
      messagesLeft(database, conversation),
      conversation,
    );
    removeBlocks(database, { conversation, transcript: id });
    database.run("DELETE FROM file WHERE conversation = ?", conversation);
    database.run(
      "UPDATE conversation SET continues = NULL, repeats_until = NULL, shared_until = NULL, first_page = NULL, opening = NULL, files = NULL, title = iif(title_by = 'prompt', NULL, title), title_by = nullif(title_by, 'prompt') WHERE id = ?",
      conversation,
    );
    database.run(
      `UPDATE conversation SET is_listed = unavailable IS NOT NULL OR EXISTS (
         SELECT 1 FROM page WHERE page.conversation = conversation.id AND NOT is_rest
       ) WHERE id = ?`,
      conversation,
    );
  }
  return conversations.flatMap((conversation) => rereadThoseThatContinue(database, conversation));
}

/** In a transaction for each: they may have gigabytes. @returns how many conversations were removed */
export async function removeArchived(database: IndexDatabase, signal: AbortSignal): Promise<number> {
  const archived = database.all("SELECT id FROM conversation WHERE is_archived").map(({ id }) => Number(id));
  for (const id of archived)
    await database.write(() => {
      const isLeft = database.get("SELECT 1 FROM conversation WHERE id = ? AND is_archived", id) !== undefined;
      if (isLeft) removeConversation(database, id);
    }, signal);
  const sql = "DELETE FROM unit WHERE is_gone AND NOT EXISTS (SELECT 1 FROM page WHERE page.unit = unit.id)";
  await database.write(() => void database.run(sql));
  return archived.length;
}

/** Removes a conversation, and remembers to take nothing of it in again. Transcripts that others have too stay known. */
export function forgetConversation(database: IndexDatabase, id: number): void {
  database.run("INSERT OR IGNORE INTO forgotten SELECT source, key FROM conversation WHERE id = ?", id);
  database.run(
    "DELETE FROM pending_name WHERE (source, key) IN (SELECT source, key FROM conversation WHERE id = ?)",
    id,
  );
  for (const page of database.all("SELECT id FROM page WHERE conversation = ?", id))
    for (const { hash } of partsOfPage(database, Number(page["id"])))
      if (hash !== "") noteForgottenPart(database, hash);
  // A checkpoint may have words of it. Read from the beginning, the others in the transcript are the same.
  database.run(
    `UPDATE unit SET checkpoint = NULL, rest_checkpoint = NULL WHERE id IN (SELECT unit FROM holding WHERE conversation = ?)
     AND NOT EXISTS (SELECT 1 FROM holding WHERE unit = unit.id AND conversation <> ?)`,
    id,
    id,
  );
  removeConversation(database, id);
  database.run(`DELETE FROM unit WHERE NOT (${IS_IN_A_FILE}) AND id NOT IN (SELECT unit FROM holding)`);
  database.run("DELETE FROM place WHERE folder NOT IN (SELECT folder FROM conversation WHERE folder IS NOT NULL)");
  forgetPendingTitles(database);
}

/** Titles whose message is not stored: after everything was read, they are of conversations that were forgotten. */
export function forgetPendingTitles(database: IndexDatabase): void {
  database.run("DELETE FROM pending_title WHERE EXISTS (SELECT 1 FROM forgotten)");
}

function removeConversation(database: IndexDatabase, id: number): void {
  const {
    source,
    key,
    title_row: title,
  } = database.get("SELECT source, key, title_row FROM conversation WHERE id = ?", id)!;
  for (const page of database.all("SELECT id FROM page WHERE conversation = ?", id))
    removePage(database, Number(page["id"]), String(source), String(key));
  removeBlocks(database, { conversation: id });
  if (title !== null) database.run("DELETE FROM text WHERE rowid = ?", Number(title));
  for (const table of ["file", "abandoned", "usage", "holding"])
    database.run(`DELETE FROM ${table} WHERE conversation = ?`, id);
  rereadThoseThatContinue(database, id);
  database.run("DELETE FROM conversation WHERE id = ?", id);
}

function messagesLeft(database: IndexDatabase, conversation: number): number {
  const pages = database.all("SELECT id FROM page WHERE conversation = ? AND NOT is_rest", conversation);
  return new Set(pages.flatMap(({ id }) => partsOfPage(database, Number(id)).map(({ message }) => message))).size;
}

/** @param key the program's id of its conversation */
function removePage(database: IndexDatabase, id: number, source: SourceName, key: string): void {
  const remove = (hash: PartHash) => database.run("DELETE FROM known WHERE hash = ?", hash);
  for (const { hash, kind, message, follows } of partsOfPage(database, id)) {
    if (hash !== "") remove(hash);
    if (follows !== undefined) remove(follows);
    if (kind === "prose" && hashOf(source, "part", message) !== hash) remove(messageHash(source, key, message));
  }
  database.run("DELETE FROM text WHERE rowid = ?", id);
  database.run("DELETE FROM tool_text WHERE rowid = ?", id);
  database.run("DELETE FROM content WHERE page = ?", id);
  database.run("DELETE FROM waiting WHERE page = ?", id);
  database.run("DELETE FROM page WHERE id = ?", id);
}

/** Has later conversations read again whose repeated messages were stored once, in the earlier one. */
function rereadThoseThatContinue(database: IndexDatabase, conversation: number): number[] {
  const transcripts = database.all(
    `SELECT DISTINCT unit.id AS id, unit.source AS source FROM conversation
     JOIN holding ON holding.conversation = conversation.id JOIN unit ON unit.id = holding.unit
     WHERE continues = ? AND NOT is_gone AND ${IS_IN_A_FILE}`,
    conversation,
  );
  database.run(
    "UPDATE conversation SET continues = NULL, repeats_until = NULL, shared_until = NULL WHERE continues = ?",
    conversation,
  );
  return transcripts.flatMap(({ id, source }) => readAgain(database, { id: Number(id), source: source as SourceName }));
}
