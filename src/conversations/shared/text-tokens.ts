// The terms of a text as PostgreSQL keeps them: a tsvector, made of our own terms,
// so that both stores agree on what is a word. Pure; used by
// pushed-conversation.ts.
import { indexedTerms } from "../../search/search.ts";

export interface TextTokens {
  /** In the syntax of a tsvector. */
  readonly tokens: string;
  /** How many words it has. */
  readonly length: number;
}

/** A tsvector has no positions beyond 16,383: longer texts become several. */
const MAX_WORDS = 12_000;
/** The most positions that it keeps of a word. */
const MAX_POSITIONS = 255;
/** In bytes; a tsvector takes up to 2,046. Longer words are encoded data, for which nobody searches. */
export const MAX_WORD_LENGTH = 1_000;

/** One for most texts, none for one without words. */
export function tokensOf(text: string): TextTokens[] {
  const terms = indexedTerms(text);
  const all: TextTokens[] = [];
  for (let from = 0; from < terms.length; from += MAX_WORDS)
    all.push(tokensOfTerms(terms.slice(from, from + MAX_WORDS)));
  return all;
}

function tokensOfTerms(terms: readonly string[]): TextTokens {
  const places = new Map<string, number[]>();
  for (const [i, term] of terms.entries()) {
    const known = places.get(term);
    if (known === undefined) places.set(term, [i + 1]);
    else if (known.length < MAX_POSITIONS) known.push(i + 1);
  }
  const entries = [...places].filter(([term]) => Buffer.byteLength(term) <= MAX_WORD_LENGTH);
  // Terms are letters and digits, so nothing needs escaping.
  return { tokens: entries.map(([term, at]) => `'${term}':${at.join(",")}`).join(" "), length: terms.length };
}
