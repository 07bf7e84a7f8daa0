// The pages of a conversation: which messages one has, how they are cut, and the cursor
// that leads to the next. Used by conversation-reading.ts and, through the front door,
// by the command `read`.
import type { Conversations, ConversationSummary, FileEdit, Message } from "../../conversations/conversations.ts";
import { estimateTokens } from "../../kernel/kernel.ts";
import { invalidCursor, textLength } from "../call/budget.ts";
import { isoTime } from "../definition/dates.ts";

/** Messages shown before the requested one. */
const BEFORE = 4;
/** Longer messages are cut, and say how much is missing. */
const MAX_MESSAGE_LENGTH = 16_000;

/** The beginning of a page: a chunk of the conversation, the number of a message within it, and a character of that. */
interface Position {
  readonly chunk: number;
  readonly message: number;
  readonly character: number;
}

interface PageRules {
  readonly isWanted: (message: Message) => boolean;
  /** In tokens. */
  readonly room: number;
  /** A message that does not fit is continued on the next page; otherwise the first one is never cut. */
  readonly splits: boolean;
  /** For the page, which shows them as differences. */
  readonly editsOf?: Conversations["editsOf"] | undefined;
  readonly signal: AbortSignal;
}

export function pageFrom(
  conversations: Pick<Conversations, "messages">,
  conversation: ConversationSummary,
  start: Position,
  { isWanted, room, splits, editsOf, signal }: PageRules,
): { readonly messages: MessageResult[]; readonly next: Position | undefined } {
  const messages: MessageResult[] = [];
  let left = room;
  let { chunk, message: skipped, character } = start;
  for (const all of conversations.messages(conversation, chunk)) {
    signal.throwIfAborted();
    for (const [message, one] of all.filter(isWanted).entries()) {
      if (message < skipped) continue;
      const entry = partOf(messageResult(one), character);
      const cost = estimateTokens(`${JSON.stringify(entry)},`);
      if (cost > left && splits && (messages.length === 0 || left > room / 4)) {
        const length = Math.max(
          textLength(entry.text, left - estimateTokens(JSON.stringify({ ...entry, text: "" })) - PART),
          2,
        );
        messages.push(partOf(messageResult(one), character, character + length));
        return { messages, next: { chunk, message, character: character + length } };
      }
      if (cost > left && messages.length > 0) return { messages, next: { chunk, message, character } };
      const edits = editsOf?.(one) ?? [];
      messages.push(edits.length === 0 ? entry : { ...entry, edits: edits.map(shortEdit) });
      left -= cost;
      character = 0;
    }
    chunk++;
    skipped = 0;
  }
  return { messages, next: undefined };
}

/** Tokens of the fields that describe a part of a message. */
const PART = 20;

/** The part of a message from one character to another, which it names unless it is the whole. */
function partOf(message: MessageResult, from: number, to = message.text.length): MessageResult {
  if (from === 0 && to >= message.text.length) return message;
  const characters = `${from}-${Math.min(to, message.text.length)} of ${message.text.length}`;
  return { ...message, text: message.text.slice(from, to), characters };
}

/**
 * The position of a few messages before the requested one, or undefined if the conversation does not have it.
 * @param most how many characters these may have together
 */
export function positionNear(
  conversations: Pick<Conversations, "messages" | "chunkOf">,
  conversation: ConversationSummary,
  sought: string,
  isWanted: (message: Message) => boolean,
  most = Number.POSITIVE_INFINITY,
): Position | undefined {
  let chunk = conversations.chunkOf(conversation, sought);
  if (chunk === undefined) return undefined;
  const all = (at: number): readonly Message[] => conversations.messages(conversation, at).next().value || [];
  const own = all(chunk);
  // The message itself may be filtered out; its position still counts.
  const at = own.findIndex(({ id }) => id === sought);
  let before = own.slice(0, at).filter(isWanted);
  let left = most;
  for (let shown = 0; shown < BEFORE; shown++) {
    while (before.length === 0 && chunk > 0) before = all(--chunk).filter(isWanted);
    left -= before.at(-1)?.text.length ?? 0;
    if (before.length === 0 || left < 0) break;
    before = before.slice(0, -1);
  }
  return { chunk, message: before.length, character: 0 };
}

export function cursorOf({ chunk, message, character }: Position, seal: string): string {
  return `${chunk}.${message}${character === 0 ? "" : `.${character}`}.${seal}`;
}

export function positionOf(cursor: string | undefined, seal: string): Position {
  if (cursor === undefined || cursor === "") return { chunk: 0, message: 0, character: 0 };
  const [, chunk, message, character = 0, own] = /^(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?\.([^.]{8})$/.exec(cursor) ?? [];
  if (chunk === undefined || message === undefined || own !== seal) throw invalidCursor();
  return { chunk: Number(chunk), message: Number(message), character: Number(character) };
}

export interface MessageResult {
  readonly id: string;
  readonly role: string;
  /** Undefined of prose. */
  readonly kind?: string;
  readonly tool?: string;
  readonly text: string;
  readonly time?: string;
  readonly abandoned?: true;
  /** Edits of files by a tool call. For the page. */
  readonly edits?: readonly FileEdit[];
  /** The part of a message, if it is on several pages: "0-9000 of 15000". */
  readonly characters?: string;
}

export function messageResult(
  { id, role, kind, text: content, time, tool, isAbandoned }: Message,
  longest = MAX_MESSAGE_LENGTH,
): MessageResult {
  const isLong = content.length > longest;
  const cut = isLong ? content.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "") : content;
  return {
    id,
    role,
    ...(kind !== "prose" && { kind }),
    ...(tool !== undefined && { tool }),
    text: isLong ? `${cut}… (${content.length - cut.length} characters more; an export has them all)` : content,
    ...(time !== undefined && { time: isoTime(time) }),
    ...(isAbandoned && { abandoned: true }),
  };
}

/** Longer texts are compared only as far as they are shown. */
function shortEdit(edit: FileEdit): FileEdit {
  return {
    ...edit,
    removed: edit.removed.slice(0, MAX_MESSAGE_LENGTH),
    added: edit.added.slice(0, MAX_MESSAGE_LENGTH),
  };
}
