// Finds words of the index that a mistyped word may be meant for. Used by the search
// for words that no document contains.
//
// Reads only a part of the vocabulary: words that begin with the first two letters,
// or with these swapped, as after nearly all typing errors; then words with its first
// or its second letter. That finds every error except a wrong or missing first
// letter, needs no table of its own, and is never out of date.
import { isPaired } from "./terms.ts";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import { editDistance, forgivenErrors } from "../../kernel/kernel.ts";

const MAX_CORRECTIONS = 3;

/** @param isQuick only the first step, which is a twentieth of the work */
export function correctionsOf(database: IndexDatabase, word: string, isQuick = false): string[] {
  for (const lookup of lookupsFor(word, isQuick)) {
    const near = nearestAmong(wordsIn(database, lookup), word);
    if (near.length > 0) return near;
  }
  return [];
}

/** Words of an index that are compared with a mistyped one. */
export interface Lookup {
  readonly beginnings: readonly string[];
  /** In characters. */
  readonly shortest: number;
  readonly longest: number;
}

/** Returns the lookups for a word, one after the other until a near word is found. */
export function lookupsFor(word: string, isQuick = false): readonly Lookup[] {
  const limit = forgivenErrors(word);
  if (limit === 0 || isPaired(word)) return [];
  const [first = "", second = ""] = word;
  const steps = [
    [first + second, second + first],
    [first, second],
  ];
  return (isQuick ? steps.slice(0, 1) : steps).map((beginnings) => ({
    beginnings: [...new Set(beginnings)],
    shortest: word.length - limit,
    longest: word.length + limit,
  }));
}

interface FoundWord {
  readonly term: string;
  readonly documents: number;
}

/** Words that are compared. More begin alike only if a note is a list of made-up ones: then those in the most notes are. */
export const MAX_COMPARED = 50_000;

function wordsIn(database: IndexDatabase, { beginnings, shortest, longest }: Lookup): FoundWord[] {
  return beginnings.flatMap((beginning) =>
    mostFrequent(
      database,
      {
        from: "word WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
        values: [beginning, endOf(beginning), shortest, longest],
        by: "doc",
      },
      MAX_COMPARED,
    ).map(({ term, doc }) => ({ term: String(term), documents: Number(doc) })),
  );
}

/** Rows of the vocabulary; sorted only if there are more than are wanted, which takes longer than reading a few. */
export function mostFrequent(
  database: IndexDatabase,
  { from, values, by }: { readonly from: string; readonly values: readonly (string | number)[]; readonly by: string },
  most: number,
): readonly Row[] {
  const rows = database.all(`SELECT term, doc, cnt FROM ${from} LIMIT ?`, ...values, most + 1);
  if (rows.length <= most) return rows;
  return database.all(`SELECT term, doc, cnt FROM ${from} ORDER BY ${by} DESC, term LIMIT ?`, ...values, most);
}

/** Those of the words that are nearest, the more frequent first. */
export function nearestAmong(words: readonly FoundWord[], word: string): string[] {
  const limit = forgivenErrors(word);
  return words
    .map(({ term, documents }) => ({ term, documents, errors: editDistance(word, term, limit) }))
    .filter(({ errors }) => errors <= limit)
    .toSorted((a, b) => a.errors - b.errors || b.documents - a.documents || (a.term < b.term ? -1 : 1))
    .filter(({ errors }, _, [best]) => errors === best!.errors)
    .slice(0, MAX_CORRECTIONS)
    .map(({ term }) => term);
}

/** The upper bound of the words with this beginning. */
export function endOf(beginning: string): string {
  const letters = [...beginning];
  return letters.slice(0, -1).join("") + String.fromCodePoint(letters.at(-1)!.codePointAt(0)! + 1);
}
