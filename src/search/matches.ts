// Finds the parts of a text that match a query: its phrases, its words, their other
// forms. Used by snippet.ts, and to highlight a whole text.
//
// The folded text is matched, and its offsets are mapped back to the original.
import { lastAtMost } from "../markdown/markdown.ts";
import type { SearchQuery } from "./query.ts";
import { type FoldedText, foldWithOffsets } from "./words/folding.ts";
import { symbolOf } from "./words/symbols.ts";
import { isAsciiAlphanumeric, isPaired, MAX_COMPOUND_LENGTH, spellingOf } from "./words/terms.ts";
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
const MAX_MATCHES = 1000;

const PHRASE_WEIGHT = 10;
const STOP_WORD_WEIGHT = 0.1;
/** The weight of a match that only begins with the word, or that is another form of it. */
const SIMILAR = 0.6;
const MIN_PREFIX_LENGTH = 3;

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
      if (++count === MAX_MATCHES) break;
    }
    return count > 0;
  };
  for (const phrase of phrases) {
    add(phrasesIn(folded.folded, phrase), PHRASE_WEIGHT * phrase.length);
    part++;
  }
  const positions = new Positions(folded.folded);
  let divided = MAX_DIVIDED;
  for (const word of new Set(words)) {
    const weight = isStopWord(word) ? STOP_WORD_WEIGHT : 1;
    const isLong = word.length >= MIN_PREFIX_LENGTH && weight === 1;
    const { whole, begins } = wordsIn(text, folded, word, positions);
    const isFound = add(whole, weight);
    const hasBeginning = isLong && add(begins, weight * SIMILAR);
    if (isLong && !isFound && !hasForms) {
      for (const form of stemsOf(word)) add(wordsIn(text, folded, form, positions).whole, weight * SIMILAR);
      if (!hasBeginning && (divided -= folded.folded.length) >= 0) add(dividedIn(folded.folded, word), weight);
    }
    part++;
  }
  return matches.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Characters of texts times words in which a divided word is looked for: at each character, all of the word may be compared. */
const MAX_DIVIDED = 4_000_000;

const WORD_UNIT = /[\p{L}\p{M}\p{N}\p{Co}]/u;

function isWordAt(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  if (unit < 0x80) return isAsciiAlphanumeric(unit);
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
  for (const at of positions.of(spelling, isPair)) {
    if (whole.length + begins.length >= MAX_MATCHES) break;
    let end = at + spelling.length;
    if (isPair) {
      whole.push([at, end]);
      continue;
    }
    if (isWordAt(folded, at - 1) && !isApart(folded, at) && !isHump(text, sourceAt(at))) continue;
    const goesOn = isWordAt(folded, end) && !isApart(folded, end) && !isHump(text, sourceAt(end));
    if (!goesOn) whole.push([at, end]);
    else if (spelling === term) {
      do end = positions.endOfRun(end);
      while (isWordAt(folded, end) && !isApart(folded, end));
      begins.push([at, end]);
    }
  }
  return { whole, begins };
}

