// Forgets conversations: removes what the store has of them, with their tool texts,
// remembers to take nothing of them in again, and writes the files again, since
// deleted words stay in a database until then. Says beforehand what it takes and
// what it cannot reach. Used by conversation-library.ts, for the command forget.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBeginning } from "../files/files.ts";
import { Problem, shortened } from "../kernel/kernel.ts";
import { type IndexDatabase, rewriteFile } from "../sqlite/sqlite.ts";
import { defaultExportFolder } from "./export/export-folder.ts";
import {
  messagesIn,
  chunksOf,
  conversationsWithId,
  type ConversationSummary,
  type Relative,
  relativesOf,
  SUMMARY_COLUMNS,
  summaryIn,
} from "./store/conversation-reader.ts";
import { chosenConversation, conversationId } from "./store/conversation-ids.ts";
import { projectNamed } from "./store/projects.ts";
import { forgetConversation } from "./store/removal.ts";
import type { ToolTexts } from "./store/tool-texts/tool-texts.ts";
import { IS_IN_A_FILE } from "./store/transcript-paths.ts";

/** Conversations that are to be forgotten: one, those of a project, or those that were last updated before a time. */
export type ToForget = { readonly id: string } | { readonly project: string } | { readonly before: number };

export interface Forgettable extends ConversationSummary {
  /** Conversations that repeat it: they stay, with what they repeat. */
  readonly repeatedBy: readonly Relative[];
  /** It stays for this one, which is to stay: what both say is stored here alone, and in no file that could be read again. */
  readonly neededBy: Relative | undefined;
  /** Files that its program still has. */
  readonly transcripts: readonly string[];
  /** The sessions of our memory that its tool calls named. */
  readonly sessions: readonly string[];
  /** Files that were exported, as far as they are where they were written. */
  readonly exports: readonly string[];
}

export function conversationsToForget(database: IndexDatabase, what: ToForget): Forgettable[] {
  const found = chosen(database, what);
  const needed = neededAmong(database, found);
  const [first] = needed.values();
  if ("id" in what && first !== undefined)
    throw new Problem(
      "conflict",
      `${first.source}/${first.id} goes on from this conversation, and its program has deleted it: what both say would be lost there, too.`,
      "Forget that one first, then this one.",
    );
  const exported = exportedFiles(database);
  return found.map((one) => {
    const { row, id } = one;
    const holding = database.all(
      `SELECT path FROM unit JOIN holding ON holding.unit = unit.id WHERE conversation = ? AND NOT is_gone AND ${IS_IN_A_FILE}`,
      row,
    );
    return {
      ...one,
      repeatedBy: relativesOf(database, row).later,
      neededBy: needed.get(row),
      transcripts: holding.map(({ path }) => String(path)),
      sessions: sessionsNamedIn(database, row),
      exports: exported.get(shortId(id))?.filter((path) => has(path, id)) ?? [],
    };
  });
}

function chosen(database: IndexDatabase, what: ToForget): ConversationSummary[] {
  if ("id" in what) {
    const { id, source } = conversationId(what.id);
    return [chosenConversation(id === undefined ? [] : conversationsWithId(database, id, source), what.id)];
  }
  const select = (condition: string, value: string | number) =>
    database
      .all(`SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE ${condition} ORDER BY updated DESC`, value)
      .map(summaryIn);
  // Drafts without a message too: they have a title. Not what has no date: it may be of yesterday.
  if ("before" in what) return select("coalesce(nullif(updated, 0), nullif(created, 0)) < ?", what.before);
  const { folders, similar } = projectNamed(database, what.project);
  if (folders.length === 0)
    throw new Problem(
      "not_found",
      `No conversation was in a project called ${shortened(what.project)}.`,
      similar.length > 0 ? `Similar names: ${similar.join(", ")}.` : "The field project of any result has its name.",
    );
  const names = JSON.stringify(folders.map(({ folder }) => folder));
  if (!/[/\\]|^[.~]/.test(what.project)) checkOne(database, what.project, names);
  return select("folder IN (SELECT value FROM json_each(?))", names);
}

