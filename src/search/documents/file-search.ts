// Finds notes, bases and canvases by the beginnings of the words of their names.
// Used by the note index, for the page.
import { nameIn } from "../../kernel/kernel.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { MAX_WORDS } from "../query.ts";
import { termsOf } from "../words/terms.ts";
import { hasAll } from "./heading-search.ts";

/** Notes that are looked at: of many, those with the shortest names. */
const MAX_LOOKED_AT = 500;

/**
 * The paths of files whose names have all words of the text, or words that begin so, the shortest names first.
 * @param limit of notes, and of bases and canvases
 */
export function filesNamed(database: IndexDatabase, text: string, limit: number): string[] {
  const words = termsOf(text).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  return [...notesNamed(database, words, limit), ...basesAndCanvasesNamed(database, words, limit)];
}

/** Also by aliases and titles. Every word is a condition: many notes may have the longest one in their names. */
function notesNamed(database: IndexDatabase, words: readonly string[], limit: number): string[] {
  const rarestFirst = words.toSorted((a, b) => b.length - a.length);
  // CROSS JOIN makes SQLite read the names, and look up only the notes of those that fit.
  const rows = database.all(
    `SELECT path, folded FROM name CROSS JOIN document ON document.id = name.document
     WHERE ${words.map(() => "(folded LIKE ? || '%' OR folded LIKE '% ' || ? || '%')").join(" AND ")} AND kind = 'note'
     ORDER BY length(folded), path LIMIT ?`,
    ...rarestFirst.flatMap((word) => [word, word]),
    MAX_LOOKED_AT,
  );
  const found = rows.filter(({ folded }) => hasAll(String(folded).split(" "), words)).map(({ path }) => String(path));
  return [...new Set(found)].slice(0, limit);
}

function basesAndCanvasesNamed(database: IndexDatabase, words: readonly string[], limit: number): string[] {
  const rows = database.all("SELECT path FROM document WHERE kind IN ('base', 'canvas') ORDER BY path");
  return shortestNamed(
    rows.map(({ path }) => String(path)),
    words,
    limit,
  );
}

/** Of these files those whose own names have all words, or words that begin so, the shortest first. */
function shortestNamed(paths: readonly string[], words: readonly string[], limit: number): string[] {
  return paths
    .filter((path) => hasAll(termsOf(nameIn(path)), words))
    .toSorted((a, b) => nameIn(a).length - nameIn(b).length)
    .slice(0, limit);
}
