// A conversation as a row of recall_conversations: by default what a model needs
// to choose one, and with `details` all that is known. Used by
// conversation-search.ts.
import type { RecalledConversation } from "../../conversations/conversations.ts";
import { integer, number, text } from "../definition/schema.ts";
import { isoTime } from "../definition/dates.ts";
import { conversationResult, sharedBy } from "./fields.ts";
import type { Change } from "./file-question.ts";

/** The fields that every row has. */
export const ROW = {
  id: text(),
  title: text(),
  source_tool: text(),
  updated_at: text(),
  message_count: integer(),
  relevance_score: number(),
  snippet: text(),
  conversation_type: text(),
  project: text(),
};

export type RecalledRow = ReturnType<typeof leanRow> & Partial<ReturnType<typeof detailsOf>> & Additions;

/**
 * Says what it did to the file that was asked about (the lines that it wrote last, and the commit of the first), whether what
 * its passage changed still stands, and the way back into it.
 */
type Additions = Change & { readonly holds?: string; readonly resume?: string };

export function recalledRow(conversation: RecalledConversation, details: boolean, additions: Additions): RecalledRow {
  return { ...leanRow(conversation), ...(details && detailsOf(conversation)), ...additions };
}

function leanRow(conversation: RecalledConversation) {
  const { id, title, source, updated, messages, score, snippet, type, project, message, kind, model } = conversation;
  return {
    id,
    title,
    source_tool: source,
    updated_at: isoTime(updated),
    message_count: messages,
    relevance_score: score,
    snippet,
    conversation_type: type,
    project: project ?? "",
    ...(message !== undefined && { message_id: message }),
    // With include_tools: nobody said it to anybody.
    ...(kind !== undefined && kind !== "prose" && { snippet_kind: kind }),
    ...(model !== undefined && { model }),
    ...(conversation.isArchived && { archived: true }),
    ...(conversation.continues !== undefined && { continues: conversation.continues }),
    ...(conversation.unavailable !== undefined && { unavailable: conversation.unavailable }),
    ...sharedBy(conversation),
  };
}

function detailsOf(conversation: RecalledConversation) {
  const { parts, keywords, files } = conversation;
  return { ...conversationResult(conversation), score_parts: parts, keywords, file_references: files };
}

/** Characters of a page of rows: four are about a token. */
const MAX_CHARACTERS = 24_000;
/** Tokens that are added to the page later: marks, a cursor and its hint. */
const ADDED = 400;
const MAX_SNIPPET_LENGTH = 160;
/** Every row shows so much of its match, and of its title. */
const MIN_SNIPPET_LENGTH = 40;
const MIN_TITLE_LENGTH = 50;

/** Shortens a text to a length; a snippet around its match. */
type Shorten = (text: string, length: number) => string;

/**
 * Many rows have shorter snippets, so that the default page of 60 has at most 6,000 tokens. The first rows are the best,
 * and keep theirs longest.
 * @param beside everything else in the result
 */
export function withRoom(rows: readonly RecalledRow[], beside: object, shorten: Shorten): readonly RecalledRow[] {
  const room = MAX_CHARACTERS - ADDED - JSON.stringify(beside).length - MIN_SNIPPET_LENGTH * rows.length;
  const sizeOf = (row: RecalledRow) => JSON.stringify({ ...row, snippet: "" }).length + 1;
  const left = room - rows.reduce((sum, row) => sum + sizeOf(row), 0);
  const titled = left >= 0 ? rows : rows.map((row) => ({ ...row, title: shorten(row.title, MIN_TITLE_LENGTH) }));
  return withSnippets(titled, Math.max(0, left), shorten);
}

/** @param spare characters that all snippets together may have beyond the shortest */
function withSnippets(rows: readonly RecalledRow[], spare: number, shorten: Shorten): RecalledRow[] {
  let left = spare;
  return rows.map((row) => {
    const snippet = shorten(row.snippet, Math.min(MAX_SNIPPET_LENGTH, MIN_SNIPPET_LENGTH + left));
    left = Math.max(0, left - Math.max(0, JSON.stringify(snippet).length - 2 - MIN_SNIPPET_LENGTH));
    return { ...row, snippet };
  });
}
