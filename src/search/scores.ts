// How good a hit is, from 0 to 1 and comparable between queries: the way in
// which it was found decides the range, and BM25 the place within it. Pure.

/** The ranges do not touch, so that a better way to be found always ranks higher. */
export const RANGES = {
  /** The query is the note's name, title or alias. */
  title: [0.95, 0.99],
  /** Its words stand in the note as they were typed. */
  phrase: [0.9, 0.94],
  allWords: [0.8, 0.89],
  /** The last word was not typed to its end, and goes on in the note. */
  begunPhrase: [0.76, 0.79],
  /** All words, in other forms or longer ones. */
  allForms: [0.7, 0.75],
  /** All words, some of them with typing errors. */
  allCorrected: [0.6, 0.69],
  /** The upper end is for hits with nearly all of the informative words. */
  someWords: [0.3, 0.59],
  /** Nothing but a name that is like the query. */
  name: [0.05, 0.25],
} as const satisfies Record<string, readonly [number, number]>;

export type Way = keyof typeof RANGES;

/** @param place from 0 to 1 */
export function scoreOf(way: Way, place: number): number {
  const [least, most] = RANGES[way];
  return least + (most - least) * Math.min(1, Math.max(0, place));
}

/** As it is shown: nobody reads more. */
export function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

/**
 * Whether a hit was found by the words as they stand together, by all words as they were typed, by other forms of them,
 * or by some of them: 3 to 0. Nothing else about a hit is worth more than that.
 */
export function closenessOf(score: number): number {
  if (score >= RANGES.phrase[0]) return 3;
  if (score >= RANGES.allWords[0]) return 2;
  return score >= RANGES.allCorrected[0] ? 1 : 0;
}

/** FTS5's rank is BM25 with a minus, open to one side. */
export function placeOf(rank: number): number {
  const relevance = Math.max(0, -rank);
  return relevance / (relevance + 10);
}

/** How informative a word is: next to nothing if every document has it. */
export function tellingOf(documentsWithIt: number, documents: number): number {
  return Math.log(1 + documents / (documentsWithIt + 0.5));
}
