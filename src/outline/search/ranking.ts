// The rows of an outline that a search over everything finds, best first. Used
// by the search tool beside notes and conversations: a query is read, and a hit
// is scored, as there.
import { foldForSearch, rounded, scoreOf, type SearchQuery, snippetOf, termsOf } from "../../search/search.ts";
import type { Outline, Row } from "../model.ts";
import { rowsBelow } from "../rows.ts";

export interface RankedRow {
  readonly row: Row;
  /** From 0 to 1, as the index scores notes. */
  readonly score: number;
  readonly snippet: string;
}

const SNIPPET_LENGTH = 200;
/** A word of so many letters may be the beginning of another. */
const SHORTEST_BEGINNING = 4;

/** Rows have no tags, paths or properties: a query that asks for one finds none. */
export function rankRows(
  outline: Outline,
  query: SearchQuery,
  limit: number,
): { readonly rows: readonly RankedRow[]; readonly total: number } {
  const asksForNotes = query.tags.length + query.paths.length + query.properties.length > 0;
  if (asksForNotes || query.words.length + query.phrases.length === 0) return { rows: [], total: 0 };
  const wanted = [...query.words.map((word) => [word]), ...query.phrases];
  const unwanted = [...query.withoutWords.map((word) => [word]), ...query.withoutPhrases];
  const hint = quickHint(wanted);
  const found: { readonly row: Row; readonly score: number }[] = [];
  for (const row of rowsBelow(outline, null)) {
    if (hint !== undefined && !foldForSearch(row.topic).includes(hint) && !foldForSearch(row.note ?? "").includes(hint))
      continue;
    const texts = [asTerms(row.topic), asTerms(row.note ?? "")] as const;
    if (unwanted.some((terms) => texts.some((text) => text.includes(written(terms))))) continue;
    const score = scoreIn(texts, wanted, query.words);
    if (score !== undefined) found.push({ row, score });
  }
  const best = found.toSorted((a, b) => b.score - a.score).slice(0, limit);
  return {
    rows: best.map(({ row, score }) => ({ row, score: rounded(score), snippet: snippetFor(row, query) })),
    total: found.length,
  };
}

/** A plain word that every row which matches has in it: the others need not be taken apart. */
function quickHint(wanted: readonly (readonly string[])[]): string | undefined {
  return wanted.flat().find((term) => /^[a-z]{2,}$/.test(term) && !/^(?:cplusplus|[cf]sharp)$/.test(term));
}

/** The terms of a text, each between blanks. */
function asTerms(text: string): string {
  return text === "" ? "" : ` ${termsOf(text).join(" ")} `;
}

function written(terms: readonly string[]): string {
  return ` ${terms.join(" ")} `;
}

/** Undefined where something is missing. */
function scoreIn(
  [topic, note]: readonly [string, string],
  wanted: readonly (readonly string[])[],
  words: readonly string[],
): number | undefined {
  const isIn = (terms: readonly string[]) => topic.includes(written(terms)) || note.includes(written(terms));
  const isBegun = ([word = "", ...more]: readonly string[]) =>
    more.length === 0 && word.length >= SHORTEST_BEGINNING && (topic.includes(` ${word}`) || note.includes(` ${word}`));
  if (!wanted.every(isIn))
    return wanted.every((terms) => isIn(terms) || isBegun(terms)) ? scoreOf("allForms", 0) : undefined;
  const whole = written(wanted.flat());
  if (topic === whole) return scoreOf("title", 0);
  // What stands in the topic says more about a row than what its note mentions.
  if (topic.includes(whole)) return scoreOf("phrase", 1);
  if (words.length > 1 && note.includes(whole)) return scoreOf("phrase", 0);
  return scoreOf("allWords", wanted.every((terms) => topic.includes(written(terms))) ? 1 : 0);
}

/** Of the topic, unless only the note shows a match. */
function snippetFor({ topic, note }: Row, query: SearchQuery): string {
  const ofTopic = snippetOf(topic, query, SNIPPET_LENGTH);
  if (note === null || ofTopic.highlights.length > 0) return ofTopic.text;
  const ofNote = snippetOf(note, query, SNIPPET_LENGTH);
  return ofNote.highlights.length > 0 ? ofNote.text : ofTopic.text;
}
