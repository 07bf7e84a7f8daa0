// Reads a conversation from a shared store: the whole of it at once, since what is
// pushed of one is bounded. Used by shared-conversations.ts.
import type { Row, TaggedQuery } from "../../shared/shared.ts";
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
import { nameOf, sharedSummaryIn } from "./shared-summaries.ts";

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
  // At once: nearly every id is a whole one.
  const [exact, parts] = await Promise.all([withKey(sql, id, source), partsOf(sql, id, source, withTools)]);
  if (exact.length > 0) return conversationIn(choose(exact), parts, redact);
  const begun = id.length < 6 ? [] : await beginningWith(sql, id, source);
  if (begun.length === 0) return undefined;
  const row = choose(begun);
  const own = await partsOf(sql, String(row["key"]), String(row["source"]), withTools);
  return conversationIn(row, own, redact);
}

async function withKey(sql: TaggedQuery, id: string, source: string | undefined): Promise<readonly Row[]> {
  const [row] = await sql`SELECT commonplace.read_summaries(${id}, ${source ?? null}) AS summaries`;
  return firstOfEach(row!["summaries"] as readonly Row[]);
}

async function beginningWith(sql: TaggedQuery, id: string, source: string | undefined): Promise<readonly Row[]> {
  const rows = await sql`
    SELECT id FROM commonplace.conversation WHERE key ^@ ${id} AND (${source ?? null}::text IS NULL OR source = ${source ?? null})
    ORDER BY id LIMIT 20`;
  const ids = rows.map((row) => String(row["id"]));
  const [row] = await sql`SELECT commonplace.found_summaries(${ids}) AS summaries`;
  return firstOfEach(row!["summaries"] as readonly Row[]);
}

/** Of one that is in several spaces, the first. */
function firstOfEach(rows: readonly Row[]): Row[] {
  return [...Map.groupBy(rows, nameOf).values()].map((same) => same[0]!);
}

/** Parts of the conversations with an id, beside their summaries. */
interface Parts {
  readonly pages: readonly Row[];
  readonly wholes: readonly Row[];
  readonly relatives: readonly Row[];
}

/** More than a reader would follow. */
const MAX_RELATIVES = 50;

async function partsOf(sql: TaggedQuery, id: string, source: string | undefined, withTools: boolean): Promise<Parts> {
  const of = source ?? null;
  const [pages, wholes, [row]] = await Promise.all([
    sql`SELECT conversation, id, kind, first, last, parts FROM commonplace.read_pages(${id}, ${of})`,
    withTools ? sql`SELECT conversation, page, texts FROM commonplace.read_wholes(${id}, ${of})` : [],
    sql`SELECT commonplace.read_relatives(${id}, ${of}, ${20 * MAX_RELATIVES}) AS relatives`,
  ]);
  return { pages, wholes, relatives: row!["relatives"] as readonly Row[] };
}

function conversationIn(row: Row, parts: Parts, redact: Redaction): ReadConversation {
  const isOwn = ({ conversation }: Row) => Number(conversation) === Number(row["id"]);
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
    relatives: relativesIn(parts.relatives.filter(isOwn).slice(0, MAX_RELATIVES), redact),
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
