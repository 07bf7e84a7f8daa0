// Okapi BM25, with the constants that searches for tools have.
import { wordsIn } from "./words.ts";

const K1 = 1.2;
const B = 0.75;

export interface Found {
  readonly name: string;
  readonly score: number;
}

export interface Index {
  /** Every document with one of the query's words, the best first; equal ones stay in their order. */
  readonly search: (query: string) => Found[];
}

export function indexOf(documents: ReadonlyMap<string, string>): Index {
  const entries = [...documents].map(([name, text]) => ({ name, ...countWords(text) }));
  const averageLength = entries.reduce((sum, { length }) => sum + length, 0) / entries.length;
  const found = new Map<string, number>();
  for (const { counts } of entries) for (const word of counts.keys()) found.set(word, (found.get(word) ?? 0) + 1);

  /** How much a word says: the fewer documents have it, the more. */
  const weightOf = (word: string) => {
    const n = found.get(word) ?? 0;
    return n === 0 ? 0 : Math.log(1 + (entries.length - n + 0.5) / (n + 0.5));
  };
  return {
    search(query) {
      const words = wordsIn(query).map((word) => ({ word, weight: weightOf(word) }));
      return entries
        .map(({ name, counts, length }) => {
          const long = K1 * (1 - B + (B * length) / averageLength);
          const score = words.reduce((sum, { word, weight }) => {
            const count = counts.get(word) ?? 0;
            return sum + (weight * count * (K1 + 1)) / (count + long);
          }, 0);
          return { name, score };
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score);
    },
  };
}

function countWords(text: string): { counts: Map<string, number>; length: number } {
  const words = wordsIn(text);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}
