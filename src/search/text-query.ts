// What is looked for in a full text, as a small tree. Built by readings.ts and
// by filters; an index evaluates it itself, or has `ftsExpression` print it
// where a statement is run. Nothing parses an expression back. Pure.

export type TextQuery =
  | TermsQuery
  | { readonly kind: "any"; readonly of: readonly TextQuery[] }
  | { readonly kind: "all"; readonly of: readonly TextQuery[] };

/** Terms that stand one after the other; the last one may go on if `isPrefix`. */
export interface TermsQuery {
  readonly kind: "terms";
  readonly terms: readonly string[];
  readonly isPrefix: boolean;
}

export function phrase(terms: readonly string[]): TermsQuery {
  return { kind: "terms", terms, isPrefix: false };
}

export function prefix(terms: readonly string[]): TermsQuery {
  return { kind: "terms", terms, isPrefix: true };
}

export function anyOf(queries: readonly TextQuery[]): TextQuery {
  return queries.length === 1 ? queries[0]! : { kind: "any", of: queries };
}

export function allOf(queries: readonly TextQuery[]): TextQuery {
  return queries.length === 1 ? queries[0]! : { kind: "all", of: queries };
}

/** In the language of FTS5. Terms are letters and digits, so there is nothing to escape. */
export function ftsExpression(query: TextQuery): string {
  if (query.kind === "terms") return `"${query.terms.join(" ")}"${query.isPrefix ? " *" : ""}`;
  const operands = query.of.map((one) => (one.kind === "terms" ? ftsExpression(one) : `(${ftsExpression(one)})`));
  return operands.join(query.kind === "any" ? " OR " : " AND ");
}
