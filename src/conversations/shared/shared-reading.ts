// Reads a conversation from a shared store: the whole of it at once, since what is
// pushed of one is bounded. Used by shared-conversations.ts.
import { type Condition, type Row, select, type TaggedQuery, type Values } from "../../postgres/postgres.ts";
import { redactedSummary, type Redaction } from "../recall/summaries.ts";
import type { SourceName, Tokens } from "../sources/source.ts";
import { abandonedBy } from "../store/abandoned.ts";
import {
  chunksIn,
  type ConversationSummary,
  messagesOf,
  type Message,
  type Relative,
  type Relatives,
} from "../store/conversation-reader.ts";
import { partsIn } from "../store/pages.ts";
import { textsIn } from "../store/tool-texts/text-blocks.ts";
import { SHARED_COLUMNS, sharedSummaryIn } from "./shared-summaries.ts";

export interface ReadConversation {
  readonly summary: ConversationSummary;
  /** Its messages in order. */
  readonly chunks: readonly (readonly Message[])[];
  readonly relatives: Relatives;
  readonly tokens: Tokens | undefined;
}

interface Wanted {
  readonly id: string;
  readonly source: string | undefined;
  /** With whole texts of tools; otherwise their beginnings. */
  readonly withTools: boolean;
  readonly redact: Redaction;
  /** Of those that have the id, or whose ids begin with it. */
  readonly choose: (rows: readonly Row[]) => Row;
}

/** The conversation with this id, else the one whose id begins with it; undefined if there is none. */
export async function readShared(sql: TaggedQuery, wanted: Wanted): Promise<ReadConversation | undefined> {
  const { id, source, withTools, redact, choose } = wanted;
  const ofSource = (values: Values) => (source === undefined ? "" : ` AND conversation.source = ${values.add(source)}`);
  const isIt = (values: Values) => `conversation.key = ${values.add(id)}${ofSource(values)}`;
  // At once: nearly every id is a whole one.
  const [exact, parts] = await Promise.all([withKey(sql, isIt), partsOf(sql, isIt, withTools)]);
  if (exact.length > 0) return conversationIn(choose(exact), parts, redact);
  const begun =
    id.length < 6 ? [] : await withKey(sql, (values) => `conversation.key ^@ ${values.add(id)}${ofSource(values)}`);
  if (begun.length === 0) return undefined;
  const row = choose(begun);
  const own = await partsOf(sql, (values) => `conversation.id = ${values.add(String(row["id"]))}`, withTools);
  return conversationIn(row, own, redact);
}

/** Of one that is in several spaces, the first. */
async function withKey(sql: TaggedQuery, condition: NonNullable<Condition>): Promise<readonly Row[]> {
  const rows = await select(
    sql,
    (values) => `SELECT ${SHARED_COLUMNS} WHERE ${condition(values)} ORDER BY conversation.id LIMIT 20`,
  );
  return [...Map.groupBy(rows, (row) => `${String(row["source"])}/${String(row["key"])}`).values()].map(
    ([first]) => first!,
  );
}

/** What is read of some conversations beside their summaries. */
interface Parts {
  readonly pages: readonly Row[];
  readonly wholes: readonly Row[];
  readonly relatives: readonly Row[];
}

/** More than a reader would follow. */
const MOST_RELATIVES = 50;

async function partsOf(sql: TaggedQuery, condition: NonNullable<Condition>, withTools: boolean): Promise<Parts> {
  const among = (values: Values) => `(SELECT id FROM commonplace.conversation WHERE ${condition(values)})`;
  const [pages, wholes, relatives] = await Promise.all([
    select(
      sql,
      (values) => `SELECT conversation, page AS id, kind, first, last, parts FROM commonplace.conversation_page
        WHERE conversation IN ${among(values)} AND kind <> 'title' ORDER BY first, page`,
    ),
    withTools
      ? select(
          sql,
          (values) => `SELECT conversation, page, texts FROM commonplace.conversation_whole
            WHERE conversation IN ${among(values)}`,
        )
      : [],
    select(sql, (values) => {
      const related = (how: string, isEarlier: boolean) => `
        SELECT conversation.id AS conversation, other.key, other.source, other.title, other.updated, ${isEarlier} AS "isEarlier"
        FROM commonplace.conversation JOIN commonplace.conversation AS other
          ON ${how} AND other.space = conversation.space AND other.source = conversation.source AND other.id <> conversation.id
        WHERE ${condition(values)}`;
      return `${related("other.key = conversation.continues", true)} UNION ALL
        ${related("other.continues = conversation.key", false)} ORDER BY updated DESC LIMIT ${20 * MOST_RELATIVES}`;
    }),
  ]);
  return { pages, wholes, relatives };
}

function conversationIn(row: Row, parts: Parts, redact: Redaction): ReadConversation {
  const isOwn = ({ conversation }: Row) => conversation === row["id"];
  const pages = parts.pages.filter(isOwn);
  const wholes = parts.wholes.filter(isOwn);
  const blocks = new Map(wholes.map(({ page, texts }) => [Number(page), texts as Uint8Array]));
  const prose = pages.filter(({ kind }) => kind === "prose");
  const nonProse = pages.filter(({ kind }) => kind === "tools").flatMap(({ parts }) => partsIn(parts));
  const partsOfPages = new Map(prose.map((page) => [Number(page["id"]), partsIn(page["parts"])]));
  const abandoned = row["abandoned"] as readonly (readonly [string, string, number])[];
  const isLeft = abandonedBy(abandoned.map(([kind, name, position]) => ({ kind, name, position })));
  let last: { readonly page: number; readonly texts: readonly string[] } | undefined;
  const wholeText = (page: number, index: number): string | undefined => {
    const block = blocks.get(page);
    if (block === undefined) return undefined;
    if (last?.page !== page) last = { page, texts: textsIn(block) };
    return last.texts[index];
  };
  const chunks = chunksIn(prose).map(({ pages: own, from, until }) =>
    messagesOf(
      own.flatMap((page) => partsOfPages.get(page) ?? []),
      nonProse.filter(({ order }) => order >= from && order < until),
      isLeft,
    ).map(({ whole, ...message }): Message => {
      const text = whole === undefined ? undefined : wholeText(whole.block, whole.index);
      return { ...message, text: redact(text ?? message.text) };
    }),
  );
  return {
    summary: redactedSummary(sharedSummaryIn(row), redact),
    chunks,
    relatives: relativesIn(parts.relatives.filter(isOwn).slice(0, MOST_RELATIVES), redact),
    tokens: (row["tokens"] as Tokens | null) ?? undefined,
  };
}

function relativesIn(rows: readonly Row[], redact: Redaction): Relatives {
  const relatives = rows.map(({ key, source, title, isEarlier }) => ({
    isEarlier: isEarlier === true,
    relative: { id: String(key), source: source as SourceName, title: redact(String(title)) } satisfies Relative,
  }));
  return {
    earlier: relatives.find(({ isEarlier }) => isEarlier)?.relative,
    later: relatives.filter(({ isEarlier }) => !isEarlier).map(({ relative }) => relative),
  };
}
