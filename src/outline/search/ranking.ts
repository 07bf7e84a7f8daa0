// Ranks the rows of an outline for the search tool, which merges them with notes
// and conversations: queries and scores mean the same as there.
import { foldForSearch, rounded, scoreOf, type SearchQuery, snippetOf, termsOf } from "../../search/search.ts";
import type { Outline, Row } from "../model.ts";
import { rowsBelow } from "../rows.ts";

export interface RankedRow {
  readonly row: Row;
  /** From 0 to 1, on the same scale as notes. */
  readonly score: number;
  readonly snippet: string;
}

const SNIPPET_LENGTH = 200;
/** Words of at least this many letters also match as prefixes. */
const SHORTEST_PREFIX = 4;

/** Rows have no tags, paths or properties: a query with one of those finds nothing. */
export function rankRows(
  outline: Outline,
  query: SearchQuery,
  limit: number,
): { readonly rows: readonly RankedRow[]; readonly total: number } {
  const asksForNotes = query.tags.length + query.paths.length + query.properties.length > 0;
  if (asksForNotes || query.words.length + query.phrases.length === 0) return { rows: [], total: 0 };
  const wanted = [...query.words.map((word) => [word]), ...query.phrases];
  const unwanted = [...query.withoutWords.map((word) => [word]), ...query.withoutPhrases];
  const required = requiredWord(wanted);
  const found: { readonly row: Row; readonly score: number }[] = [];
  for (const row of rowsBelow(outline, null)) {
    if (
      required !== undefined &&
      !foldForSearch(row.topic).includes(required) &&
      !foldForSearch(row.note ?? "").includes(required)
    )
      continue;
    const texts = [asTerms(row.topic), asTerms(row.note ?? "")] as const;
    if (unwanted.some((terms) => texts.some((text) => text.includes(asPhrase(terms))))) continue;
    const score = scoreIn(texts, wanted, query.words);
    if (score !== undefined) found.push({ row, score });
  }
  const best = found.toSorted((a, b) => b.score - a.score).slice(0, limit);
  return {
    rows: best.map(({ row, score }) => ({ row, score: rounded(score), snippet: snippetFor(row, query) })),
    total: found.length,
  };
}

/** A plain word that every match must contain: rows without it need not be split into terms. */
function requiredWord(wanted: readonly (readonly string[])[]): string | undefined {
  return wanted.flat().find((term) => /^[a-z]{2,}$/.test(term) && !/^(?:cplusplus|[cf]sharp)$/.test(term));
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
  if (!wanted.every(isIn))
    return wanted.every((terms) => isIn(terms) || isPrefix(terms)) ? scoreOf("allForms", 0) : undefined;
  const whole = asPhrase(wanted.flat());
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
