// Finds bases and canvases by the beginnings of the words of their names: a base
// has no text of its own to be found by. Used by the note index, for the page.
import { nameIn } from "../../kernel/kernel.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { termsOf } from "../words/terms.ts";
import { hasAll } from "./heading-search.ts";

/** The paths of bases and canvases whose names have all words of the text, or words that begin so; the shortest names first. */
export function basesAndCanvasesNamed(database: IndexDatabase, text: string, limit: number): string[] {
  const words = termsOf(text);
  if (words.length === 0) return [];
  return database
    .all("SELECT path FROM document WHERE kind IN ('base', 'canvas') ORDER BY path")
    .map(({ path }) => String(path))
    .filter((path) => hasAll(termsOf(nameIn(path)), words))
    .toSorted((a, b) => nameIn(a).length - nameIn(b).length)
    .slice(0, limit);
}