/** Offsets of words in a text. The forms of a word begin alike, so longer ones are searched for only where the shortest was. */
class Positions {
  readonly #text: string;
  readonly #known = new Map<string, readonly number[]>();
  /** The ends of all runs of letters and digits of one kind of script. */
  #ends: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** @param anywhere also far inside a long word, where no word or part of one begins */
  of(spelling: string, anywhere: boolean): Iterable<number> {
    for (const [beginning, positions] of this.#known)
      if (spelling.startsWith(beginning)) return positions.filter((at) => this.#text.startsWith(spelling, at));
    const positions: number[] = [];
    for (const at of this.#each(spelling, anywhere)) {
      // Too many to remember: search for them again.
      if (positions.length >= MAX_MATCHES) return this.#each(spelling, anywhere);
      positions.push(at);
    }
    if (spelling.length >= MIN_PREFIX_LENGTH) this.#known.set(spelling, positions);
    return positions;
  }

  /** Takes linear time, also where a long word consists of what is searched for: without skipping, it would be compared at each letter. */
  *#each(spelling: string, anywhere: boolean): Generator<number> {
    const beginning = spelling.slice(0, MAX_COMPOUND_LENGTH);
    for (let at = this.#text.indexOf(beginning); at !== -1;) {
      const isInside = !anywhere && isWordAt(this.#text, at - 1) && !isApart(this.#text, at);
      const end = isInside ? this.endOfRun(at) : at;
      const isFarInside = end - at > MAX_COMPOUND_LENGTH;
      if (!isFarInside && this.#text.startsWith(spelling, at)) yield at;
      at = this.#text.indexOf(beginning, isFarInside ? end : at + 1);
    }
  }

  /** The next offset at which a word may end, or another script begin. */
  endOfRun(position: number): number {
    let at = position + 1;
    const near = at + 2 * MAX_COMPOUND_LENGTH;
    while (at < near && isAsciiAlphanumeric(this.#text.charCodeAt(at))) at++;
    const unit = this.#text.charCodeAt(at);
    if (at < near && !(unit >= 0x80)) return at;
    // Each of many words may ask for the end of the same long run.
    this.#ends ??= Array.from(this.#text.matchAll(RUN_END), ({ index }) => index);
    const last = lastAtMost(this.#ends, at);
    return [last, last + 1].map((i) => this.#ends![i]!).find((end) => end >= at) ?? this.#text.length;
  }
}

const RUN_END = /[^\p{L}\p{M}\p{N}\p{Co}]|[\u0E00-\u1FFF\u2E80-\uFFFF]/gu;

/** Returns whether a script with spaces meets one without: a word ends there. */
function isApart(folded: string, position: number): boolean {
  const before = folded.charCodeAt(position - 1);
  const after = folded.charCodeAt(position);
  if (!(before >= 0xe00 || after >= 0xe00)) return false;
  return isPaired(folded.charAt(position - 1)) !== isPaired(folded.charAt(position));
}

/** Returns whether a part of camelCase begins here. */
function isHump(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1);
  const unit = text.charCodeAt(position);
  if (!(unit >= 0x41 && unit <= 0x5a)) return false;
  if ((before >= 0x61 && before <= 0x7a) || (before >= 0x30 && before <= 0x39)) return true;
  const after = text.charCodeAt(position + 1);
  return before >= 0x41 && before <= 0x5a && after >= 0x61 && after <= 0x7a;
}

/** Terms of a phrase that are compared at each place; the others only where these are. */
const MAX_COMPARED = 16;

/** The spans of a phrase: its terms without other words between them. */
function* phrasesIn(folded: string, terms: readonly string[]): Generator<readonly [start: number, end: number]> {
  const pieces = terms.map((term, i) => phrasePiece(term, terms[i - 1]));
  const beginning = new RegExp(pieces.slice(0, MAX_COMPARED).join(""), "gu");
  const rest = new RegExp(pieces.slice(MAX_COMPARED).join(""), "yu");
  const isPairFirst = isPaired(terms[0]!) || symbolOf(terms[0]!) !== undefined;
  const isPairLast = isPaired(terms.at(-1)!) || symbolOf(terms.at(-1)!) !== undefined;
  let failed = 0;
  for (let found = beginning.exec(folded); found !== null && failed < MAX_MATCHES; found = beginning.exec(folded)) {
    rest.lastIndex = beginning.lastIndex;
    if (!rest.test(folded)) {
      failed++;
      continue;
    }
    const end = (beginning.lastIndex = rest.lastIndex);
    const beginsWord = isPairFirst || !isWordAt(folded, found.index - 1) || isApart(folded, found.index);
    if (beginsWord && (isPairLast || !isWordAt(folded, end) || isApart(folded, end))) yield [found.index, end];
  }
}

/** The expression for a term of a phrase, and for what may be before it. */
function phrasePiece(term: string, before: string | undefined): string {
  const spelling = writtenAs(term);
  if (before === undefined) return spelling;
  if (!isPaired(term) || !isPaired(before)) return `${isPaired(term) || isPaired(before) ? GAP : `${GAP}+`}${spelling}`;
  const [first = "", ...rest] = term;
  // Pairs of one run overlap; those of two runs have a gap between them.
  return before.endsWith(first) && rest.length > 0 ? `(?:${GAP}+${first})?${rest.join("")}` : `${GAP}*${spelling}`;
}

/** Longer words are compared by their beginning: an expression has a maximum length. */
const MAX_WRITTEN = 1_000;

/** A long word is compared at the beginning of words only, or it would be at each letter of a longer one. */
function writtenAs(term: string): string {
  const spelling = spellingOf(term).replaceAll("+", "\\+");
  if (spelling.length <= MAX_COMPOUND_LENGTH) return spelling;
  const rest = spelling.length > MAX_WRITTEN ? `${WORD_CHARACTER}*` : "";
  return `(?<!${WORD_CHARACTER})${spelling.slice(0, MAX_WRITTEN)}${rest}`;
}

/** Matches a character between two words of a phrase: white space, punctuation, Markdown marks. */
const GAP = "[^\\p{L}\\p{M}\\p{N}\\p{Co}]";
const WORD_CHARACTER = "[\\p{L}\\p{M}\\p{N}\\p{Co}]";

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
const MAX_FORMS = 100;

function dividedForm(term: string): RegExp {
  const known = dividedForms.get(term);
  if (known !== undefined) return known;
  if (dividedForms.size >= MAX_FORMS) dividedForms.clear();
  const expression = new RegExp(`(?<![a-z\\d])${[...term].join("[-_]?")}(?![a-z\\d])`, "g");
  dividedForms.set(term, expression);
  return expression;
}
