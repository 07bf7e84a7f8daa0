// Finds the rows that hold a text, in their topics and notes. Used by
// search_outline.
//
// Unless case counts, both sides are folded as everywhere else in this program
// (text/search-text.ts): İ is i, ß is ss, marks and their spelling do not
// matter. Where case counts, only the two spellings of one character are equal.
import { charactersOf, textAround, wholeCharacters } from "../text/graphemes.ts";
import { foldForSearch, foldWithOffsets } from "../text/search-text.ts";
import type { Outline, Row, State } from "./outline.ts";
import { parsePattern, withinTime } from "./patterns.ts";
import { rowsBelow } from "./rows.ts";

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

interface Matcher {
  readonly matches: (text: string) => boolean;
  /** Where a text that matches does so first. */
  readonly locate: (text: string) => Span;
}

/** Units of text on either side of a match, and of a very long match itself. */
const REACH = 60;
const LONGEST_MATCH = 200;

export function searchRows(outline: Outline, wanted: RowSearch): RowMatches {
  return wanted.regex === true
    ? withinTime(() => matchRows(outline, wanted, patternMatcher(wanted)))
    : matchRows(outline, wanted, wanted.caseSensitive ? exactMatcher(wanted.query) : foldedMatcher(wanted.query));
}

function matchRows(outline: Outline, { searchIn, state, under, maxResults }: RowSearch, matcher: Matcher): RowMatches {
  const matches: RowMatch[] = [];
  let total = 0;
  const look = (row: Row, matchField: RowMatch["matchField"], text: string | null) => {
    if (text === null || !matcher.matches(text)) return;
    total++;
    if (matches.length < maxResults) matches.push({ row, matchField, matchContext: contextOf(text, matcher) });
  };
  for (const row of rowsBelow(outline, under ?? null)) {
    if (state !== undefined && row.state !== state) continue;
    if (searchIn !== "notes") look(row, "topic", row.topic);
    if (searchIn !== "topics") look(row, "note", row.note);
  }
  return { matches, total };
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
    matches: (text) => foldForSearch(text).includes(needle),
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
    matches: (text) => text.normalize("NFC").includes(needle),
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
    matches: (text) => pattern.test(text),
    locate: (text) => {
      const found = pattern.exec(text);
      return found === null ? [0, 0] : [found.index, found.index + found[0].length];
    },
  };
}
