// What a source makes of one conversation of an archive, for tests.
import type { ConversationFacts, ConversationSource, MessagePart } from "../src/conversations/sources/source.ts";

export interface Archived {
  readonly facts: ConversationFacts;
  /** In order. */
  readonly parts: readonly MessagePart[];
  readonly prose: readonly string[];
  /** The ids of messages with prose, in order, and of those that were abandoned. */
  readonly order: readonly string[];
  readonly marked: readonly string[];
  readonly notices: readonly string[];
}

export function archivedOf(source: ConversationSource, conversation: Readonly<Record<string, unknown>>): Archived {
  const { id, events } = source.fromArchive!(conversation)!;
  const own = (message: string) => message.slice(id.length + 1);
  const parts = events.flatMap((one) => (one.kind === "part" ? [one.part] : [])).toSorted((a, b) => a.order - b.order);
  const prose = parts.filter(({ kind }) => kind === "prose");
  return {
    facts: events.flatMap((one) => (one.kind === "conversation" ? [one.facts] : []))[0]!,
    parts,
    prose: prose.map(({ role, text }) => `${role}: ${text}`),
    order: prose.map(({ message }) => own(message)),
    marked: events.flatMap((one) =>
      one.kind === "abandoned" && "message" in one.abandoned ? [own(one.abandoned.message)] : [],
    ),
    notices: events.flatMap((one) => (one.kind === "skipped" ? [`skipped ${one.count}: ${one.reason}`] : [])),
  };
}
