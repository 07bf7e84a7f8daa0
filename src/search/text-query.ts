// A full-text query as a small tree. Built by readings.ts and filters.ts; an index
// evaluates it, or prints it with `ftsExpression` for a statement. Expressions are
// never parsed. Pure.

export type TextQuery =
  | TermsQuery
  | { readonly kind: "any"; readonly of: readonly TextQuery[] }
  | { readonly kind: "all"; readonly of: readonly TextQuery[] };

/** Terms next to each other; the last one may be the beginning of a word if `isPrefix`. */
export interface TermsQuery {
  readonly kind: "terms";
  readonly terms: readonly string[];
  readonly isPrefix: boolean;
}

export function phrase(terms: readonly string[]): TermsQuery {
  return { kind: "terms", terms: isRepetitive(terms) ? terms.slice(0, MAX_REPEATED) : terms, isPrefix: false };
}

export function prefix(terms: readonly string[]): TermsQuery {
  return { kind: "terms", terms: isRepetitive(terms) ? terms.slice(-MAX_REPEATED) : terms, isPrefix: true };
}

/** Terms that are asked for of a phrase that repeats itself. */
const MAX_REPEATED = 32;

/** In a text that repeats the same few words, an index compares each term of such a phrase at each of them. */
function isRepetitive(terms: readonly string[]): boolean {
  return terms.length > MAX_REPEATED && new Set(terms).size < terms.length / 4;
}

export function anyOf(queries: readonly TextQuery[]): TextQuery {
  return queries.length === 1 ? queries[0]! : { kind: "any", of: queries };
}

export function allOf(queries: readonly TextQuery[]): TextQuery {
  return queries.length === 1 ? queries[0]! : { kind: "all", of: queries };
}

/** In the syntax of FTS5. Terms are letters and digits, so nothing needs escaping. */
export function ftsExpression(query: TextQuery): string {
  if (query.kind === "terms") return `"${query.terms.join(" ")}"${query.isPrefix ? " *" : ""}`;
  const operands = query.of.map((one) => (one.kind === "terms" ? ftsExpression(one) : `(${ftsExpression(one)})`));
  return operands.join(query.kind === "any" ? " OR " : " AND ");
}
