// Reads conversations out of the store: their facts, and their messages in
// order, some pages at a time so that the longest needs no more memory than
// the shortest. Used by conversations.ts.
import type { IndexDatabase, Row } from "../../index/database.ts";
import type { ConversationType } from "../conversation-type.ts";
import type { MessageKind, Role, SourceName, TimeKnown } from "../source.ts";
import { partsIn, type StoredPart } from "./pages.ts";

/** A conversation without its messages. */
export interface ConversationSummary {
  /** The store's own number. */
  readonly row: number;
  /** The program's own id. */
  readonly id: string;
  readonly source: SourceName;
  readonly title: string;
  readonly folder: string | undefined;
  readonly workspace: string | undefined;
  readonly branch: string | undefined;
  readonly created: number;
  readonly updated: number;
  /** The worse of how both are known. */
  readonly timeKnown: TimeKnown;
  /** What people typed, plus what assistants said. */
  readonly messages: number;
  readonly type: ConversationType;
  readonly keywords: readonly string[];
  /** How it begins. */
  readonly opening: string;
  /** Those that it touched or named most, relative to its folder where they are below it. */
  readonly files: readonly string[];
  /** The id of the conversation whose beginning it repeats; that part is kept there alone. */
  readonly continues: string | undefined;
  /** Its program has deleted it. */
  readonly isArchived: boolean;
}

/** A message, its parts of one kind merged. */
export interface Message {
  readonly id: string;
  readonly role: Role;
  readonly kind: MessageKind;
  readonly text: string;
  readonly time: number | undefined;
  readonly tool: string | undefined;
  /** On a branch that was left when its prompt was edited. */
  readonly isAbandoned: boolean;
}

export const SUMMARY_COLUMNS = `conversation.id, conversation.source, conversation.key, conversation.title, conversation.folder,
  conversation.workspace, conversation.branch, conversation.created, conversation.updated, conversation.created_known,
  conversation.updated_known, conversation.messages, conversation.type, conversation.keywords, conversation.opening, conversation.files,
  (SELECT key FROM conversation AS earlier WHERE earlier.id = conversation.continues) AS continued, conversation.is_archived`;

const TIMES: readonly TimeKnown[] = ["stored", "inferred", "file"];

export function summaryIn(row: Row): ConversationSummary {
  const text = (name: string) => (row[name] === null ? undefined : String(row[name]));
  const known = Math.max(...["created_known", "updated_known"].map((name) => TIMES.indexOf(row[name] as TimeKnown)));
  return {
    row: Number(row["id"]),
    id: String(row["key"]),
    source: row["source"] as SourceName,
    title: text("title") ?? "",
    folder: text("folder"),
    workspace: text("workspace"),
    branch: text("branch"),
    created: Number(row["created"]),
    updated: Number(row["updated"]),
    timeKnown: TIMES[known] ?? "file",
    messages: Number(row["messages"]),
    type: (row["type"] ?? "general") as ConversationType,
    keywords: (text("keywords") ?? "").split(" ").filter((word) => word !== ""),
    opening: text("opening") ?? "",
    files: (text("files") ?? "").split("\n").filter((file) => file !== ""),
    continues: text("continued"),
    isArchived: row["is_archived"] === 1,
  };
}

/** Conversations with this id, or whose id begins so: programs' ids are long, and people quote their beginning. */
export function conversationsWithId(
  database: IndexDatabase,
  id: string,
  source: string | undefined,
): ConversationSummary[] {
  const among = source === undefined ? "" : "AND source = ?";
  const values = source === undefined ? [] : [source];
  const find = (condition: string, ...keys: string[]) =>
    database
      .all(
        `SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE has_prose AND ${condition} ${among} LIMIT 20`,
        ...keys,
        ...values,
      )
      .map(summaryIn);
  const exact = find("key = ?", id);
  return exact.length > 0 || id.length < 6 ? exact : find("key >= ? AND key < ?", id, `${id}\uFFFF`);
}

export function proseOfPage(database: IndexDatabase, page: number): StoredPart[] {
  return partsIn(
    (
      database.get("SELECT parts FROM prose WHERE page = ?", page) ??
      database.get("SELECT prose AS parts FROM waiting WHERE page = ?", page)
    )?.["parts"],
  );
}

export function otherPartsOfPage(database: IndexDatabase, page: number): StoredPart[] {
  return partsIn(
    (
      database.get("SELECT parts FROM other WHERE page = ?", page) ??
      database.get("SELECT other AS parts FROM waiting WHERE page = ?", page)
    )?.["parts"],
  );
}

/** In order; of parts with the same one, prose comes first. */
export function partsOfPage(database: IndexDatabase, page: number): StoredPart[] {
  return inOrder([...proseOfPage(database, page), ...otherPartsOfPage(database, page)]);
}

function inOrder(parts: readonly StoredPart[]): StoredPart[] {
  return parts.toSorted((a, b) => a.order - b.order);
}

/** Pages that overlap in time (a sub-agent's file beside its session's) are read together. */
export function stretchesOf(database: IndexDatabase, conversation: number): number[][] {
  const pages = database.all(
    "SELECT id, first, last FROM page WHERE conversation = ? ORDER BY first, id",
    conversation,
  );
  const stretches: number[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { id, first, last } of pages) {
    if (Number(first) < end) stretches.at(-1)!.push(Number(id));
    else stretches.push([Number(id)]);
    end = Math.max(end, Number(last));
  }
  return stretches;
}

/** The messages of some pages, in order. */
export function messagesIn(database: IndexDatabase, pages: readonly number[]): Message[] {
  const parts = inOrder(pages.flatMap((page) => partsOfPage(database, page)));
  const messages: Message[] = [];
  const prose = new Map<string, number>();
  let isAbandoned = false;
  for (const { hash, message, role, kind, text, time, tool, isEdited } of parts) {
    if (role === "user" && kind === "prose") isAbandoned = isEdited === true;
    const at = kind === "prose" ? prose.get(message) : undefined;
    const before = at === undefined ? undefined : messages[at];
    if (before !== undefined) {
      messages[at!] = { ...before, text: `${before.text}\n\n${text}` };
      continue;
    }
    if (kind === "prose") prose.set(message, messages.length);
    messages.push({ id: message === "" ? hash : message, role, kind, text, time, tool, isAbandoned });
  }
  return messages;
}
