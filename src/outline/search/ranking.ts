// Ranks the rows of an outline for the search tool, which merges them with notes
// and conversations: queries and scores mean the same as there (docs/internals/search.md).
// In steps: an outline may have 100,000 rows, and other calls wait until then.
import {
  foldForSearch,
  type Grounds,
  groundsOf,
  type HowSure,
  isStopWord,
  isSoughtInside,
  rounded,
  scoreOf,
  type SearchQuery,
  snippetOf,
  stemsOf,
  type Sureness,
  surenessOf,
  symbolsOf,
  termsOf,
} from "../../search/search.ts";
import type { Steps } from "../../kernel/kernel.ts";
import type { Outline, Row } from "../model.ts";
import { rowsBelow } from "../rows.ts";
import { correctionsIn, unfoundIn } from "./corrections.ts";
import { inSteps } from "./row-steps.ts";
import { sharedPart, MIN_PREFIX_LENGTH, weighRows } from "./some-words.ts";

export interface RankedRow {
  readonly row: Row;
  /** From 0 to 1, on the same scale as notes. */
  readonly score: number;
  readonly snippet: string;
  /** Of a question. */
  readonly grounds?: Grounds | undefined;
}

const SNIPPET_LENGTH = 200;
/** If so many rows have all words, those with some of them are not listed. */
const ENOUGH = 50;

interface RankedRows {
  readonly rows: readonly RankedRow[];
  readonly total: number;
  readonly unfound?: readonly string[];
  /** Of a question: whether it is answered. */
  readonly known?: HowSure | undefined;
}

/** Rows have no tags, paths or properties: a query with one of those finds nothing. */
export function* rankRows(outline: Outline, query: SearchQuery, limit: number): Steps<RankedRows> {
  const asksForNotes = query.tags.length + query.paths.length + query.properties.length > 0;
  if (asksForNotes || query.words.length + query.phrases.length === 0) return { rows: [], total: 0 };
  const informative = query.words.filter((word) => !isStopWord(word));
  const words = informative.length + query.phrases.length > 0 ? informative : query.words;
  const wanted = [...words.map((word) => [word]), ...query.phrases];
  const unwanted = [...query.withoutWords.map((word) => [word]), ...query.withoutPhrases];
  const isUnwanted = (row: Row) => unwanted.some((terms) => isPhraseIn(textsIn(row), terms));
  const rows: Row[] = [];
  yield* inSteps(rowsBelow(outline, null), (row) => rows.push(row));
  const found = new Map<Row, number>();
  const required = wanted
    .flat()
    .map(sharedPart)
    .toSorted((a, b) => b.length - a.length)[0]!;
  const whole = asPhrase(query.orderedWords.length > 0 ? query.orderedWords : wanted.flat());
  yield* inSteps(rows, (row) => {
    if (required !== "" && ![row.topic, row.note ?? ""].some((text) => foldForSearch(text).includes(required))) return;
    const score = scoreIn(textsIn(row), wanted, { whole, isPhrase: query.orderedWords.length > 1 });
    if (score !== undefined && !isUnwanted(row)) found.set(row, score);
  });
  const corrections = found.size < ENOUGH ? yield* correctionsIn(rows, words, query.isSentence) : NO_CORRECTIONS;
  if (corrections.size > 0)
    yield* inSteps(rows, (row) => {
      if (!found.has(row) && hasCorrected(row, wanted, corrections) && !isUnwanted(row))
        found.set(row, scoreOf("allCorrected", 0));
    });
  const sought = words.flatMap((word) => corrections.get(word) ?? [word]);
  // Of a sentence, quotes weigh like its other words.
  let sureness: Sureness | undefined;
  const quoted = query.phrases.flat().filter((word) => !isStopWord(word));
  if ((query.phrases.length === 0 || !query.requiresPhrases) && found.size < ENOUGH) {
    const weighed = yield* weighRows(rows, [...sought, ...quoted], query.names);
    // Guesses at a mistyped word are no evidence.
    if (query.isSentence && corrections.size === 0) sureness = surenessOf(weighed.evidence, query.plain);
    for (const { row, relevance } of weighed.best)
      if (!found.has(row) && !isUnwanted(row))
        found.set(row, scoreOf(query.isSentence ? "sentence" : "someWords", relevance));
  }
  if (found.size < ENOUGH)
    yield* inSteps(rows, (row) => {
      if (!found.has(row) && hasInside(row, wanted) && !isUnwanted(row)) found.set(row, scoreOf("inside", 0));
    });
  const grounds = sureness && new Map([...sureness.grounds].map(([at, one]) => [rows[at]!, one]));
  const best = [...found].toSorted(([, a], [, b]) => b - a).slice(0, limit);
  const shown = { ...query, words: [...query.words, ...sought] };
  return {
    rows: best.map(([row, score]) => ({
      row,
      score: rounded(score),
      snippet: snippetFor(row, shown),
      grounds: grounds && groundsOf(row, score, grounds),
    })),
    total: found.size,
    known: sureness?.known,
    unfound: found.size < ENOUGH ? yield* unfoundIn(rows, wanted.flat()) : [],
  };
}

