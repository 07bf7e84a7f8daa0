// Finds headings by the beginnings of their words. Used by the note index, for
// the page.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { MAX_WORDS } from "../query.ts";
import { allOf, ftsExpression, prefix } from "../text-query.ts";
import { termsOf } from "../words/terms.ts";

export interface FoundHeading {
  readonly path: string;
  readonly heading: string;
}

/** How many notes are looked into: of the best ones, since a word may be in the headings of all. */
const MAX_HEADED = 60;

/** Headings that have all words of the text, or words that begin so; those of the best notes first. */
export function headingsWith(database: IndexDatabase, text: string, limit: number): FoundHeading[] {
  const words = termsOf(text).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const rows = database.all(
    `SELECT path, facts -> 'headings' AS headings FROM text
     JOIN document ON document.id = text.rowid JOIN facts ON facts.document = document.id
     WHERE text MATCH ? ORDER BY text.rank LIMIT ?`,
    `headings : (${ftsExpression(allOf(words.map((word) => prefix([word]))))})`,
    MAX_HEADED,
  );
  const notes = rows.map(({ path, headings }) => ({
    path: String(path),
    headings: JSON.parse(String(headings)) as string[],
  }));
  return headingsAmong(notes, words, limit);
}

/** The headings of these notes that have all words, or words that begin so. */
function headingsAmong(
  notes: readonly { readonly path: string; readonly headings: readonly string[] }[],
  words: readonly string[],
  limit: number,
): FoundHeading[] {
  const found: FoundHeading[] = [];
  for (const { path, headings } of notes)
    for (const heading of headings) {
      if (!hasAll(termsOf(heading), words)) continue;
      found.push({ path, heading });
      if (found.length === limit) return found;
    }
  return found;
}

/** Returns whether each word is one of the terms, or the beginning of one. */
export function hasAll(terms: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => terms.some((term) => term.startsWith(word)));
}
