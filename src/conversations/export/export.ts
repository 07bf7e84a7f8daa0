// Exports conversations with all their messages, one file each, under names that
// are safe on every system; never overwrites. The writer decides where files go:
// a folder (export-folder.ts), or the vault. Used by the tool and the command.
import { Problem } from "../../kernel/kernel.ts";
import type { Conversations } from "../conversation-library.ts";
import { jsonOf } from "./exported-json.ts";
import { markdownOf, plainTextOf } from "./exported-text.ts";
import type { ConversationSummary, Message } from "../store/conversation-reader.ts";

export type ExportFormat = "json" | "md" | "markdown" | "txt";

/** Writes one file. */
export interface ExportWriter {
  /** @returns its path; undefined if the name is taken */
  readonly create: (name: string, pieces: Iterable<string>) => Promise<string | undefined>;
}

export interface ExportRequest {
  readonly format: ExportFormat;
  readonly limit: number;
  /** These, whatever the other filters say. */
  readonly ids?: readonly string[] | undefined;
  /** A part of the title. */
  readonly title?: string | undefined;
  /** The program's own id of the workspace. */
  readonly workspace?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Exported {
  readonly files: readonly string[];
  /** The conversations that could not be written, and why. */
  readonly errors: readonly string[];
  /** How many match, whatever the limit. */
  readonly total: number;
  /** How many of them have only the beginnings of some tool texts. */
  readonly withDroppedTexts: number;
}

/** How many numbers are tried if a name is taken. */
const MAX_NAMES = 1000;

/** The newest first. */
export async function exportConversations(
  conversations: Pick<Conversations, "recall" | "find" | "messages">,
  request: ExportRequest,
  writer: ExportWriter,
): Promise<Exported> {
  const { format, signal, onProgress } = request;
  const answer = await wanted(conversations, request);
  const files: string[] = [];
  const errors: string[] = [];
  let withDroppedTexts = 0;
  for (const [done, listed] of answer.conversations.entries()) {
    signal?.throwIfAborted();
    onProgress?.(done, answer.conversations.length);
    try {
      const conversation = await readable(conversations, listed);
      const before = await lineageOf(conversations, conversation);
      const messages = () => wholeOf(conversations, conversation, before);
      const hasDroppedTexts = [conversation, ...before.map((one) => one.conversation)].some(
        (one) => one.hasDroppedTexts,
      );
      files.push(await exportOne({ ...conversation, hasDroppedTexts }, format, messages, writer));
      if (hasDroppedTexts) withDroppedTexts++;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      errors.push(`${listed.title}: ${error.message}`);
    }
  }
  return { files, errors, total: answer.total, withDroppedTexts };
}

/** The newest that match, and how many do; those that are named must exist. */
async function wanted(
  conversations: Pick<Conversations, "recall" | "find">,
  { ids, title, workspace, limit, signal }: ExportRequest,
): Promise<{ readonly conversations: readonly ConversationSummary[]; readonly total: number }> {
  const asking = { complete: true, withTools: true, signal };
  if (ids === undefined)
    return (await conversations.recall({ title, workspace, limit, newestFirst: true }, asking)).answer;
  const named = new Map<string, ConversationSummary>();
  for (const id of ids) {
    const found = await conversations.find(id, asking);
    named.set(found.id, found);
  }
  return { conversations: [...named.values()], total: named.size };
}

/** One of a shared store is read when it is found by its id. */
async function readable(
  conversations: Pick<Conversations, "find">,
  conversation: ConversationSummary,
): Promise<ConversationSummary> {
  return conversation.shared === undefined
    ? conversation
    : conversations.find(`${conversation.source}/${conversation.id}`, { withTools: true });
}

/** A conversation that another one continues, and how much of it they share. */
interface Ancestor {
  readonly conversation: ConversationSummary;
  /** The time of the last shared message. */
  readonly until: number;
}

/** The conversations that this one continues, oldest first: the store has shared messages only in the first of them. */
async function lineageOf(
  conversations: Pick<Conversations, "find">,
  conversation: ConversationSummary,
): Promise<Ancestor[]> {
  const ancestors: Ancestor[] = [];
  const seen = new Set([conversation.id]);
  for (let at = conversation; at.continues !== undefined && !seen.has(at.continues);) {
    seen.add(at.continues);
    const earlier = await conversations.find(`${at.source}/${at.continues}`, { withTools: true });
    ancestors.unshift({
      conversation: earlier,
      until: Math.min(at.sharedUntil, ancestors[0]?.until ?? at.sharedUntil),
    });
    at = earlier;
  }
  return ancestors;
}

function* wholeOf(
  conversations: Pick<Conversations, "messages">,
  conversation: ConversationSummary,
  ancestors: readonly Ancestor[],
): Generator<readonly Message[]> {
  for (const { conversation: earlier, until } of ancestors)
    for (const chunk of conversations.messages(earlier))
      yield chunk.filter(({ time }) => time !== undefined && time <= until);
  yield* conversations.messages(conversation);
}

async function exportOne(
  conversation: ConversationSummary,
  format: ExportFormat,
  messages: () => Iterable<readonly Message[]>,
  writer: ExportWriter,
): Promise<string> {
  for (let number = 1; number <= MAX_NAMES; number++) {
    const file = await writer.create(
      exportName(conversation, format, number),
      piecesOf(conversation, format, messages()),
    );
    if (file !== undefined) return file;
  }
  throw new Problem("conflict", "There are too many files of that name.", "Choose another output_dir.");
}

function piecesOf(
  conversation: ConversationSummary,
  format: ExportFormat,
  chunks: Iterable<readonly Message[]>,
): Iterable<string> {
  const messages = singly(chunks);
  switch (format) {
    case "json":
      return jsonOf(conversation, messages);
    case "md":
    case "markdown":
      return markdownOf(conversation, messages);
    case "txt":
      return plainTextOf(conversation, messages);
  }
}

function* singly(chunks: Iterable<readonly Message[]>): Generator<Message> {
  for (const chunk of chunks) yield* chunk;
}

const MAX_TITLE_LENGTH = 60;
/** In bytes: file systems allow 255. */
const MAX_TITLE_BYTES = 180;

/** `<date>_<time>_<title>_<id8>.<ext>`, with a number before the dot if that is taken. */
export function exportName(
  conversation: Pick<ConversationSummary, "id" | "title" | "created">,
  format: ExportFormat,
  number = 1,
): string {
  const [date, time] = new Date(conversation.created).toISOString().slice(0, 19).replaceAll(":", "-").split("T");
  const id = conversation.id.replace(/[^A-Za-z0-9]/g, "").slice(0, 8) || "unknown";
  const extension = format === "markdown" ? "md" : format;
  return `${date}_${time}_${nameOf(conversation.title)}_${id}${number === 1 ? "" : `_${number}`}.${extension}`;
}

/** Letters, digits and marks of any script with single dashes between them. */
function nameOf(title: string): string {
  const plain = title
    .normalize("NFC")
    .toWellFormed()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-");
  let name = [...plain].slice(0, MAX_TITLE_LENGTH).join("");
  while (Buffer.byteLength(name) > MAX_TITLE_BYTES) name = [...name].slice(0, -1).join("");
  return name.replace(/^-+|(?<!-)-+$/g, "") || "untitled";
}
