// Finds the words of an outline that mistyped words of a query may be meant for, by the
// rules of the other searches (src/search/words/spelling.ts). Used by ranking.ts.
import { foldForSearch, lookupsFor, nearestAmong, spellingOf, stemsOf } from "../../search/search.ts";
import type { Steps } from "../../kernel/kernel.ts";
import type { Row } from "../model.ts";
import { inSteps, someInSteps } from "./row-steps.ts";
import { sharedPart, MIN_PREFIX_LENGTH } from "./some-words.ts";

/** By word, for those that no row has in any form. @param isQuick looks for the most likely errors alone */
export function* correctionsIn(
  rows: readonly Row[],
  words: readonly string[],
  isQuick: boolean,
): Steps<ReadonlyMap<string, readonly string[]>> {
  const texts = yield* foldedTexts(rows);
  const corrections = new Map<string, readonly string[]>();
  for (const word of words) {
    if (lookupsFor(word).length === 0 || (yield* isKnown(texts, word))) continue;
    const lookups = lookupsFor(word, isQuick);
    for (let near: readonly string[] = [], i = 0; near.length === 0 && i < lookups.length; i++) {
      near = nearestAmong(yield* wordsIn(texts, lookups[i]!), word);
      if (near.length > 0) corrections.set(word, near);
    }
  }
  return corrections;
}

/** Words that no row has in any form. */
export function* unfoundIn(rows: readonly Row[], words: readonly string[]): Steps<readonly string[]> {
  const texts = yield* foldedTexts(rows);
  const unfound: string[] = [];
  for (const word of words) {
    const isWritten = yield* someInSteps(texts, (text) => text.includes(spellingOf(word)));
    if (!isWritten && !(yield* isKnown(texts, word))) unfound.push(word);
  }
  return unfound;
}

function* foldedTexts(rows: readonly Row[]): Steps<readonly string[]> {
  const texts: string[] = [];
  yield* inSteps(rows, ({ topic, note }) => texts.push(foldForSearch(note === null ? topic : `${topic}\n${note}`)));
  return texts;
}

function* isKnown(texts: readonly string[], word: string): Steps<boolean> {
  const forms = new Set([word, ...stemsOf(word)]);
  const isForm = (term: string) => forms.has(term) || (word.length >= MIN_PREFIX_LENGTH && term.startsWith(word));
  const part = sharedPart(word);
  return yield* someInSteps(texts, (text) => text.includes(part) && wordsOf(text).some(isForm));
}

const WORD = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

/** The words with one of these beginnings and so many letters, and in how many rows they are. */
function* wordsIn(
  texts: readonly string[],
  { beginnings, shortest, longest }: ReturnType<typeof lookupsFor>[number],
): Steps<{ readonly term: string; readonly documents: number }[]> {
  const counts = new Map<string, number>();
  yield* inSteps(texts, (text) => {
    // Most rows have no such word, and splitting them takes longer than all the rest.
    if (!beginnings.some((beginning) => text.includes(beginning))) return;
    for (const term of new Set(wordsOf(text)))
      if (
        term.length >= shortest &&
        term.length <= longest &&
        beginnings.some((beginning) => term.startsWith(beginning))
      )
        counts.set(term, (counts.get(term) ?? 0) + 1);
  });
  return Array.from(counts, ([term, documents]) => ({ term, documents }));
}
