// read_conversation: the messages of a conversation, in parts that fit a model's
// context.
import type { Conversations, ConversationSummary, Message, Tokens } from "../../conversations/conversations.ts";
import { estimateTokens } from "../../kernel/kernel.ts";
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
import { isoTime } from "../definition/dates.ts";
import { sealOf } from "../call/budget.ts";
import type { ReadableText } from "../call/readable-text.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import {
  cursorOf,
  messageResult,
  type MessageResult,
  pageFrom,
  positionNear,
  positionOf,
} from "./conversation-pages.ts";
import { conversationResult, type ConversationResult, resumeField } from "./fields.ts";

const BUDGET = 4_000;
/** The page asks for more while its reader scrolls, so that its parts may be larger. */
const BUDGET_OF_PEOPLE = 8_000;
const DROPPED =
  "Of long tool texts only the beginning is left: the whole ones were dropped, since there were more than --tool-texts allows.";
/** Characters of the messages before the requested one, so that this one is on the same page. */
const MAX_BEFORE = 6_000;

const MESSAGE = { id: text(), role: text(), text: text(), time: optional(text()), kind: optional(text()) };

export const readConversation = defineTool({
  name: "read_conversation",
  title: "Read a conversation",
  description:
    "Read one conversation (chat): its messages, what was said, by the id from recall_conversations or search.",
  toolset: "recall",
  byDefault: true,
  contract: "recall",
  effects: READS,
  input: {
    id: text("", { missing: "id is required", notEmpty: true, sample: "an id of recall_conversations or search" }),
    cursor: optional(text()),
    around: optional(text("message_id")),
    roles: optional(list(choice(["user", "assistant"]))),
    includeTools: withDefault(flag("Tool calls and thinking too"), false),
    /** The beginnings of all prompts, instead of messages. For the page. */
    prompts: unlisted(flag()),
    /** The ids of all messages of prose that have these words, instead of messages. For the page. */
    find: unlisted(text()),
  },
  output: {
    conversation: resultObject<Facts>(),
    messages: list(returnedBy(messageResult, MESSAGE)),
    total: integer(),
    truncated: optional(flag()),
    nextCursor: optional(text()),
    prompts: unlisted(list(resultObject<Prompt>())),
    found: unlisted(list(text())),
    /** For the page. */
    relatives: unlisted(resultObject<ReturnType<Conversations["relatives"]>>()),
    hint: unlisted(text()),
  },
  budget: BUDGET,
  text: readableConversation,
  run: async ({ id, cursor, around, roles, includeTools, prompts, find }, { services, signal, isForModel, page }) => {
    const conversations = await services.conversations();
    const conversation = await conversations.find(id, { signal, withTools: includeTools });
    const isWanted = ({ role, kind }: Message) => (includeTools || kind === "prose") && (roles?.includes(role) ?? true);
    const sought = cursor === undefined && around !== "" ? around : undefined;
    const near =
      sought === undefined
        ? undefined
        : positionNear(conversations, conversation, sought, isWanted, isForModel ? MAX_BEFORE : undefined);
    const tokens = conversations.tokens(conversation);
    const facts: Facts = {
      ...conversationResult(conversation),
      ...(conversation.folder !== undefined && { folder: conversation.folder }),
      ...(tokens !== undefined && { tokens }),
      ...resumeField(conversations, conversation),
    };
    const whole = { conversation: facts, messages: [], total: conversation.messages };
    if (prompts === true) return { ...whole, prompts: promptsIn(conversations, conversation, signal) };
    if (find !== undefined) return { ...whole, found: await messagesWith(conversations, conversation, find, signal) };
    const hintIf = (isCut: boolean) =>
      readingHint(conversation, { unknown: near === undefined ? sought : undefined, isCut, withTools: includeTools });
    const frame = { conversation: facts, messages: [], total: 0, truncated: true, nextCursor: "0".repeat(30) };
    const room = isForModel
      ? page.budget - estimateTokens(JSON.stringify({ ...frame, ...hintIf(true) }))
      : BUDGET_OF_PEOPLE;
    // Seal everything that decides which messages there are: a cursor counts them.
    const seal = sealOf("read_conversation", { id: conversation.id, roles, includeTools });
    const { messages, next } = pageFrom(conversations, conversation, near ?? positionOf(cursor, seal), {
      isWanted,
      room,
      splits: isForModel,
      editsOf: isForModel ? undefined : conversations.editsOf,
      signal,
    });
    return {
      conversation: facts,
      messages,
      total: conversation.messages,
      ...(!isForModel && { relatives: conversations.relatives(conversation) }),
      ...(next !== undefined && { truncated: true, nextCursor: cursorOf(next, seal) }),
      ...hintIf(next !== undefined && isForModel),
    };
  },
});

