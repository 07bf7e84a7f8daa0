// The types of conversations, by the names that the contract gives them.

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
