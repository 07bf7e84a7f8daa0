// Words the note about query words that no text has. Used by the tools that
// search.
import type { HowSure } from "../../search/search.ts";
import { list, result, text, unlisted } from "./schema.ts";

export const UNFOUND = { not_found: unlisted(list(text())) };

/** Of a question: whether the results answer it. */
export const HOW_SURE = { known: unlisted(result<HowSure>({ type: "string" })) };

/** @param terms as an index answers */
export async function unfoundOf(query: string, terms: readonly string[] | undefined) {
  if (terms === undefined || terms.length === 0) return { fact: {}, hint: undefined };
  const { hintForUnfound, parseQuery, unfoundWords } = await import("../../search/search.ts");
  // Most words of a pasted text are in no other.
  const words = parseQuery(query).isCut ? [] : unfoundWords(query, terms);
  return { fact: words.length > 0 ? { not_found: words } : {}, hint: hintForUnfound(words) };
}
