// Reads conversations from the store: their summaries, and their messages in
// order, in stretches of some pages, so that a long conversation needs no more
// memory than a short one. Used by the library, recall, export and ingest.
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import type { ConversationType } from "../recall/conversation-types.ts";
import type { MessageKind, Role, SourceName, TimeKnown, Tokens } from "../sources/source.ts";
import { abandonedIn } from "./abandoned.ts";
import { partsIn, type StoredPart, type WholeText } from "./pages.ts";

/** A conversation without its messages. */
export interface ConversationSummary {
  /** The store's own number. */
  readonly row: number;
  /** The program's own id. */
  readonly id: string;
  readonly source: SourceName;
  readonly title: string;
  readonly folder: string | undefined;
  /** The name of its project. */
  readonly project: string | undefined;
  readonly workspace: string | undefined;
  readonly branch: string | undefined;
  readonly created: number;
  readonly updated: number;
  /** The less certain of the two. */
  readonly timeKnown: TimeKnown;
  /** How many: prompts and answers. */
  readonly messages: number;
  readonly type: ConversationType;
  readonly keywords: readonly string[];
  /** How it begins. */
  readonly opening: string;
  /** Those that it touched or named most, relative to its folder if they are below it. */
  readonly files: readonly string[];
  /** The id of the conversation that it repeats or continues; shared messages are stored there only. */
  readonly continues: string | undefined;
  /** The time of the last shared message. */
  readonly sharedUntil: number;
  /** Why only its title can be read. */
  readonly unavailable: string | undefined;
  /** The model that answered last. */
  readonly model: string | undefined;
  /** Its program has deleted it. */
  readonly isArchived: boolean;
  /** Of some of its tool texts only the beginning is left: there were too many. */
  readonly hasDroppedTexts: boolean;
  /** The member who pushed it, and the space, if it comes from a shared store and is not on this machine. */
  readonly shared?: { readonly member: string; readonly space: string } | undefined;
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
  conversation.unavailable, conversation.model, conversation.shared_until, (
    SELECT key FROM conversation AS earlier WHERE is_listed AND (earlier.id = conversation.continues
      OR (earlier.source = conversation.source AND earlier.key = conversation.continues_key AND earlier.id <> conversation.id))
  ) AS continued, conversation.is_archived,
  (SELECT name FROM place WHERE place.folder = conversation.folder) AS project,
  EXISTS (SELECT 1 FROM tool_block WHERE tool_block.conversation = conversation.id AND is_dropped) AS has_dropped`;

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
    project: text("project") ?? text("folder"),
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
    sharedUntil: Number(row["shared_until"] ?? row["created"]),
    unavailable: text("unavailable"),
    model: text("model"),
    isArchived: row["is_archived"] === 1,
    hasDroppedTexts: row["has_dropped"] === 1,
  };
}

/** Conversations with this id, else those whose id begins with it: ids are long, and people quote their beginning. */
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
        `SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE is_listed AND ${condition} ${among} LIMIT 20`,
        ...keys,
        ...values,
      )
      .map(summaryIn);
  const exact = find("key = ?", id);
  return exact.length > 0 || id.length < 6 ? exact : find("key >= ? AND key < ?", id, `${id}\uFFFF`);
}

/** The tokens of a conversation, with those of its sub-agents; undefined if its program has counted none. */
export function tokensOf(database: IndexDatabase, row: number): Tokens | undefined {
  const sums = "sum(input) AS input, sum(output) AS output, sum(cached) AS cached";
  const counted = database.get(`SELECT ${sums} FROM usage WHERE conversation = ?`, row)!;
  const [input, output, cached] = [counted["input"], counted["output"], counted["cached"]];
  return input === null ? undefined : { input: Number(input), output: Number(output), cached: Number(cached) };
}

/** Another conversation, as a link to it shows it. */
export interface Relative {
  readonly id: string;
  readonly source: SourceName;
  readonly title: string;
}

export interface Relatives {
  readonly earlier: Relative | undefined;
  /** The newest first. */
  readonly later: readonly Relative[];
}

/** More than a reader would follow. */
const MAX_RELATIVES = 50;

export function relativesOf(database: IndexDatabase, row: number): Relatives {
  const find = (condition: string) =>
    database
      .all(
        `SELECT other.key, other.source, other.title FROM conversation AS own, conversation AS other
         WHERE own.id = ? AND other.is_listed AND other.id <> own.id AND (${condition})
         ORDER BY other.updated DESC LIMIT ${MAX_RELATIVES}`,
        row,
      )
      .map(({ key, source, title }) => ({
        id: String(key),
        source: source as SourceName,
        title: title === null ? "" : String(title),
      }));
  const [earlier] = find("other.id = own.continues OR (other.source = own.source AND other.key = own.continues_key)");
  const later = find("other.continues = own.id OR (other.source = own.source AND other.continues_key = own.key)");
  return { earlier, later };
}

export function partsOfPage(database: IndexDatabase, page: number): StoredPart[] {
  const row =
    database.get("SELECT parts FROM content WHERE page = ?", page) ??
    database.get("SELECT parts FROM waiting WHERE page = ?", page);
  return partsIn(row?.["parts"]);
}

/** Part of a conversation: pages of prose whose orders overlap, and the orders that they cover. */
export interface Chunk {
  readonly pages: readonly number[];
  readonly from: number;
  readonly until: number;
}

/** If everything overlaps (a file made of others), bounded memory matters more than order. */
const MAX_PAGES = 100;

export function chunksOf(database: IndexDatabase, conversation: number): Chunk[] {
  return chunksIn(
    database.all(
      "SELECT id, first, last FROM page WHERE conversation = ? AND NOT is_rest ORDER BY first, id",
      conversation,
    ),
  );
}

/** Of pages of prose, by their `first` and `id`. */
export function chunksIn(rows: readonly Readonly<Record<string, unknown>>[]): Chunk[] {
  const groups: { pages: number[]; from: number }[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { id, first, last } of rows) {
    const group = groups.at(-1);
    if (group !== undefined && Number(first) < end && group.pages.length < MAX_PAGES) group.pages.push(Number(id));
    else groups.push({ pages: [Number(id)], from: groups.length === 0 ? Number.NEGATIVE_INFINITY : Number(first) });
    end = Math.max(end, Number(last));
  }
  return groups.map((group, i) => ({ ...group, until: groups[i + 1]?.from ?? Number.POSITIVE_INFINITY }));
}

/** A message as pages have it: of a long text that is not prose, its beginning, and where the whole is. */
export interface StoredMessage extends Message {
  readonly whole: WholeText | undefined;
}

/** The messages of a chunk in order; of parts with equal order, prose comes first. */
export function messagesIn(
  database: IndexDatabase,
  conversation: number,
  { pages, from, until }: Chunk,
): StoredMessage[] {
  const prose = pages.flatMap((page) => partsOfPage(database, page));
  const nonProse = database
    .all(
      "SELECT id FROM page WHERE conversation = ? AND is_rest AND last >= ? AND first < ? ORDER BY first, id",
      conversation,
      from,
      until,
    )
    .flatMap(({ id }) => partsOfPage(database, Number(id)))
    .filter(({ order }) => order >= from && order < until);
  return messagesOf(prose, nonProse, abandonedIn(database, conversation));
}

/** @param isLeft whether a part was abandoned */
export function messagesOf(
  prose: readonly StoredPart[],
  nonProse: readonly StoredPart[],
  isLeft: (part: StoredPart) => boolean,
): StoredMessage[] {
  const parts = [...prose, ...nonProse].toSorted((a, b) => a.order - b.order);
  const messages: StoredMessage[] = [];
  const merged = new Map<string, number>();
  /** The edited prompt whose abandoned branch is being read. */
  let edited: StoredPart | undefined;
  let isAbandoned = false;
  for (const part of parts) {
    const { hash, message, role, kind, text, time, tool, isEdited, whole } = part;
    if (role === "user" && kind === "prose" && (edited === undefined || edited.follows === part.follows))
      edited = isEdited === true ? part : undefined;
    // Thinking and tool calls may come before the prose of their message. What has no message of its own follows them.
    if (message !== "" && kind !== "subagent") isAbandoned = edited !== undefined || isLeft(part);
    const at = kind === "prose" ? merged.get(message) : undefined;
    const before = at === undefined ? undefined : messages[at];
    if (before !== undefined) {
      messages[at!] = { ...before, text: `${before.text}\n\n${text}` };
      continue;
    }
    if (kind === "prose") merged.set(message, messages.length);
    messages.push({ id: message === "" ? hash : message, role, kind, text, time, tool, isAbandoned, whole });
  }
  return messages;
}

/** The index of the chunk that has a message. */
export function chunkAmong(chunks: readonly (readonly Message[])[], message: string): number | undefined {
  const at = chunks.findIndex((chunk) => chunk.some(({ id }) => id === message));
  return at === -1 ? undefined : at;
}

/** The index of the chunk that a message is in, by its id from `messagesIn`; undefined if there is no such message. */
export function chunkWith(database: IndexDatabase, conversation: number, message: string): number | undefined {
  const chunks = chunksOf(database, conversation);
  const isWanted = ({ message: id, hash }: StoredPart) => (id === "" ? hash : id) === message;
  const inProse = chunks.findIndex(({ pages }) => pages.some((page) => partsOfPage(database, page).some(isWanted)));
  if (inProse !== -1) return inProse;
  // A message may consist of tool calls and thinking alone.
  const nonProse = database.all(
    "SELECT id FROM page WHERE conversation = ? AND is_rest ORDER BY first, id",
    conversation,
  );
  for (const { id } of nonProse) {
    const part = partsOfPage(database, Number(id)).find(isWanted);
    if (part !== undefined) return chunks.findIndex(({ from, until }) => part.order >= from && part.order < until);
  }
  return undefined;
}
