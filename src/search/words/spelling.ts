// Finds words of the index that a mistyped word may be meant for. Used by the search
// for words that no document contains.
//
// Reads only a part of the vocabulary: words that begin with the first two letters,
// or with these swapped, as after nearly all typing errors; then words with its first
// or its second letter. That finds every error except a wrong or missing first
// letter, needs no table of its own, and is never out of date.
import { isPaired } from "./terms.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { editDistance, forgivenErrors } from "../../kernel/kernel.ts";

const MOST_CORRECTIONS = 3;

/** @param isQuick only the first step, which is a twentieth of the work */
export function correctionsOf(database: IndexDatabase, word: string, isQuick = false): string[] {
  const limit = forgivenErrors(word);
  if (limit === 0 || isPaired(word)) return [];
  const [first = "", second = ""] = word;
  const near = nearestIn(database, word, limit, [first + second, second + first]);
  return near.length > 0 || isQuick ? near : nearestIn(database, word, limit, [first, second]);
}

/** The nearest words with one of these beginnings, the more frequent first. */
function nearestIn(database: IndexDatabase, word: string, limit: number, beginnings: readonly string[]): string[] {
  return [...new Set(beginnings)]
    .flatMap((beginning) =>
      database.all(
        "SELECT term, doc FROM word WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
        beginning,
        endOf(beginning),
        word.length - limit,
        word.length + limit,
      ),
    )
    .map(({ term, doc }) => ({
      term: String(term),
      documents: Number(doc),
      errors: editDistance(word, String(term), limit),
    }))
    .filter(({ errors }) => errors <= limit)
    .toSorted((a, b) => a.errors - b.errors || b.documents - a.documents || (a.term < b.term ? -1 : 1))
    .filter(({ errors }, _, [best]) => errors === best!.errors)
    .slice(0, MOST_CORRECTIONS)
    .map(({ term }) => term);
}

/** The upper bound of the words with this beginning. */
export function endOf(beginning: string): string {
  const letters = [...beginning];
  return letters.slice(0, -1).join("") + String.fromCodePoint(letters.at(-1)!.codePointAt(0)! + 1);
}