type Facts = ConversationResult & { readonly folder?: string; readonly tokens?: Tokens; readonly resume?: string };

/** A prompt in the outline of a conversation. */
interface Prompt {
  readonly id: string;
  readonly text: string;
  readonly time?: string;
  /** Characters of everything until the next prompt. */
  size: number;
}

const MAX_PROMPT_LENGTH = 120;
/** More than a person steps through. */
const MAX_FOUND = 1_000;

function promptsIn(
  conversations: Pick<Conversations, "messages">,
  conversation: ConversationSummary,
  signal: AbortSignal,
): Prompt[] {
  const prompts: Prompt[] = [];
  for (const all of conversations.messages(conversation)) {
    signal.throwIfAborted();
    for (const { id, role, kind, text: said, time, isAbandoned } of all) {
      if (role === "user" && kind === "prose" && !isAbandoned)
        prompts.push({
          id,
          size: 0,
          text: said.trim().replaceAll(/\s+/g, " ").slice(0, MAX_PROMPT_LENGTH).toWellFormed(),
          ...(time !== undefined && { time: isoTime(time) }),
        });
      const last = prompts.at(-1);
      if (last !== undefined) last.size += said.length;
    }
  }
  return prompts;
}

async function messagesWith(
  conversations: Pick<Conversations, "messages">,
  conversation: ConversationSummary,
  words: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { matchesIn, parseQuery } = await import("../../search/search.ts");
  const query = parseQuery(words);
  const found: string[] = [];
  for (const all of conversations.messages(conversation)) {
    signal.throwIfAborted();
    for (const { id, kind, text: said } of all)
      if (kind === "prose" && found.length < MAX_FOUND && matchesIn(said, query).length > 0) found.push(id);
  }
  return found;
}

interface Shown {
  /** A requested message that does not exist. */
  readonly unknown: string | undefined;
  /** More follows. */
  readonly isCut: boolean;
  readonly withTools: boolean;
}

/** Returns the hint beside the messages. */
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

interface Read {
  readonly conversation: Facts;
  readonly messages: readonly MessageResult[];
}

function readableConversation({ conversation: { title, id, ...facts }, messages }: Read): ReadableText {
  const shown = Object.entries(facts).filter(([, value]) => value !== "");
  return {
    head: [`Conversation ${id}`, ...shown.map(([name, value]) => `${name}: ${onOneLine(value)}`)].join("; "),
    words: [`# ${title}`, ...messages.map(readableMessage)].join("\n\n"),
  };
}

/** A branch, a folder or an id may contain line breaks, and with them lines that look like ours. */
function onOneLine(value: unknown): string {
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll(/\s+/g, " ");
}

function readableMessage({ role, kind, tool, text: said, ...facts }: MessageResult): string {
  const shown = Object.entries(facts).map(([name, value]) => `${name} ${onOneLine(value)}`);
  return `[${[role, kind, tool].filter((part) => part !== undefined).join(" ")}] ${shown.join(", ")}\n${said}`;
}
