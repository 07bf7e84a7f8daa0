// Turns the messages of an imported conversation into events: what the sources
// of claude.ai and ChatGPT share.
import {
  boundedText,
  readNothing,
  type ArchivedConversation,
  type ConversationFacts,
  type ConversationSource,
  type Said,
  type SourceEvent,
} from "../source.ts";
import { storedTimes } from "./stored-times.ts";
import { inReadingOrder, type TreeNode } from "./archived-branches.ts";

export interface ArchivedMessage extends TreeNode {
  /** Empty for a message that only connects others. */
  readonly parts: readonly Said[];
}

/** A conversation as its service describes it. */
interface Described extends Pick<ConversationFacts, "id" | "title" | "model" | "workspace"> {
  readonly created: number | undefined;
  readonly updated: number | undefined;
  readonly messages: readonly ArchivedMessage[];
  /** The last message of the branch that the person was on. */
  readonly leaf: string | undefined;
  /** What was skipped, by its type. */
  readonly skipped: ReadonlyMap<string, number>;
  /** What has such a type: messages, blocks. */
  readonly skippedName: string;
}

export function archivedConversation(described: Described): ArchivedConversation {
  const { id, title, model, workspace, created, updated, messages, leaf, skipped, skippedName } = described;
  const facts = { id, title: title?.trim(), model, workspace, ...storedTimes(created, updated) };
  const events: SourceEvent[] = [
    { kind: "conversation", facts },
    ...eventsOfMessages(id, messages, leaf),
    ...[...skipped].map(([type, count]): SourceEvent => ({
      kind: "skipped",
      count,
      reason: `${skippedName} of the unknown type ${type}`,
    })),
  ];
  return { id, updated, events };
}

/** A source that only reads archives: nothing is found without them. */
export function archiveSource(
  name: string,
  title: string,
  fromArchive: NonNullable<ConversationSource["fromArchive"]>,
): ConversationSource {
  return { name, reader: 1, title, find: () => [], read: readNothing, fromArchive };
}

/** Counts by name. */
export function counting(counts: Map<string, number>): (name: string) => void {
  return (name) => counts.set(name, (counts.get(name) ?? 0) + 1);
}

/**
 * Keys begin with the conversation: a copy of a conversation, which a service makes with the same messages, stands on
 * its own, since the original cannot be read again.
 */
function* eventsOfMessages(
  conversation: string,
  messages: readonly ArchivedMessage[],
  leaf: string | undefined,
): Generator<SourceEvent> {
  let order = 0;
  for (const { node, isAbandoned } of inReadingOrder(messages, leaf)) {
    const message = `${conversation}:${node.id}`;
    const parts = node.parts.filter(({ text }) => text !== "");
    for (const [at, part] of parts.entries())
      yield {
        kind: "part",
        part: {
          ...part,
          conversation,
          key: `${message}:${at}`,
          message,
          order: order++,
          text: part.kind === "prose" ? part.text : boundedText(part.text),
          time: node.time,
        },
      };
    if (isAbandoned && parts.length > 0) yield { kind: "abandoned", conversation, abandoned: { message } };
  }
}

/** The texts that are not blank, as paragraphs. */
export function joined(texts: readonly unknown[]): string {
  return texts
    .map((text) => (typeof text === "string" ? text.trim() : ""))
    .filter((text) => text !== "")
    .join("\n\n");
}
