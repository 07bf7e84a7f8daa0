// How relevant a conversation is, from 0 to 5: a sum of parts, all of which are
// in the result. Pure; docs/internals/conversations.md documents the parts, and
// scoring.test.ts pins them. Used by recall.ts.
import type { ConversationType } from "./conversation-types.ts";

export interface ScoreParts {
  /** How well it matches the query, and how many keywords of the prompt it has. */
  readonly text: number;
  readonly recency: number;
  /** True if it belongs to this project. */
  readonly project: number;
  /** Files in common with current work. */
  readonly files: number;
  readonly type: number;
}

export interface Signals {
  /** Of the query, from 0 to 1; undefined without one. */
  readonly match: number | undefined;
  /** The share of a prompt's keywords that it has. */
  readonly keywords: number;
  /** In days. */
  readonly age: number;
  /** Undefined where no project is known. */
  readonly isThisProject: boolean | undefined;
  readonly filesInCommon: number;
  readonly type: ConversationType;
}

/** The maximum of each part. They add up to 5. */
export const MAX_PARTS = { text: 2.5, recency: 0.6, project: 1.1, files: 0.5, type: 0.3 } as const;

/** A match alone is enough to be listed. */
const MATCHED = 1;
const BEST_MATCH = 2;
const HALF_LIFE_DAYS = 14;
/** Without a project, recency weighs more: alone it is enough to be listed for eight days. */
const RECENCY_ALONE = 1.5;
const ENOUGH_FILES = 3;

/** Decisions and fixes are worth more than a chat. */
const TYPE_SHARE: Readonly<Record<ConversationType, number>> = {
  architecture: 1,
  debugging: 0.8,
  problem_solving: 0.8,
  technical: 0.6,
  code_discussion: 0.4,
  general: 0,
};

export function scorePartsOf({ match, keywords, age, isThisProject, filesInCommon, type }: Signals): ScoreParts {
  const matched = match === undefined ? 0 : MATCHED + (BEST_MATCH - MATCHED) * match;
  const mostRecent = isThisProject === undefined ? RECENCY_ALONE : MAX_PARTS.recency;
  return {
    text: rounded(matched + (MAX_PARTS.text - BEST_MATCH) * keywords),
    recency: rounded(mostRecent * 0.5 ** (Math.max(0, age) / HALF_LIFE_DAYS)),
    project: isThisProject === true ? MAX_PARTS.project : 0,
    files: rounded(MAX_PARTS.files * Math.min(1, filesInCommon / ENOUGH_FILES)),
    type: rounded(MAX_PARTS.type * TYPE_SHARE[type]),
  };
}

export function scoreOf({ text, recency, project, files, type }: ScoreParts): number {
  return rounded(text + recency + project + files + type);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
