// Finds the rows that hold a text, in their topics and notes. Used by
// search_outline.
//
// Unless case counts, both sides are folded as everywhere else in this program
// (search/terms.ts): İ is i, ß is ss, marks and their spelling do not
// matter. Where case counts, only the two spellings of one character are equal.
import { foldForSearch, foldWithOffsets, charactersOf, textAround, wholeCharacters } from "../../search/search.ts";
import type { Outline, Row, State } from "../model.ts";
import { parsePattern, withinTime } from "./regular-expressions.ts";
import { noSuchRow } from "../rows.ts";
import { TextsOfRows } from "./row-texts.ts";

export interface RowSearch {
  readonly query: string;
  readonly searchIn: "all" | "topics" | "notes";
  readonly caseSensitive: boolean;
  readonly maxResults: number;
  /** The query is a regular expression. */
  readonly regex?: boolean | undefined;
  readonly state?: State | undefined;
  /** Only rows below this one. */
  readonly under?: string | undefined;
}

export interface RowMatch {
  readonly row: Row;
  readonly matchField: "topic" | "note";
  /** Text around the first match in the field. */
  readonly matchContext: string;
}

export interface RowMatches {
  readonly matches: readonly RowMatch[];
  /** All, not only those within the limit: one for each field of a row. */
  readonly total: number;
}

type Span = readonly [start: number, end: number];

interface Field {
  readonly number: number;
  readonly field: RowMatch["matchField"];
}

interface Matcher {
  /** The topics and notes that match, in order. */
  readonly fields: (outline: Outline, first: number, end: number) => Iterable<Field>;
  /** Where a text that matches does so first. */
  readonly locate: (text: string) => Span;
}

const FOLDED = new TextsOfRows(foldForSearch);
const COMPOSED = new TextsOfRows((text) => text.normalize("NFC"));

/** Units of text on either side of a match, and of a very long match itself. */
const REACH = 60;
const LONGEST_MATCH = 200;

export function searchRows(outline: Outline, wanted: RowSearch): RowMatches {
  return wanted.regex === true
    ? withinTime(() => matchRows(outline, wanted, patternMatcher(wanted)))
    : matchRows(outline, wanted, wanted.caseSensitive ? exactMatcher(wanted.query) : foldedMatcher(wanted.query));
}

function matchRows(outline: Outline, { searchIn, state, under, maxResults }: RowSearch, matcher: Matcher): RowMatches {
  const { numbered } = outline;
  const [first, end] = numbersBelow(outline, under);
  const matches: RowMatch[] = [];
  let total = 0;
  for (const { number, field } of matcher.fields(outline, first, end)) {
    if (searchIn === (field === "topic" ? "notes" : "topics")) continue;
    if (state !== undefined && numbered.state(number) !== state) continue;
    total++;
    if (matches.length === maxResults) continue;
    const row = numbered.row(number);
    matches.push({ row, matchField: field, matchContext: contextOf(row[field]!, matcher) });
  }
  return { matches, total };
}

/** Of the rows below one, or of all: from the first to before the last. */
function numbersBelow({ numbered, rowCount }: Outline, id: string | undefined): readonly [number, number] {
  if (id === undefined) return [0, rowCount];
  const number = numbered.numberOf(id);
  if (number === undefined) throw noSuchRow(id);
  return [number + 1, number + 1 + numbered.descendants(number)];
}

function contextOf(text: string, matcher: Matcher): string {
  const [start, end] = matcher.locate(text);
  const [from, to] = wholeCharacters(text, start, Math.min(end, start + LONGEST_MATCH));
  return textAround(text, from, to, REACH);
}

function foldedMatcher(query: string): Matcher {
  const needle = foldForSearch(query);
  // Nothing but marks that folding drops: they can only be looked for as they are.
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
      return composed === text ? [at, at + needle.length] : spanBefore(text, at, at + needle.length);
    },
  };
}

/** The span of a text that becomes this one when the text is composed. */
function spanBefore(text: string, composedStart: number, composedEnd: number): Span {
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

function patternMatcher({ query, caseSensitive }: RowSearch): Matcher {
  const pattern = parsePattern(query, { caseSensitive });
  return {
    *fields({ numbered }, first, end) {
      for (let number = first; number < end; number++) {
        if (pattern.test(numbered.topic(number))) yield { number, field: "topic" };
        const note = numbered.note(number);
        if (note !== null && pattern.test(note)) yield { number, field: "note" };
      }
    },
    locate: (text) => {
      const found = pattern.exec(text);
      return found === null ? [0, 0] : [found.index, found.index + found[0].length];
    },
  };
}
