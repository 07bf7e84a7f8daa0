// The score of a hit, from 0 to 1 and comparable between queries: the kind of match
// decides the range, and BM25 the position in it. Pure. Used by readings.ts and by
// conversations.

/** The ranges of one query do not overlap, so that a better kind of match always ranks higher. */
export const RANGES = {
  /** The query is the document's name or title. */
  title: [0.97, 0.99],
  /** The query is an alias of it. */
  alias: [0.96, 0.96],
  /** Its name, title or aliases have all words, as typed. */
  titled: [0.94, 0.95],
  /** A heading has the words next to each other, as typed. */
  heading: [0.92, 0.93],
  /** The text has the words next to each other, as typed. */
  phrase: [0.9, 0.91],
  allWords: [0.8, 0.89],
  /** A phrase whose last word is longer than typed. */
  begunPhrase: [0.76, 0.79],
  /** All words, in other forms or longer. */
  allForms: [0.7, 0.75],
  /** All words, some of them with typing errors. */
  allCorrected: [0.6, 0.69],
  /** The more, the rarer, the more often, and the nearer to each other: see weighing.ts. */
  someWords: [0.3, 0.59],
  /** The same for a sentence, of which no text needs to have all words. */
  sentence: [0.3, 0.89],
  /** All words, some of them within longer ones. */
  inside: [0.26, 0.29],
  /** Only a name that is similar to the query. */
  name: [0.05, 0.25],
} as const satisfies Record<string, readonly [number, number]>;

export type MatchKind = keyof typeof RANGES;

/** @param position in the range of the kind, from 0 to 1 */
export function scoreOf(kind: MatchKind, position: number): number {
  const [least, most] = RANGES[kind];
  return least + (most - least) * Math.min(1, Math.max(0, position));
}

/** With the digits that are shown. */
export function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

/**
 * How close a hit is to the query: 3 for a phrase or name, 2 for all words as typed, 1 for all words in other forms, 0
 * for some of them; of a sentence in smaller steps. Callers sort by it first.
 */
export function closenessOf(score: number, isSentence: boolean): number {
  if (score >= RANGES.phrase[0]) return 3;
  if (isSentence) return Math.floor(score * STEPS) / STEPS;
  if (score >= RANGES.allWords[0]) return 2;
  return score >= RANGES.allCorrected[0] ? 1 : 0;
}

const STEPS = 20;

/** Maps FTS5's rank, which is the negative BM25, to 0 to 1. */
export function relevanceFrom(rank: number): number {
  const relevance = Math.max(0, -rank);
  return relevance / (relevance + 10);
}
