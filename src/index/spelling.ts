// Words of the index that a mistyped word may mean. Used by the search for
// words that no document has.
//
// The vocabulary is read where it could be meant: among the words that begin
// with the first or the second letter of the typed one. That finds every error
// but a wrong or missing first letter, needs no table of its own, and is never
// out of date.
import { isPaired } from "../text/search-text.ts";
import type { IndexDatabase } from "./database.ts";
import { editDistance, forgivenErrors } from "./edit-distance.ts";

const MOST_CORRECTIONS = 3;

export function correctionsOf(database: IndexDatabase, word: string): string[] {
  const limit = forgivenErrors(word);
  if (limit === 0 || isPaired(word)) return [];
  const letters = [...new Set([...word].slice(0, 2))];
  return letters
    .flatMap((letter) =>
      database.all(
        "SELECT term, doc FROM word WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
        letter,
        String.fromCodePoint(letter.codePointAt(0)! + 1),
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
