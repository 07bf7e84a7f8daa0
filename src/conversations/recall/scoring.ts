// How relevant a conversation is, from 0 to 5: a sum of parts, each of which
// is told with the result. Pure; the parts are documented in
// docs/conversations.md and pinned by scoring.test.ts.
import type { ConversationType } from "./type-names.ts";

export interface ScoreParts {
  /** How well the words that were looked for are found in it, and how many of the keywords of a prompt. */
  readonly text: number;
  readonly recency: number;
  /** Whether it was in this project. */
  readonly project: number;
  /** Files in common with what is worked on. */
  readonly files: number;
  readonly type: number;
}

export interface Signals {
  /** Of the search, from 0 to 1; undefined where nothing was looked for. */
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

/** The most that each part can be. They add up to 5. */
export const MOST = { text: 2.5, recency: 0.6, project: 1.1, files: 0.5, type: 0.3 } as const;

/** A match alone is enough to be listed. */
const MATCHED = 1;
const BEST_MATCH = 2;
const HALF_LIFE_DAYS = 14;
/** Where no project is known, recency has to tell more: alone it is enough for eight days. */
const RECENCY_ALONE = 1.5;
const ENOUGH_FILES = 3;

/** Where something was decided or mended is worth more than a chat. */
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
  const mostRecent = isThisProject === undefined ? RECENCY_ALONE : MOST.recency;
  return {
    text: rounded(matched + (MOST.text - BEST_MATCH) * keywords),
    recency: rounded(mostRecent * 0.5 ** (Math.max(0, age) / HALF_LIFE_DAYS)),
    project: isThisProject === true ? MOST.project : 0,
    files: rounded(MOST.files * Math.min(1, filesInCommon / ENOUGH_FILES)),
    type: rounded(MOST.type * TYPE_SHARE[type]),
  };
}

export function scoreOf({ text, recency, project, files, type }: ScoreParts): number {
  return rounded(text + recency + project + files + type);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
