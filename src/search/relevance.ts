// How FTS5's bm25 judges a document, and what follows from it for the words
// that a document has in plenty: the strong ones. Pure; used by whoever writes
// strong words, by the search, which looks at these first, and by the search
// of conversations, which ranks them itself.
//
// For each word of a query bm25 adds up rarity · 2.2 · f / (f + l), where f is
// how often the document has the word, each column by its weight, and l grows
// with the document's length. So of the documents with one word those with the
// greatest f / l are the best, and where f / l is less than some limit, the
// relevance is too.

/** By column, in the order of the table: name, title, headings, tags, properties, body. */
export const WEIGHTS = [10, 8, 4, 5, 2, 1] as const;

/** FTS5 has them built in. */
const K1 = 1.2;
const B = 0.75;

/** A word is strong from this f / l on. Of the words of notes as long as real ones every eighth is. */
const STRONG = 2;

/** l, for lengths in words. */
function lengthening(length: number, typicalLength: number): number {
  return K1 * (1 - B + (B * length) / typicalLength);
}

/** How often a document of this length must have a strong word. */
export function leastOfStrong(length: number, typicalLength: number): number {
  return STRONG * lengthening(length, typicalLength);
}

/** What a word adds to a document's relevance. In the order in which FTS5 reckons, so that the last digit is the same. */
export function relevanceOf(rarity: number, frequency: number, length: number, averageLength: number): number {
  return rarity * ((frequency * (K1 + 1)) / (frequency + lengthening(length, averageLength)));
}

export interface Statistics {
  /** How many documents there are, and how many words they have on average. */
  readonly documents: number;
  readonly averageLength: number;
}

/**
 * What no document can be above in which a word is not strong.
 * @param typicalLength by which the words were judged when they were written
 */
export function mostWithoutStrong(
  documentsWithIt: number,
  { documents, averageLength }: Statistics,
  typicalLength: number,
): number {
  // Where documents are longer now than was expected, the same f makes for more.
  const most = STRONG * Math.max(1, averageLength / typicalLength);
  return (rarityOf(documentsWithIt, documents) * (K1 + 1) * most) / (most + 1);
}

/** FTS5 gives a word of half of the documents or more next to nothing: a millionth. */
export function isTelling(documentsWithIt: number, { documents }: Statistics): boolean {
  return documentsWithIt * 2 < documents;
}

/** The rarer a word, the more it tells. */
export function rarityOf(documentsWithIt: number, documents: number): number {
  return Math.max(1e-6, Math.log((documents - documentsWithIt + 0.5) / (documentsWithIt + 0.5)));
}
