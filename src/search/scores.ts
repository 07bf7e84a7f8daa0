// The score of a hit, from 0 to 1 and comparable between queries: the kind of match
// decides the range, and BM25 the position in it. Pure. Used by readings.ts and by
// conversations.

/** The ranges do not overlap, so that a better kind of match always ranks higher. */
export const RANGES = {
  /** The query is the note's name, title or alias. */
  title: [0.95, 0.99],
  /** The words are next to each other, as typed. */
  phrase: [0.9, 0.94],
  allWords: [0.8, 0.89],
  /** A phrase whose last word is longer than typed. */
  begunPhrase: [0.76, 0.79],
  /** All words, in other forms or longer. */
  allForms: [0.7, 0.75],
  /** All words, some of them with typing errors. */
  allCorrected: [0.6, 0.69],
  /** The upper end is for hits with nearly all of the informative words. */
  someWords: [0.3, 0.59],
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
 * for some of them. Callers sort by it first.
 */
export function closenessOf(score: number): number {
  if (score >= RANGES.phrase[0]) return 3;
  if (score >= RANGES.allWords[0]) return 2;
  return score >= RANGES.allCorrected[0] ? 1 : 0;
}

/** Maps FTS5's rank, which is the negative BM25, to 0 to 1. */
export function relevanceFrom(rank: number): number {
  const relevance = Math.max(0, -rank);
  return relevance / (relevance + 10);
}

/** How informative a word is: almost nothing if every document contains it. */
export function informationOf(documentsWithIt: number, documents: number): number {
  return Math.log(1 + documents / (documentsWithIt + 0.5));
}
