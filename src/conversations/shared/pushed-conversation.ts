// A conversation of this machine as it goes into a shared store: without secrets,
// page by page, each with a hash of its content. Used by push-conversations.ts.
import { hash } from "node:crypto";
import { MARK, redact, REDACTION } from "../../redaction/redaction.ts";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import { redactedSummary } from "../recall/summaries.ts";
import { boundedText, type Tokens } from "../sources/source.ts";
import {
  type ConversationSummary,
  SUMMARY_COLUMNS,
  summaryIn,
  tokensOf as countedTokens,
} from "../store/conversation-reader.ts";
import { jsonOf, packed, partsIn, type StoredPart, type WholeText } from "../store/pages.ts";
import { packedTexts } from "../store/tool-texts/text-blocks.ts";

/** Changes with what is pushed of a conversation: those that an earlier release has pushed are then pushed again. */
const FORM = 1;
/** Characters of a tool's text, and of all of a conversation: beyond, only beginnings are pushed. */
const MAX_WHOLE_LENGTH = 100_000;
const MAX_WHOLE = 8_000_000;

export type PageKind = "prose" | "tools";

export interface PushedPage {
  readonly page: number;
  readonly kind: PageKind;
  readonly first: number;
  readonly last: number;
  readonly content: string;
  readonly parts: Uint8Array;
  /** The whole texts of its parts. */
  readonly whole: Uint8Array | undefined;
  /** How many secrets are left out. */
  readonly redactions: number;
}

/** The columns of the table `conversation` that do not depend on the store. */
export interface PushedFacts {
  readonly source: string;
  readonly key: string;
  readonly content: string;
  readonly redaction: number;
  readonly title: string;
  readonly folder: string | null;
  readonly project: string | null;
  readonly root: string | null;
  readonly project_name: string | null;
  readonly workspace: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly created: number;
  readonly updated: number;
  readonly time_known: string;
  readonly messages: number;
  readonly type: string;
  readonly keywords: string;
  readonly opening: string;
  readonly files: string;
  readonly touched: readonly (readonly [path: string, count: number])[];
  readonly abandoned: readonly (readonly [kind: string, name: string, position: number])[];
  readonly continues: string | null;
  readonly shared_until: number | null;
  readonly unavailable: string | null;
  readonly has_dropped: boolean;
  readonly tokens: Tokens | null;
}

export interface PushedConversation {
  readonly facts: PushedFacts;
  readonly pages: readonly PushedPage[];
  /** How many secrets are left out. */
  readonly redactions: number;
}

/**
 * Differs whenever a conversation may have changed, and is found without unpacking it. Machines that have the same
 * conversation may have other stamps of it.
 */
export function stampOf(database: IndexDatabase, row: number): string {
  const [summary] = database.all(`SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE id = ?`, row);
  const pages = database.all(
    `SELECT page.id, is_rest, first, last, coalesce(content.parts, waiting.parts) AS parts FROM page
     LEFT JOIN content ON content.page = page.id LEFT JOIN waiting ON waiting.page = page.id
     WHERE conversation = ? ORDER BY page.id`,
    row,
  );
  const blocks = database.all("SELECT id, size, is_dropped FROM tool_block WHERE conversation = ? ORDER BY id", row);
  const described = pages.map(({ parts, is_rest, first, last }) => [
    is_rest,
    first,
    last,
    hash("sha1", parts instanceof Uint8Array ? parts : String(parts), "base64url"),
  ]);
  const { id: _, ...facts } = summary as Row;
  const tokens = countedTokens(database, row) ?? null;
  return hash("sha256", JSON.stringify([FORM, REDACTION, facts, described, blocks, tokens]), "base64url");
}

/** @param wholeText the whole text of a part, if it is still kept */
export function pushedConversation(
  database: IndexDatabase,
  row: number,
  wholeText: (whole: WholeText) => string | undefined,
): PushedConversation {
  const [found] = database.all(`SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE id = ?`, row);
  const summary = redactedSummary(summaryIn(found!), redact);
  const room = { left: MAX_WHOLE, isDropped: summary.hasDroppedTexts };
  const pages = [...pagesOf(database, row, wholeText, room)];
  const facts = factsOf(database, row, summary, room.isDropped);
  // The place and name of the project are a matter of the machine.
  const { project: _, root: __, project_name: ___, ...same } = facts;
  const content = hash("sha256", JSON.stringify([same, pages.map((page) => [page.page, page.content])]), "base64url");
  const redactions = pages.reduce((sum, page) => sum + page.redactions, marksIn(summary.title));
  return { facts: { ...facts, content }, pages, redactions };
}

interface Room {
  left: number;
  isDropped: boolean;
}

