// A full-text query in PostgreSQL's own syntax. Pure; used by shared-text.ts.
import { MAX_WORD_LENGTH } from "./text-tokens.ts";
import { anyOf, phrase, type TextQuery } from "../../search/search.ts";

type Terms = Extract<TextQuery, { readonly kind: "terms" }>;

/** As a tsquery. Terms are letters and digits, so nothing needs escaping. */
export function expressionOf(query: TextQuery): string {
  if (query.kind === "terms") {
    const terms = query.terms.map((term) => `'${withinLimit(term)}'`);
    return `${terms.join(" <-> ")}${query.isPrefix ? ":*" : ""}`;
  }
  return query.of.map((one) => `(${expressionOf(one)})`).join(query.kind === "any" ? " | " : " & ");
}

/** A tsquery refuses words of more than 2,046 bytes. Cut to more than any kept word has, a longer one finds nothing. */
function withinLimit(term: string): string {
  if (term.length * 3 <= MAX_WORD_LENGTH) return term;
  const bytes = Buffer.from(term);
  return bytes.length <= MAX_WORD_LENGTH ? term : bytes.subarray(0, MAX_WORD_LENGTH + 500).toString();
}

/** A query for texts with one of these words. */
export function anyWord(terms: readonly string[]): TextQuery {
  return anyOf(terms.map((term) => phrase([term])));
}

/** The words and phrases of a query, each of which counts for the relevance of a text. */
export function leavesOf(query: TextQuery): readonly Terms[] {
  return query.kind === "terms" ? [query] : query.of.flatMap(leavesOf);
}