/** Those of which a conversation that stays has a part that is stored once, and cannot be read again. */
function neededAmong(database: IndexDatabase, found: readonly ConversationSummary[]): Map<number, Relative> {
  const needed = new Map<number, Relative>();
  const going = new Set(found.map(({ row }) => row));
  for (let before = -1; before !== needed.size;) {
    before = needed.size;
    for (const row of going)
      for (const { id, source, key, title } of database.all(
        `SELECT id, source, key, title FROM conversation WHERE continues = ? AND (
           NOT EXISTS (SELECT 1 FROM holding WHERE holding.conversation = conversation.id) OR EXISTS (
             SELECT 1 FROM holding JOIN unit ON unit.id = holding.unit
             WHERE holding.conversation = conversation.id AND (is_gone OR NOT (${IS_IN_A_FILE}))
         ))`,
        row,
      )) {
        if (going.has(Number(id))) continue;
        needed.set(row, {
          id: String(key),
          source: source as ConversationSummary["source"],
          title: String(title ?? ""),
        });
        going.delete(row);
      }
  }
  return needed;
}

/** Of "work/shop" and "old/shop", "shop" may mean either: a search takes both, what cannot be undone does not. */
function checkOne(database: IndexDatabase, project: string, folders: string): void {
  const places = database.all(
    "SELECT project, name, min(root) AS root FROM place WHERE folder IN (SELECT value FROM json_each(?)) GROUP BY project ORDER BY root",
    folders,
  );
  if (places.length < 2) return;
  const labels = new Set(places.map(({ name }) => name));
  const named = places.map(({ name, root }) => String(labels.size === places.length ? name : root));
  throw new Problem(
    "invalid",
    `Several projects are called ${shortened(project)}: ${named.slice(0, 5).join(", ")}.`,
    "Send the whole name, or the folder.",
  );
}

const SESSION = /\\?"sessionId\\?"\s*:\s*\\?"([^"\\]{1,200})/g;

function sessionsNamedIn(database: IndexDatabase, row: number): string[] {
  const named = new Set<string>();
  for (const chunk of chunksOf(database, row))
    for (const { kind, text } of messagesIn(database, row, chunk))
      if (kind === "tool" || kind === "subagent") for (const [, id] of text.matchAll(SESSION)) named.add(id!);
  return [...named];
}

/** Remembers where conversations were exported to: what was written there can then be named. */
export function noteExport(database: IndexDatabase, folder: string): void {
  database.run("INSERT OR IGNORE INTO exported VALUES (?)", folder);
}

/** Exported files by the short id in their names. */
function exportedFiles(database: IndexDatabase): Map<string, string[]> {
  const folders = database.all("SELECT folder FROM exported").map(({ folder }) => String(folder));
  const files = [...new Set([...folders, defaultExportFolder()])].flatMap((folder) =>
    namesIn(folder).map((name) => join(folder, name)),
  );
  return Map.groupBy(files, (path) => EXPORTED.exec(path)?.[1] ?? "");
}

const EXPORTED = /_([A-Za-z0-9]{1,8})(?:_\d+)?\.(?:json|md|txt)$/;
/** Every format has the id in its first lines. */
const MAX_HEAD = 64_000;

function shortId(id: string): string {
  return id.replace(/[^A-Za-z0-9]/g, "").slice(0, 8) || "unknown";
}

function has(path: string, id: string): boolean {
  try {
    return readBeginning(path, MAX_HEAD).includes(id);
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Copies of the store that was damaged once: they are for a person to look into, and stay. */
export function damagedCopies(file: string): string[] {
  const folder = dirname(file);
  return namesIn(folder)
    .filter((name) => /^conversations-damaged-\d+\.db$/.test(name))
    .map((name) => join(folder, name));
}

interface Store {
  readonly database: IndexDatabase;
  readonly texts: ToolTexts;
  readonly file: string;
}

const MERGED_PAGES = 300;

export async function forgetConversations(
  { database, texts, file }: Store,
  conversations: readonly Pick<ConversationSummary, "source" | "id">[],
  signal: AbortSignal,
): Promise<void> {
  for (const { source, id } of conversations)
    await database.write(() => {
      // Since they were shown, the store may have been built again, and the row may be of another one.
      const row = database.get("SELECT id FROM conversation WHERE source = ? AND key = ?", source, id)?.["id"];
      if (row !== undefined) forgetConversation(database, Number(row));
    }, signal);
  await texts.moveEarlier(signal);
  for (const table of ["text", "tool_text"])
    while (await database.write(() => database.merge(-MERGED_PAGES, table), signal));
  if (database.isTemporary) return;
  await rewriteFile(file, "the store of conversations", signal);
}
