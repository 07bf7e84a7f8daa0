// A past conversation for a person, whole: its facts, then every message. Used by
// commonplace read.
import type { Conversations, ConversationSummary, Message } from "../../conversations/conversations.ts";
import { bold, counted, joined, multiline, printable, type Printable } from "../../kernel/kernel.ts";
import { readingHint, positionNear, messageResult, conversationResult, resumeField } from "../../tools/tools.ts";
import { localTime } from "../command.ts";

interface Shown {
  readonly json: unknown;
  readonly pieces: () => Iterable<Printable>;
}

/** @param around an id of a message */
export function conversationShown(
  store: Conversations,
  conversation: ConversationSummary,
  { around, withTools }: { readonly around: string | undefined; readonly withTools: boolean },
): Shown {
  const reading = readingOf(store, conversation, { around, withTools });
  return {
    get json() {
      return {
        conversation: { ...conversationResult(conversation), ...resumeField(store, conversation) },
        messages: [...reading.messages()].map((message) => messageResult(message, Number.POSITIVE_INFINITY)),
        total: conversation.messages,
        ...reading.note,
      };
    },
    pieces: () => shown(conversation, reading, around),
  };
}

interface Reading {
  readonly messages: () => Iterable<Message>;
  /** Sentences to be said beside them. */
  readonly note: { readonly hint?: string };
}

function readingOf(
  store: Conversations,
  conversation: ConversationSummary,
  { around, withTools }: { readonly around: string | undefined; readonly withTools: boolean },
): Reading {
  const isWanted = ({ kind }: Message) => withTools || kind === "prose";
  const near = around === undefined ? undefined : positionNear(store, conversation, around, isWanted);
  return {
    messages: function* () {
      let skipped = near?.message ?? 0;
      for (const chunk of store.messages(conversation, near?.chunk)) {
        yield* chunk.filter(isWanted).slice(skipped);
        skipped = 0;
      }
    },
    note: readingHint(conversation, { unknown: near === undefined ? around : undefined, isCut: false, withTools }),
  };
}

function* shown(
  conversation: ConversationSummary,
  { messages, note }: Reading,
  around: string | undefined,
): Generator<Printable> {
  const { id, source, title, created, updated, folder, model } = conversation;
  const about = [
    `${localTime(created)} to ${localTime(updated)}`,
    counted(conversation.messages, "message"),
    ...(model === undefined ? [] : [model]),
    ...(conversation.isArchived ? ["deleted by its program, kept here"] : []),
  ];
  yield joined([
    bold(title || "Untitled conversation"),
    `${source}/${id}`,
    about.join(" · "),
    ...(folder === undefined ? [] : [folder]),
    ...(note.hint === undefined ? [] : [note.hint]),
  ]);
  for (const message of messages()) yield printable`\n${headOf(message, around)}\n${indented(message.text)}`;
}

const SPEAKERS = { user: "User", assistant: "Assistant" } as const;

function headOf({ id, role, kind, tool, time, isAbandoned }: Message, around: string | undefined): Printable {
  const speaker = kind === "prose" ? SPEAKERS[role] : [kind, ...(tool === undefined ? [] : [tool])].join(": ");
  const about = [...(time === undefined ? [] : [localTime(time)]), ...(isAbandoned ? ["edited away"] : []), id];
  return printable`${id === around ? "→ " : ""}${bold(speaker)}  ${about.join("  ")}`;
}

/** Indents a message, so that none of its lines looks like one of ours. */
function indented(text: string): Printable {
  return multiline(text.replaceAll(/(^|\n)(?=[^\r\n])/g, "$1  "));
}
