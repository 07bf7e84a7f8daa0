// FTS5's bm25 ranking. Pure; used by the search of notes, and by the search of
// conversations, which computes the ranking itself.
//
// For each word of a query bm25 adds rarity · 2.2 · f / (f + l), where f is how
// often the document has the word (each column counts by its weight) and l
// grows with the document's length.

/** By column, in the order of the table: name, title, headings, tags, properties, body. */
export const WEIGHTS = [10, 8, 4, 5, 2, 1] as const;

/** The constants of FTS5. */
const K1 = 1.2;
const B = 0.75;

/** l, for lengths in words. */
function lengthening(length: number, averageLength: number): number {
  return K1 * (1 - B + (B * length) / averageLength);
}

/** Returns a word's share of a document's relevance. Computed in FTS5's order of operations, so that the last digit is the same. */
export function relevanceOf(rarity: number, frequency: number, length: number, averageLength: number): number {
  return rarity * ((frequency * (K1 + 1)) / (frequency + lengthening(length, averageLength)));
}

export interface Statistics {
  /** How many documents there are, and how many words they have on average. */
  readonly documents: number;
  readonly averageLength: number;
}

/** The rarity that FTS5 gives a word in half of the documents or more. */
export function isInformative(documentsWithIt: number, { documents }: Statistics): boolean {
  return documentsWithIt * 2 < documents;
}

/** The rarer a word, the more informative it is. */
export function rarityOf(documentsWithIt: number, documents: number): number {
  return Math.max(1e-6, Math.log((documents - documentsWithIt + 0.5) / (documentsWithIt + 0.5)));
}
