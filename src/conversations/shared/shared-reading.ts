// Reads a conversation from a shared store: the whole of it at once, since what is
// pushed of one is bounded. Used by shared-conversations.ts.
import type { Row, TaggedQuery } from "../../postgres/postgres.ts";
import { redactedSummary, type Redaction } from "../recall/summaries.ts";
import type { SourceName } from "../sources/source.ts";
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
import { select } from "./statement.ts";

export interface ReadConversation {
  readonly summary: ConversationSummary;
  /** Its messages in order. */
  readonly chunks: readonly (readonly Message[])[];
  readonly relatives: Relatives;
}

/** With this id, else those whose id begins with it; of one that is in several spaces, the first. */
export async function sharedWithId(sql: TaggedQuery, id: string, source: string | undefined): Promise<readonly Row[]> {
  const find = async (condition: "=" | "^@") => {
    const rows = await select(
      sql,
      (values) => `SELECT ${SHARED_COLUMNS} WHERE conversation.key ${condition} ${values.add(id)}
        ${source === undefined ? "" : `AND conversation.source = ${values.add(source)}`} ORDER BY conversation.id LIMIT 20`,
    );
    return [...Map.groupBy(rows, (row) => `${String(row["source"])}/${String(row["key"])}`).values()].map(
      ([first]) => first!,
    );
  };
  const exact = await find("=");
  return exact.length > 0 || id.length < 6 ? exact : find("^@");
}

/** @param withTools with whole texts of tools; otherwise their beginnings */
export async function readShared(
  sql: TaggedQuery,
  row: Row,
  redact: Redaction,
  withTools: boolean,
): Promise<ReadConversation> {
  const id = String(row["id"]);
  const pages = await sql`
    SELECT page AS id, kind, first, last, parts FROM commonplace.conversation_page
    WHERE conversation = ${id} AND kind <> 'title' ORDER BY first, page`;
  const wholes = withTools
    ? await sql`SELECT page, texts FROM commonplace.conversation_whole WHERE conversation = ${id}`
    : [];
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
    relatives: await relativesOf(sql, row, redact),
  };
}

/** More than a reader would follow. */
const MOST_RELATIVES = 50;

async function relativesOf(sql: TaggedQuery, row: Row, redact: Redaction): Promise<Relatives> {
  const rows = await sql`
    SELECT key, source, title, key = ${(row["continues"] as string | null) ?? null} AS "isEarlier" FROM commonplace.conversation
    WHERE space = ${String(row["space"])} AND source = ${String(row["source"])} AND id <> ${String(row["id"])}
      AND (continues = ${String(row["key"])} OR key = ${(row["continues"] as string | null) ?? null})
    ORDER BY updated DESC LIMIT ${MOST_RELATIVES}`;
  const relatives = rows.map(({ key, source, title, isEarlier }) => ({
    isEarlier: isEarlier === true,
    relative: { id: String(key), source: source as SourceName, title: redact(String(title)) } satisfies Relative,
  }));
  return {
    earlier: relatives.find(({ isEarlier }) => isEarlier)?.relative,
    later: relatives.filter(({ isEarlier }) => !isEarlier).map(({ relative }) => relative),
  };
}
