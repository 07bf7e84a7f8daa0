// read_conversation: the messages of a conversation, in parts that fit a model's
// context.
import type { Conversations, ConversationSummary, Message } from "../../conversations/conversations.ts";
import { estimateTokens, Problem } from "../../kernel/kernel.ts";
import {
  choice,
  flag,
  integer,
  list,
  optional,
  returnedBy,
  resultObject,
  text,
  unlisted,
  withDefault,
} from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { isoOf, conversationResult, type ConversationResult } from "./fields.ts";

const BUDGET = 8_000;
const DROPPED =
  "Of long tool texts only the beginning is left: the whole ones were dropped, since there were more than --tool-texts allows.";
/** Messages shown before the requested one. */
const BEFORE = 4;
/** Longer messages are cut, and say how much is missing. */
const LONGEST_MESSAGE = 16_000;

/** Where a page begins: a chunk of the conversation, and the number of a message within it. */
interface Position {
  readonly chunk: number;
  readonly message: number;
}

const MESSAGE = { id: text(), role: text(), text: text(), time: optional(text()), kind: optional(text()) };
type MessageResult = ReturnType<typeof messageResult>;

export const readConversation = defineTool({
  name: "read_conversation",
  title: "Read a conversation",
  description:
    "Read (open, show) one conversation: the messages of a chat, what was said. The id is from recall_conversations or search.",
  toolset: "recall",
  byDefault: true,
  contract: "recall",
  effects: READS,
  input: {
    id: text("", { missing: "id is required", notEmpty: true }),
    cursor: optional(text()),
    around: optional(text("message_id")),
    roles: optional(list(choice(["user", "assistant"]))),
    includeTools: withDefault(flag("Tool calls and thinking too"), false),
  },
  output: {
    conversation: resultObject<ConversationResult & { readonly folder?: string }>(),
    messages: list(returnedBy(messageResult, MESSAGE)),
    total: integer(),
    truncated: optional(flag()),
    nextCursor: optional(text()),
    hint: unlisted(text()),
  },
  run: async ({ id, cursor, around, roles, includeTools }, { services, signal }) => {
    const conversations = await services.conversations();
    const conversation = await conversations.find(id, { signal, withTools: includeTools });
    const isWanted = ({ role, kind }: Message) => (includeTools || kind === "prose") && (roles?.includes(role) ?? true);
    const sought = cursor === undefined && around !== "" ? around : undefined;
    const near = sought === undefined ? undefined : positionNear(conversations, conversation, sought, isWanted);
    let { chunk, message: skipped } = near ?? positionOf(cursor);
    const messages: MessageResult[] = [];
    let left = BUDGET;
    let next: Position | undefined;
    for (const all of conversations.messages(conversation, chunk)) {
      signal.throwIfAborted();
      for (const [i, message] of all.filter(isWanted).entries()) {
        if (i < skipped || next !== undefined) continue;
        const entry = messageResult(message);
        left -= estimateTokens(JSON.stringify(entry));
        if (left < 0 && messages.length > 0) next = { chunk, message: i };
        else messages.push(entry);
      }
      if (next !== undefined) break;
      chunk++;
      skipped = 0;
    }
    return {
      conversation: {
        ...conversationResult(conversation),
        ...(conversation.folder !== undefined && { folder: conversation.folder }),
      },
      messages,
      total: conversation.messages,
      ...(next !== undefined && { truncated: true, nextCursor: `${next.chunk}.${next.message}` }),
      ...readingHint(conversation, {
        unknown: near === undefined ? sought : undefined,
        isCut: next !== undefined,
        withTools: includeTools,
      }),
    };
  },
});

/** The position of a few messages before the requested one, or undefined if the conversation does not have it. */
export function positionNear(
  conversations: Pick<Conversations, "messages" | "chunkOf">,
  conversation: ConversationSummary,
  sought: string,
  isWanted: (message: Message) => boolean,
): Position | undefined {
  let chunk = conversations.chunkOf(conversation, sought);
  if (chunk === undefined) return undefined;
  const all = (at: number): readonly Message[] => conversations.messages(conversation, at).next().value || [];
  const own = all(chunk);
  // The message itself may be filtered out; its position still counts.
  const at = own.findIndex(({ id }) => id === sought);
  let message = own.slice(0, at).filter(isWanted).length - BEFORE;
  while (message < 0 && chunk > 0) message += all(--chunk).filter(isWanted).length;
  return { chunk, message: Math.max(0, message) };
}

interface Shown {
  /** A requested message that does not exist. */
  readonly unknown: string | undefined;
  /** More follows. */
  readonly isCut: boolean;
  readonly withTools: boolean;
}

/** What a reader must know besides the messages. */
export function readingHint(
  { source, unavailable, hasDroppedTexts }: ConversationSummary,
  { unknown, isCut, withTools }: Shown,
): { readonly hint?: string } {
  const hints = [
    ...(unavailable === undefined ? [] : [`Only the title can be read: ${source} keeps the messages ${unavailable}.`]),
    ...(unknown === undefined || unavailable !== undefined
      ? []
      : [`The conversation has no message ${unknown.slice(0, 80)}: this is its beginning.`]),
    ...(withTools && hasDroppedTexts ? [DROPPED] : []),
    ...(isCut ? ["More follows: send nextCursor as cursor, with the same arguments."] : []),
  ];
  return hints.length === 0 ? {} : { hint: hints.join(" ") };
}

function positionOf(cursor: string | undefined): Position {
  if (cursor === undefined || cursor === "") return { chunk: 0, message: 0 };
  const [, chunk, message] = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (chunk === undefined || message === undefined)
    throw new Problem("invalid", "Invalid cursor.", "Send the same arguments again without cursor to start over.");
  return { chunk: Number(chunk), message: Number(message) };
}

export function messageResult(
  { id, role, kind, text: content, time, tool, isAbandoned }: Message,
  longest = LONGEST_MESSAGE,
) {
  const isLong = content.length > longest;
  const cut = isLong ? content.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "") : content;
  return {
    id,
    role,
    ...(kind !== "prose" && { kind }),
    ...(tool !== undefined && { tool }),
    text: isLong ? `${cut}… (${content.length - cut.length} characters more; an export has them all)` : content,
    ...(time !== undefined && { time: isoOf(time) }),
    ...(isAbandoned && { abandoned: true }),
  };
}
