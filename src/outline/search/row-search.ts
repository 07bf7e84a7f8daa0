// Finds the rows whose topic or note contains a text. Used by search_outline.
//
// Ignoring case, both sides are folded as in every other search (search/words/folding.ts):
// İ is i, ß is ss, diacritics do not matter. With case, only the composed and
// decomposed forms of a character are equal.
import { foldForSearch, foldWithOffsets, charactersOf, textAround, wholeCharacters } from "../../search/search.ts";
import type { Outline, Row, State } from "../model.ts";
import { eachWithinTime, parsePattern } from "./regular-expressions.ts";
import { noSuchRow } from "../problems.ts";
import { RowTextCache } from "./row-texts.ts";

export interface RowSearch {
  /** Empty: every row. */
  readonly query: string;
  readonly searchIn: "all" | "topics" | "notes";
  readonly caseSensitive: boolean;
  readonly maxResults: number;
  readonly state?: State | undefined;
  /** The id of a row: only its descendants are searched. */
  readonly under?: string | undefined;
}

export interface RowMatch {
  readonly row: Row;
  readonly matchField: "topic" | "note";
  /** The text around the first match in the field. */
  readonly matchContext: string;
}

export interface RowMatches {
  readonly matches: readonly RowMatch[];
  /** Counts every matching field, also beyond the limit. */
  readonly total: number;
}

type Span = readonly [start: number, end: number];

interface Field {
  readonly number: number;
  readonly field: RowMatch["matchField"];
}

interface Matcher {
  /** The matching topics and notes, in order. */
  readonly fields: (outline: Outline, first: number, end: number) => Iterable<Field>;
  /** The first match in a text that has one. */
  readonly locate: (text: string) => Span;
}

const FOLDED = new RowTextCache(foldForSearch);
const COMPOSED = new RowTextCache((text) => text.normalize("NFC"));

/** Characters shown on either side of a match, and of a very long match itself. */
const REACH = 60;
const MAX_MATCH_LENGTH = 200;

/** Every row by its topic, and by its note if only notes are asked for. */
const ANY_ROW: Matcher = {
  *fields({ numbered }, first, end) {
    for (let number = first; number < end; number++) {
      yield { number, field: "topic" };
      if (numbered.note(number) !== null) yield { number, field: "note" };
    }
  },
  locate: () => [0, 0],
};

export function searchRows(outline: Outline, request: RowSearch): RowMatches {
  const { query, caseSensitive } = request;
  if (query === "") return matchRows(outline, request, ANY_ROW);
  return matchRows(outline, request, caseSensitive ? exactMatcher(query) : foldedMatcher(query));
}

/** The same for a query that is a regular expression, and may take long. */
export async function searchPattern(outline: Outline, request: RowSearch, signal?: AbortSignal): Promise<RowMatches> {
  const { numbered } = outline;
  const pattern = parsePattern(request.query, request);
  const fields: Field[] = [];
  const [first, end] = numbersBelow(outline, request.under);
  const test = (number: number): void => {
    // A row that was aborted is tested again.
    while (fields.at(-1)?.number === number) fields.pop();
    if (pattern.test(numbered.topic(number))) fields.push({ number, field: "topic" });
    const note = numbered.note(number);
    if (note !== null && pattern.test(note)) fields.push({ number, field: "note" });
  };
  await eachWithinTime(first, end, test, signal);
  const locate = (text: string): Span => {
    const found = pattern.exec(text);
    return found === null ? [0, 0] : [found.index, found.index + found[0].length];
  };
  let matched: RowMatches = { matches: [], total: 0 };
  const match = (): void => {
    matched = matchRows(outline, request, { fields: () => fields, locate });
  };
  await eachWithinTime(0, 1, match, signal);
  return matched;
}

function matchRows(outline: Outline, { searchIn, state, under, maxResults }: RowSearch, matcher: Matcher): RowMatches {
  const { numbered } = outline;
  const [first, end] = numbersBelow(outline, under);
  const matches: RowMatch[] = [];
  let total = 0;
  for (const { number, field } of matcher.fields(outline, first, end)) {
    if (searchIn === (field === "topic" ? "notes" : "topics")) continue;
    // Without words a row is one result.
    if (matcher === ANY_ROW && searchIn === "all" && field === "note") continue;
    if (state !== undefined && numbered.state(number) !== state) continue;
    total++;
    if (matches.length === maxResults) continue;
    const row = numbered.row(number);
    matches.push({ row, matchField: field, matchContext: contextOf(row[field]!, matcher) });
  }
  return { matches, total };
}

/** The numbers of the rows below one, or of all rows; the end is exclusive. */
function numbersBelow(outline: Outline, id: string | undefined): readonly [number, number] {
  const { numbered, rowCount } = outline;
  if (id === undefined) return [0, rowCount];
  const number = numbered.numberOf(id);
  if (number === undefined) throw noSuchRow(id, outline);
  return [number + 1, number + 1 + numbered.descendants(number)];
}

function contextOf(text: string, matcher: Matcher): string {
  const [start, end] = matcher.locate(text);
  const [from, to] = wholeCharacters(text, start, Math.min(end, start + MAX_MATCH_LENGTH));
  return textAround(text, from, to, REACH);
}

function foldedMatcher(query: string): Matcher {
  const needle = foldForSearch(query);
  // Folding drops everything (the query is combining marks): search for it unchanged.
  if (needle === "") return exactMatcher(query);
  return {
    fields: (outline, first, end) => FOLDED.of(outline).having(needle, first, end),
    locate: (text) => {
      const { folded, sourceAt } = foldWithOffsets(text);
      const at = folded.indexOf(needle);
      return [sourceAt(at), sourceAt(at + needle.length)];
    },
  };
}

function exactMatcher(query: string): Matcher {
  const needle = query.normalize("NFC");
  return {
    fields: (outline, first, end) => COMPOSED.of(outline).having(needle, first, end),
    locate: (text) => {
      const composed = text.normalize("NFC");
      const at = composed.indexOf(needle);
      return composed === text ? [at, at + needle.length] : decomposedSpan(text, at, at + needle.length);
    },
  };
}

/** The span of a text whose composed form is at these offsets. */
function decomposedSpan(text: string, composedStart: number, composedEnd: number): Span {
  let composed = 0;
  let start = 0;
  let end = 0;
  for (const character of charactersOf(text)) {
    if (composed >= composedEnd) break;
    composed += character.normalize("NFC").length;
    end += character.length;
    if (composed <= composedStart) start = end;
  }
  return [start, end];
}