/** The terms of the topic and of the note, each between spaces, and the symbols of both. */
function textsIn({ topic, note }: Row): readonly [topic: string, note: string, symbols: string] {
  return [asTerms(termsOf(topic)), asTerms(termsOf(note ?? "")), asTerms(symbolsOf(`${topic}\n${note ?? ""}`))];
}

function asTerms(terms: readonly string[]): string {
  return terms.length === 0 ? "" : asPhrase(terms);
}

function asPhrase(terms: readonly string[]): string {
  return ` ${terms.join(" ")} `;
}

const NO_CORRECTIONS: ReadonlyMap<string, readonly string[]> = new Map();

function isPhraseIn(texts: readonly string[], terms: readonly string[]): boolean {
  return texts.some((text) => text.includes(asPhrase(terms)));
}

/** A word in another form, or the beginning of a longer one. */
function isFormIn(texts: readonly string[], [word = "", ...more]: readonly string[]): boolean {
  if (more.length > 0) return false;
  const isBegun = word.length >= MIN_PREFIX_LENGTH && texts.some((text) => text.includes(` ${word}`));
  return isBegun || stemsOf(word).some((form) => isPhraseIn(texts, [form]));
}

/** Returns whether a row has all words, mistyped ones as they may be meant. */
function hasCorrected(
  row: Row,
  wanted: readonly (readonly string[])[],
  corrections: ReadonlyMap<string, readonly string[]>,
): boolean {
  const texts = textsIn(row);
  return wanted.every((terms) => {
    const corrected = terms.length === 1 ? corrections.get(terms[0]!) : undefined;
    if (corrected !== undefined) return corrected.some((word) => isPhraseIn(texts, [word]));
    return isPhraseIn(texts, terms) || isFormIn(texts, terms);
  });
}

/** Returns whether a row has all words, some of them within longer ones. */
function hasInside(row: Row, wanted: readonly (readonly string[])[]): boolean {
  const texts = textsIn(row);
  const isInside = ([word = "", ...more]: readonly string[]) =>
    more.length === 0 && isSoughtInside(word, 0) && texts.some((text) => text.includes(word));
  return wanted.every((terms) => isPhraseIn(texts, terms) || isFormIn(texts, terms) || isInside(terms));
}

/** Undefined if the row does not match. */
function scoreIn(
  texts: ReturnType<typeof textsIn>,
  wanted: readonly (readonly string[])[],
  { whole, isPhrase }: { readonly whole: string; readonly isPhrase: boolean },
): number | undefined {
  const [topic, note] = texts;
  const isIn = (terms: readonly string[]) => isPhraseIn(texts, terms);
  if (!wanted.every(isIn))
    return wanted.every((terms) => isIn(terms) || isFormIn(texts, terms)) ? scoreOf("allForms", 0) : undefined;
  if (topic === whole) return scoreOf("title", 0);
  // A match in the topic counts more than one in the note.
  if (topic.includes(whole)) return scoreOf("phrase", 1);
  if (isPhrase && note.includes(whole)) return scoreOf("phrase", 0);
  return scoreOf("allWords", wanted.every((terms) => topic.includes(asPhrase(terms))) ? 1 : 0);
}

/** From the topic, unless only the note matches. */
function snippetFor({ topic, note }: Row, query: SearchQuery): string {
  const ofTopic = snippetOf(topic, query, SNIPPET_LENGTH);
  if (note === null || ofTopic.highlights.length > 0) return ofTopic.text;
  const ofNote = snippetOf(note, query, SNIPPET_LENGTH);
  return ofNote.highlights.length > 0 ? ofNote.text : ofTopic.text;
}
