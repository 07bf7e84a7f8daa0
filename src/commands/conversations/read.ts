// commonplace read: a past conversation for a person, whole, in their pager.
import { openCommonplace } from "../../app/app.ts";
import type { Conversations, ConversationSummary, Message } from "../../conversations/conversations.ts";
import {
  bold,
  counted,
  joined,
  multiline,
  printable,
  type Printable,
  printJson,
  printPaged,
  Problem,
} from "../../kernel/kernel.ts";
import { readingHint, positionNear, messageResult, conversationResult } from "../../tools/tools.ts";
import { localTime, type Command } from "../command.ts";
import { usageLine } from "../../setup/setup.ts";
import { waitForFirstIndex } from "../progress.ts";

export const command: Command = {
  usage: "read ID [--around MESSAGE] [--tools] [--json]",
  help: `Shows a past conversation, in a terminal through $PAGER (less). ID is what search
shows; source/id and the beginning of an id (six characters or more) are enough.
Secrets are redacted, unless --no-redact says otherwise.`,
  flags: {
    around: { value: "MESSAGE", help: "begin shortly before this message, as search names it" },
    tools: { help: "with tool calls, thinking and sub-agents" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async ({ settings, words, flags }) => {
    const [id = "", ...more] = words;
    if (id.trim() === "") throw new Problem("invalid", `Say which conversation: ${usageLine(command.usage)}`);
    if (more.length > 0) throw new Problem("invalid", `Too many arguments: ${usageLine(command.usage)}`);
    const withTools = flags["tools"] === true;
    const around = typeof flags["around"] === "string" ? flags["around"] : undefined;
    const commonplace = openCommonplace(settings);
    try {
      const store = await commonplace.conversations();
      const { indexing: indexingConversations } = await store.sources();
      await waitForFirstIndex(commonplace, { indexingConversations });
      const conversation = await found(store, id, withTools);
      const reading = readingOf(store, conversation, { around, withTools });
      if (flags["json"]) {
        printJson({
          conversation: conversationResult(conversation),
          messages: [...reading.messages()].map((message) => messageResult(message, Number.POSITIVE_INFINITY)),
          total: conversation.messages,
          ...reading.note,
        });
      } else await printPaged(() => shown(conversation, reading, around));
      return 0;
    } finally {
      await commonplace.close();
    }
  },
};

async function found(store: Conversations, id: string, withTools: boolean): Promise<ConversationSummary> {
  try {
    return await store.find(id, { withTools });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "not_found") throw error;
    throw new Problem(error.code, error.message, `'${usageLine("search WORDS…")}' shows the ids.`);
  }
}

interface Reading {
  readonly messages: () => Iterable<Message>;
  /** What has to be said beside them. */
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