function* pagesOf(
  database: IndexDatabase,
  row: number,
  wholeText: (whole: WholeText) => string | undefined,
  room: Room,
): Generator<PushedPage> {
  const rows = database.all(
    `SELECT is_rest, first, last, coalesce(content.parts, waiting.parts) AS parts, content.clean FROM page
     LEFT JOIN content ON content.page = page.id LEFT JOIN waiting ON waiting.page = page.id
     WHERE conversation = ? ORDER BY page.id`,
    row,
  );
  for (const [i, { is_rest, first, last, parts: stored, clean }] of rows.entries()) {
    const isProse = is_rest === 0;
    const number = 1 + i;
    const wholes: string[] = [];
    let redactions = 0;
    const parts = partsIn(stored);
    const texts = isProse ? redactedTexts(parts, clean === REDACTION) : parts.map(({ text }) => redact(text));
    const shared = parts.map(({ whole, digest: _, ...part }, at): StoredPart => {
      const kept = whole === undefined ? undefined : keptWhole(wholeText(whole), room);
      redactions += marksIn(kept ?? texts[at]!);
      return {
        ...part,
        text: texts[at]!,
        ...(part.tool !== undefined && { tool: redact(part.tool) }),
        ...(kept !== undefined && { whole: { block: number, index: wholes.push(kept) - 1 } }),
      };
    });
    const json = jsonOf(shared);
    yield {
      page: number,
      kind: isProse ? "prose" : "tools",
      first: Number(first),
      last: Number(last),
      content: hash("sha256", JSON.stringify([isProse, first, last, json, wholes]), "base64url"),
      parts: packed(json),
      whole: wholes.length === 0 ? undefined : packedTexts(wholes),
      redactions,
    };
  }
}

function marksIn(text: string): number {
  return text.match(MARK)?.length ?? 0;
}

function keptWhole(text: string | undefined, room: Room): string | undefined {
  const kept = text === undefined ? undefined : boundedText(redact(text), MAX_WHOLE_LENGTH);
  if (kept === undefined || kept.length > room.left) {
    room.isDropped = true;
    return undefined;
  }
  room.left -= kept.length;
  return kept;
}

/** How much of what was said before may show that something is a secret. */
const CONTEXT = 2_000;

/**
 * Evidence of a secret may be in the message before it, so each is redacted with the end of that.
 * @param isClean the store has found no secret in the page already
 */
function redactedTexts(parts: readonly StoredPart[], isClean: boolean): string[] {
  if (isClean) return parts.map(({ text }) => text);
  let before = "";
  return parts.map(({ text }) => {
    const alone = redact(text);
    const context = `${before}\n\n`;
    const together = redact(context + alone);
    before = (before === "" ? alone : `${before}\n\n${alone}`).slice(-CONTEXT);
    if (together === context + alone) return alone;
    // A secret that begins in one message and ends in the next cannot be cut out of either.
    return together.startsWith(context) ? together.slice(context.length) : "[redacted: secret]";
  });
}

function factsOf(database: IndexDatabase, row: number, summary: ConversationSummary, isDropped: boolean): PushedFacts {
  const place = database.get(
    "SELECT project, root, name FROM place WHERE folder = (SELECT folder FROM conversation WHERE id = ?)",
    row,
  );
  const ofPlace = (name: string) => (typeof place?.[name] === "string" ? redact(place[name]) : null);
  const facts = database.get("SELECT shared_until, continues_key FROM conversation WHERE id = ?", row)!;
  const touched = database.all(
    "SELECT path, count FROM file WHERE conversation = ? ORDER BY count DESC, path LIMIT 1000",
    row,
  );
  const abandoned = database.all(
    "SELECT kind, name, position FROM abandoned WHERE conversation = ? ORDER BY kind, name, position",
    row,
  );
  return {
    source: summary.source,
    key: summary.id,
    content: "",
    redaction: REDACTION,
    title: summary.title,
    folder: summary.folder ?? null,
    project: ofPlace("project"),
    root: ofPlace("root"),
    project_name: ofPlace("name"),
    workspace: summary.workspace ?? null,
    branch: summary.branch ?? null,
    model: summary.model ?? null,
    created: summary.created,
    updated: summary.updated,
    time_known: summary.timeKnown,
    messages: summary.messages,
    type: summary.type,
    keywords: summary.keywords.join(" "),
    opening: summary.opening,
    files: summary.files.join("\n"),
    touched: touched.map(({ path, count }) => [redact(String(path)), Number(count)]),
    abandoned: abandoned.map(({ kind, name, position }) => [String(kind), String(name), Number(position)]),
    continues: summary.continues ?? (facts["continues_key"] === null ? null : String(facts["continues_key"])),
    shared_until: facts["shared_until"] === null ? null : Number(facts["shared_until"]),
    unavailable: summary.unavailable ?? null,
    has_dropped: isDropped,
    tokens: countedTokens(database, row) ?? null,
  };
}
