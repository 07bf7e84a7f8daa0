// Finds the parts of a text that match a query: its phrases, its words, their other
// forms. Used by snippet.ts, and to highlight a whole text.
//
// The folded text is matched, and its offsets are mapped back to the original.
import type { SearchQuery } from "./query.ts";
import { type FoldedText, foldWithOffsets } from "./words/folding.ts";
import { symbolOf } from "./words/symbols.ts";
import { isPaired, spellingOf } from "./words/terms.ts";
import { isStopWord, stemsOf } from "./words/word-forms.ts";

/** One match, in the original text. */
export interface QueryMatch {
  readonly start: number;
  readonly end: number;
  /** The number of the word or phrase in the query, and its weight. */
  readonly part: number;
  readonly weight: number;
}

export interface QueryTerms extends Pick<SearchQuery, "words" | "phrases"> {
  /** The words include their other forms already. */
  readonly hasForms?: boolean;
}

/** All matches in a text, in order and without overlaps, to highlight them. */
export function matchesIn(text: string, query: QueryTerms): (readonly [start: number, end: number])[] {
  const matches: [start: number, end: number][] = [];
  for (const { start, end } of weightedMatchesIn(text, query)) {
    const last = matches.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else matches.push([start, end]);
  }
  return matches;
}

/** Per word: more matches cost time, but do not help to find the best passage. */
const MOST_MATCHES = 1000;

const PHRASE_WEIGHT = 10;
const STOP_WORD_WEIGHT = 0.1;
/** The weight of a match that only begins with the word, or that is another form of it. */
const SIMILAR = 0.6;
const SHORTEST_PREFIX = 3;

export function weightedMatchesIn(
  text: string,
  { words, phrases, hasForms = false }: QueryTerms,
  known?: FoldedText,
): QueryMatch[] {
  if (words.length === 0 && phrases.length === 0) return [];
  const folded = known ?? foldWithOffsets(text);
  const matches: QueryMatch[] = [];
  let part = 0;
  const add = (found: Iterable<readonly [start: number, end: number]>, weight: number): boolean => {
    let count = 0;
    for (const [start, end] of found) {
      matches.push({ start: folded.sourceAt(start), end: folded.sourceAt(end), part, weight });
      if (++count === MOST_MATCHES) break;
    }
    return count > 0;
  };
  for (const phrase of phrases) {
    add(phrasesIn(folded.folded, phrase), PHRASE_WEIGHT * phrase.length);
    part++;
  }
  const positions = new Positions(folded.folded);
  for (const word of new Set(words)) {
    const weight = isStopWord(word) ? STOP_WORD_WEIGHT : 1;
    const isLong = word.length >= SHORTEST_PREFIX && weight === 1;
    const { whole, begins } = wordsIn(text, folded, word, positions);
    const isFound = add(whole, weight);
    const hasBeginning = isLong && add(begins, weight * SIMILAR);
    if (isLong && !isFound && !hasForms) {
      for (const form of stemsOf(word)) add(wordsIn(text, folded, form, positions).whole, weight * SIMILAR);
      if (!hasBeginning) add(dividedIn(folded.folded, word), weight);
    }
    part++;
  }
  return matches.sort((a, b) => a.start - b.start || b.end - a.end);
}

const WORD_UNIT = /[\p{L}\p{M}\p{N}\p{Co}]/u;

function isWordAt(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  if (unit < 0x80) {
    return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
  }
  if (Number.isNaN(unit)) return false;
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  return WORD_UNIT.test(String.fromCodePoint(text.codePointAt(isLow ? position - 1 : position) ?? 0x20));
}

type Spans = (readonly [start: number, end: number])[];

/** The spans of a term: as a whole word or a part of camelCase, and separately the words that begin with it. */
function wordsIn(
  text: string,
  { folded, sourceAt }: FoldedText,
  term: string,
  positions: Positions,
): { whole: Spans; begins: Spans } {
  const spelling = spellingOf(term);
  // Neither begins or ends where words do.
  const isPair = isPaired(spelling) || symbolOf(term) !== undefined;
  const whole: Spans = [];
  const begins: Spans = [];
  for (const at of positions.of(spelling)) {
    if (whole.length + begins.length >= MOST_MATCHES) break;
    let end = at + spelling.length;
    if (isPair) {
      whole.push([at, end]);
      continue;
    }
    if (isWordAt(folded, at - 1) && !isApart(folded, at) && !isHump(text, sourceAt(at))) continue;
    const goesOn = isWordAt(folded, end) && !isApart(folded, end) && !isHump(text, sourceAt(end));
    if (!goesOn) whole.push([at, end]);
    else if (spelling === term) {
      while (isWordAt(folded, end) && !isApart(folded, end)) end++;
      begins.push([at, end]);
    }
  }
  return { whole, begins };
}

