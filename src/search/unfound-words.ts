// Names the words of a query that no text has, as they were typed. Pure. Used by the
// tools that search.
import { beginningOf } from "./words/graphemes.ts";
import { spellingOf, symbolsOf, termsOf } from "./words/terms.ts";
import { isStopWord } from "./words/word-forms.ts";

/** An answer names the first ones: a question in a language that no text is written in has no others. */
const MAX_NAMED = 8;
const MAX_CHARACTERS = 40;
/** Of a pasted page the beginning is searched for. */
const MAX_READ = 5_000;

const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{M}\p{N}\p{Co}]*(?:\+\+|#)?/gu;

/** @param unfound terms that no text has. A typed word of several terms is named if no text has any of them. */
export function unfoundWords(query: string, unfound: readonly string[]): string[] {
  if (unfound.length === 0) return [];
  const missing = new Set(unfound);
  const text = query.slice(0, MAX_READ);
  const named = new Map<string, string>();
  for (const [word] of text.matchAll(WORD)) {
    const terms = termsOf(word).filter((term) => !isStopWord(term));
    const key = terms.join(" ");
    if (terms.length > 0 && terms.every((term) => missing.has(term)) && !named.has(key)) named.set(key, word);
  }
  for (const symbol of symbolsOf(text)) if (missing.has(symbol)) named.set(symbol, spellingOf(symbol));
  return [...named.values()].slice(0, MAX_NAMED).map((word) => beginningOf(word, MAX_CHARACTERS));
}

/** The terms that are in none of several places. Undefined: a place that was not searched, and if none was. */
export function unfoundInAll(places: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const [first, ...others] = places.filter((terms) => terms !== undefined);
  return first?.filter((term) => others.every((terms) => terms.includes(term)));
}

/** Words the hint for words that no text has; empty if every word is found. */
export function hintForUnfound(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  return `No text has: ${words.join(", ")}.`;
}
