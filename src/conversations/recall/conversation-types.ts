// The types of conversations: debugging, architecture … general, as the
// contract of recall spells them. conversation-type.ts chooses one.

/** Exactly the contract's names. Of types that are equally likely the first counts. */
export const CONVERSATION_TYPES = [
  "debugging",
  "architecture",
  "problem_solving",
  "technical",
  "code_discussion",
  "general",
] as const;
export type ConversationType = (typeof CONVERSATION_TYPES)[number];
