// Ranks the rows of an outline for the search tool, which merges them with notes
// and conversations: queries and scores mean the same as there (docs/search.md).
import {
  foldForSearch,
  isStopWord,
  rounded,
  scoreOf,
  type SearchQuery,
  snippetOf,
  stemsOf,
  termsOf,
} from "../../search/search.ts";
import type { Outline, Row } from "../model.ts";
import { rowsBelow } from "../rows.ts";
import { sharedPart, weighRows } from "./some-words.ts";

export interface RankedRow {
  readonly row: Row;
  /** From 0 to 1, on the same scale as notes. */
  readonly score: number;
  readonly snippet: string;
}

const SNIPPET_LENGTH = 200;
/** Words of at least this many letters also match as prefixes. */
const SHORTEST_PREFIX = 4;
/** If so many rows have all words, those with some of them are not listed. */
const ENOUGH = 50;

/** Rows have no tags, paths or properties: a query with one of those finds nothing. */
export function rankRows(
  outline: Outline,
  query: SearchQuery,
  limit: number,
): { readonly rows: readonly RankedRow[]; readonly total: number } {
  const asksForNotes = query.tags.length + query.paths.length + query.properties.length > 0;
  if (asksForNotes || query.words.length + query.phrases.length === 0) return { rows: [], total: 0 };
  const informative = query.words.filter((word) => !isStopWord(word));
  const words = informative.length + query.phrases.length > 0 ? informative : query.words;
  const wanted = [...words.map((word) => [word]), ...query.phrases];
  const unwanted = [...query.withoutWords.map((word) => [word]), ...query.withoutPhrases];
  const isUnwanted = ({ topic, note }: Row) =>
    unwanted.some((terms) => [topic, note ?? ""].some((text) => asTerms(text).includes(asPhrase(terms))));
  const rows = [...rowsBelow(outline, null)];
  const found = new Map<Row, number>();
  const required = wanted
    .flat()
    .map(sharedPart)
    .toSorted((a, b) => b.length - a.length)[0]!;
  for (const row of rows) {
    if (required !== "" && ![row.topic, row.note ?? ""].some((text) => foldForSearch(text).includes(required)))
      continue;
    const score = scoreIn([asTerms(row.topic), asTerms(row.note ?? "")], wanted, query.words);
    if (score !== undefined && !isUnwanted(row)) found.set(row, score);
  }
  if (query.phrases.length === 0 && found.size < ENOUGH)
    for (const { row, relevance } of weighRows(rows, words, query.names))
      if (!found.has(row) && !isUnwanted(row))
        found.set(row, scoreOf(query.isSentence ? "sentence" : "someWords", relevance));
  const best = [...found].toSorted(([, a], [, b]) => b - a).slice(0, limit);
  return {
    rows: best.map(([row, score]) => ({ row, score: rounded(score), snippet: snippetFor(row, query) })),
    total: found.size,
  };
}

/** The terms of a text, each between spaces. */
function asTerms(text: string): string {
  return text === "" ? "" : ` ${termsOf(text).join(" ")} `;
}

function asPhrase(terms: readonly string[]): string {
  return ` ${terms.join(" ")} `;
}

/** Undefined if the row does not match. */
function scoreIn(
  [topic, note]: readonly [string, string],
  wanted: readonly (readonly string[])[],
  words: readonly string[],
): number | undefined {
  const isIn = (terms: readonly string[]) => topic.includes(asPhrase(terms)) || note.includes(asPhrase(terms));
  const isPrefix = ([word = "", ...more]: readonly string[]) =>
    more.length === 0 && word.length >= SHORTEST_PREFIX && (topic.includes(` ${word}`) || note.includes(` ${word}`));
  const isForm = ([word = "", ...more]: readonly string[]) =>
    more.length === 0 && stemsOf(word).some((form) => isIn([form]));
  if (!wanted.every(isIn))
    return wanted.every((terms) => isIn(terms) || isPrefix(terms) || isForm(terms))
      ? scoreOf("allForms", 0)
      : undefined;
  const whole = asPhrase(words.length > 0 ? words : wanted.flat());
  if (topic === whole) return scoreOf("title", 0);
  // A match in the topic counts more than one in the note.
  if (topic.includes(whole)) return scoreOf("phrase", 1);
  if (words.length > 1 && note.includes(whole)) return scoreOf("phrase", 0);
  return scoreOf("allWords", wanted.every((terms) => topic.includes(asPhrase(terms))) ? 1 : 0);
}

/** From the topic, unless only the note matches. */
function snippetFor({ topic, note }: Row, query: SearchQuery): string {
  const ofTopic = snippetOf(topic, query, SNIPPET_LENGTH);
  if (note === null || ofTopic.highlights.length > 0) return ofTopic.text;
  const ofNote = snippetOf(note, query, SNIPPET_LENGTH);
  return ofNote.highlights.length > 0 ? ofNote.text : ofTopic.text;
}
