// Turns the messages of an imported conversation into events: what the sources
// of claude.ai and ChatGPT share.
import { boundedText, type MessageKind, type Role, type SourceEvent } from "../source.ts";
import { inReadingOrder, type TreeNode } from "./archived-branches.ts";

/** One part of a message. */
export interface ArchivedPart {
  readonly role: Role;
  readonly kind: MessageKind;
  readonly text: string;
  readonly tool?: string;
  readonly files?: readonly string[];
}

export interface ArchivedMessage extends TreeNode {
  /** Empty for a message that only connects others. */
  readonly parts: readonly ArchivedPart[];
}

/**
 * Keys begin with the conversation: a copy of a conversation, which a service makes with the same messages, stands on
 * its own, since the original cannot be read again.
 */
export function* eventsOfMessages(
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