/** Offsets of words in a text. The forms of a word begin alike, so longer ones are searched for only where the shortest was. */
class Positions {
  readonly #text: string;
  readonly #known = new Map<string, readonly number[]>();

  constructor(text: string) {
    this.#text = text;
  }

  of(spelling: string): Iterable<number> {
    for (const [beginning, positions] of this.#known)
      if (spelling.startsWith(beginning)) return positions.filter((at) => this.#text.startsWith(spelling, at));
    const positions: number[] = [];
    for (let at = this.#text.indexOf(spelling); at !== -1; at = this.#text.indexOf(spelling, at + 1)) {
      // Too many to remember: search for them again.
      if (positions.length >= MOST_MATCHES) return this.#each(spelling);
      positions.push(at);
    }
    if (spelling.length >= SHORTEST_PREFIX) this.#known.set(spelling, positions);
    return positions;
  }

  *#each(spelling: string): Generator<number> {
    for (let at = this.#text.indexOf(spelling); at !== -1; at = this.#text.indexOf(spelling, at + 1)) yield at;
  }
}

/** Whether a script with spaces meets one without: a word ends there. */
function isApart(folded: string, position: number): boolean {
  const before = folded.charCodeAt(position - 1);
  const after = folded.charCodeAt(position);
  if (!(before >= 0xe00 || after >= 0xe00)) return false;
  return isPaired(folded.charAt(position - 1)) !== isPaired(folded.charAt(position));
}

/** Whether a part of camelCase begins here. */
function isHump(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1);
  const unit = text.charCodeAt(position);
  if (!(unit >= 0x41 && unit <= 0x5a)) return false;
  if ((before >= 0x61 && before <= 0x7a) || (before >= 0x30 && before <= 0x39)) return true;
  const after = text.charCodeAt(position + 1);
  return before >= 0x41 && before <= 0x5a && after >= 0x61 && after <= 0x7a;
}

/** The spans of a phrase: its terms without other words between them. */
function* phrasesIn(folded: string, terms: readonly string[]): Generator<readonly [start: number, end: number]> {
  const pattern = terms.map((term, i) => {
    const before = terms[i - 1];
    const spelling = spellingOf(term).replace(/[+#]/g, "\\$&");
    if (before === undefined) return spelling;
    if (!isPaired(term) || !isPaired(before))
      return `${isPaired(term) || isPaired(before) ? GAP : `${GAP}+`}${spelling}`;
    const [first = "", ...rest] = term;
    // Pairs of one run overlap; those of two runs have a gap between them.
    return before.endsWith(first) && rest.length > 0 ? `(?:${GAP}+${first})?${rest.join("")}` : `${GAP}*${spelling}`;
  });
  const expression = new RegExp(pattern.join(""), "gu");
  const isPairFirst = isPaired(terms[0]!) || symbolOf(terms[0]!) !== undefined;
  const isPairLast = isPaired(terms.at(-1)!) || symbolOf(terms.at(-1)!) !== undefined;
  for (let found = expression.exec(folded); found !== null; found = expression.exec(folded)) {
    const end = expression.lastIndex;
    const beginsWord = isPairFirst || !isWordAt(folded, found.index - 1) || isApart(folded, found.index);
    if (beginsWord && (isPairLast || !isWordAt(folded, end) || isApart(folded, end))) yield [found.index, end];
  }
}

/** What may be between two words of a phrase: white space, punctuation, Markdown marks. */
const GAP = "[^\\p{L}\\p{M}\\p{N}\\p{Co}]";

/** The spans where "email" is written e-mail. Only for words that are not found as they are. */
function* dividedIn(folded: string, term: string): Generator<readonly [start: number, end: number]> {
  if (!/^[a-z]{3,40}$/.test(term)) return;
  const expression = dividedForm(term);
  expression.lastIndex = 0;
  for (let found = expression.exec(folded); found !== null; found = expression.exec(folded))
    yield [found.index, expression.lastIndex];
}

/** A cache: a list of results looks for the same words in each of its texts. */
const dividedForms = new Map<string, RegExp>();
const MOST_FORMS = 100;

function dividedForm(term: string): RegExp {
  const known = dividedForms.get(term);
  if (known !== undefined) return known;
  if (dividedForms.size >= MOST_FORMS) dividedForms.clear();
  const expression = new RegExp(`(?<![a-z\\d])${[...term].join("[-_]?")}(?![a-z\\d])`, "g");
  dividedForms.set(term, expression);
  return expression;
}
