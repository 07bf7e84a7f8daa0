// The passage of a note that shows best why it was found. Used by every search
// that lists its hits.
//
// A phrase counts more than all words, each further word more than the same
// one again, and prose more than the frontmatter. The passage is on one line
// (a run of white space is one space), cut between words where it can be.
// Matching is by the folded text; its offsets are taken back to the original.
import { segmentsOf } from "./words/graphemes.ts";
import { findFrontmatter } from "../markdown/markdown.ts";
import type { SearchQuery } from "./query.ts";
import { type FoldedText, foldWithOffsets, isPaired, isStopWord, stemsOf, WRITTEN_AS } from "./words/terms.ts";

export interface Snippet {
  /** On one line, with `…` where the text goes on. */
  readonly text: string;
  /** The span of the passage in the original text. */
  readonly start: number;
  readonly end: number;
  /** What matched, as spans of the snippet's own text; in order and apart. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

/** One place that matches, in the original text. */
interface Hit {
  readonly start: number;
  readonly end: number;
  /** Which word or phrase of the query it is, and how much that is worth. */
  readonly wanted: number;
  readonly weight: number;
}

interface Wanted extends Pick<SearchQuery, "words" | "phrases"> {
  /** The words come with their other forms already: those need not be thought of here. */
  readonly hasForms?: boolean;
}

/** @param folded the text folded, where somebody has it already */
export function snippetOf(text: string, query: Wanted, length: number, folded?: FoldedText): Snippet {
  const bodyStart = findFrontmatter(text)?.end ?? 0;
  const hits = hitsIn(text, query, folded);
  const best = bestStretch(hits, bodyStart, length);
  const from = best !== undefined && best.start < bodyStart ? 0 : bodyStart;
  const to = best !== undefined && best.start < bodyStart ? bodyStart : text.length;
  const { start, end } = passageAround(text, best ?? { start: from, end: from }, { start: from, end: to }, length);
  return written(text, start, end, from, to, hits);
}

/** Every place of a text that matches, in order and apart: for showing the whole text. */
export function matchesIn(text: string, query: Wanted): (readonly [start: number, end: number])[] {
  const matches: [start: number, end: number][] = [];
  for (const { start, end } of hitsIn(text, query)) {
    const last = matches.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else matches.push([start, end]);
  }
  return matches;
}

/** More places of one word say nothing about where the best passage is, but cost time. */
const MOST_HITS = 1000;

const PHRASE_WEIGHT = 10;
const STOP_WORD_WEIGHT = 0.1;
/** The word is only the beginning of the one that stands there, or another form of it. */
const SIMILAR = 0.6;
const SHORTEST_PREFIX = 3;

function hitsIn(text: string, { words, phrases, hasForms = false }: Wanted, known?: FoldedText): Hit[] {
  if (words.length === 0 && phrases.length === 0) return [];
  const folded = known ?? foldWithOffsets(text);
  const hits: Hit[] = [];
  let wanted = 0;
  const add = (found: Iterable<readonly [start: number, end: number]>, weight: number): boolean => {
    let count = 0;
    for (const [start, end] of found) {
      hits.push({ start: folded.sourceAt(start), end: folded.sourceAt(end), wanted, weight });
      if (++count === MOST_HITS) break;
    }
    return count > 0;
  };
  for (const phrase of phrases) {
    add(phrasesIn(folded.folded, phrase), PHRASE_WEIGHT * phrase.length);
    wanted++;
  }
  const positions = new Positions(folded.folded);
  for (const word of new Set(words)) {
    const weight = isStopWord(word) ? STOP_WORD_WEIGHT : 1;
    const isLong = word.length >= SHORTEST_PREFIX && weight === 1;
    const { whole, begun } = wordsIn(text, folded, word, positions);
    const isFound = add(whole, weight);
    const isBegun = isLong && add(begun, weight * SIMILAR);
    if (isLong && !isFound && !hasForms) {
      for (const form of stemsOf(word)) add(wordsIn(text, folded, form, positions).whole, weight * SIMILAR);
      if (!isBegun) add(dividedIn(folded.folded, word), weight);
    }
    wanted++;
  }
  return hits.sort((a, b) => a.start - b.start || b.end - a.end);
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

type Places = (readonly [start: number, end: number])[];

/** The places of a term: as a word of its own or a part of camelCase; and apart from those the words that it only begins. */
function wordsIn(
  text: string,
  { folded, sourceAt }: FoldedText,
  term: string,
  positions: Positions,
): { whole: Places; begun: Places } {
  const spelling = WRITTEN_AS.get(term) ?? term;
  const isPair = isPaired(spelling);
  const whole: Places = [];
  const begun: Places = [];
  for (const at of positions.of(spelling)) {
    if (whole.length + begun.length >= MOST_HITS) break;
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
      begun.push([at, end]);
    }
  }
  return { whole, begun };
}

/** Where letters stand in a text. The forms of a word begin alike: they are looked for only where the shortest was. */
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
      // Letters that stand everywhere are rather looked for again than all remembered.
      if (positions.length >= MOST_HITS) return this.#each(spelling);
      positions.push(at);
    }
    if (spelling.length >= SHORTEST_PREFIX) this.#known.set(spelling, positions);
    return positions;
  }

  *#each(spelling: string): Generator<number> {
    for (let at = this.#text.indexOf(spelling); at !== -1; at = this.#text.indexOf(spelling, at + 1)) yield at;
  }
}

/** Whether a script with spaces meets one without: both are words of their own then. */
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

/** The places of a phrase: its terms with no other word between them. */
function* phrasesIn(folded: string, terms: readonly string[]): Generator<readonly [start: number, end: number]> {
  const pattern = terms.map((term, i) => {
    const before = terms[i - 1];
    const spelling = (WRITTEN_AS.get(term) ?? term).replace(/[+#]/g, "\\$&");
    if (before === undefined) return spelling;
    if (!isPaired(term) || !isPaired(before))
      return `${isPaired(term) || isPaired(before) ? GAP : `${GAP}+`}${spelling}`;
    const [first = "", ...rest] = term;
    // Pairs of one run overlap; those of two runs have a gap between them.
    return before.endsWith(first) && rest.length > 0 ? `(?:${GAP}+${first})?${rest.join("")}` : `${GAP}*${spelling}`;
  });
  const expression = new RegExp(pattern.join(""), "gu");
  const isPairFirst = isPaired(terms[0]!);
  const isPairLast = isPaired(terms.at(-1)!);
  for (let found = expression.exec(folded); found !== null; found = expression.exec(folded)) {
    const end = expression.lastIndex;
    const beginsWord = isPairFirst || !isWordAt(folded, found.index - 1) || isApart(folded, found.index);
    if (beginsWord && (isPairLast || !isWordAt(folded, end) || isApart(folded, end))) yield [found.index, end];
  }
}

/** What may stand between two words of a phrase: white space, punctuation, marks of Markdown. */
const GAP = "[^\\p{L}\\p{M}\\p{N}\\p{Co}]";

/** The places where "email" is written e-mail. Only for words that stand nowhere as they are. */
function* dividedIn(folded: string, term: string): Generator<readonly [start: number, end: number]> {
  if (!/^[a-z]{3,40}$/.test(term)) return;
  const expression = new RegExp(`(?<![a-z\\d])${[...term].join("[-_]?")}(?![a-z\\d])`, "g");
  for (const found of folded.matchAll(expression)) yield [found.index, found.index + found[0].length];
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

const FRONTMATTER_WORTH = 0.5;
/** So that of equal stretches the tightest and first one is taken. */
const REPEATED = 0.01;
const SPREAD = 0.05;

/** From the first to the last hit of the best passage that is no longer than this. */
function bestStretch(hits: readonly Hit[], bodyStart: number, length: number): Stretch | undefined {
  const counts = new Map<number, number[]>();
  let best: Stretch | undefined;
  let bestScore = 0;
  let first = 0;
  for (let last = 0; last < hits.length; last++) {
    const hit = hits[last]!;
    const weights = counts.get(hit.wanted);
    if (weights === undefined) counts.set(hit.wanted, [hit.weight]);
    else weights.push(hit.weight);
    const isInside = (i: number): boolean =>
      i >= last || (hit.end - hits[i]!.start <= length && hits[i]!.start < bodyStart === hit.start < bodyStart);
    for (; !isInside(first); first++) counts.get(hits[first]!.wanted)!.shift();
    let score = 0;
    for (const inside of counts.values()) {
      if (inside.length > 0) score += Math.max(...inside.slice(0, 20)) + REPEATED * Math.min(inside.length - 1, 5);
    }
    const start = hits[first]!.start;
    score -= (SPREAD * Math.max(0, hit.end - start)) / Math.max(1, length);
    if (hit.start < bodyStart) score *= FRONTMATTER_WORTH;
    if (score > bestScore) {
      bestScore = score;
      best = { start, end: Math.max(hit.end, start) };
    }
  }
  return best;
}

/** How far a cut may move to fall between words. */
const LONGEST_WORD = 40;

/** The stretch with as much around it as fits; a third of that before it, or from where its paragraph begins. */
function passageAround(text: string, stretch: Stretch, within: Stretch, length: number): Stretch {
  const room = Math.max(1, length);
  const spare = Math.max(0, room - (stretch.end - stretch.start));
  let start = Math.max(within.start, stretch.start - Math.floor(spare / 3));
  // Near its end the text has less behind the stretch, so more fits before it.
  start = Math.max(within.start, Math.min(start, within.end - room));
  start = Math.min(start, stretch.start);
  if (start > within.start) {
    const paragraph = text.lastIndexOf("\n\n", stretch.start);
    start = paragraph >= start ? paragraph : wordStart(text, start, stretch.start);
  }
  start = graphemeBoundary(text, Math.max(start, within.start));
  while (start < within.end && isSpaceAt(text, start)) start++;
  let end = Math.min(within.end, start + room);
  if (end < within.end) end = Math.max(wordEnd(text, end, Math.min(stretch.end, end)), Math.min(end, start + 1));
  end = graphemeBoundary(text, end, start);
  while (end > start && isSpaceAt(text, end - 1)) end--;
  return { start, end };
}

/** The beginning of the first word from a position on; the position itself where none is near. */
function wordStart(text: string, position: number, limit: number): number {
  for (let at = position; at <= Math.min(limit, position + LONGEST_WORD); at++) {
    if (isSpaceAt(text, at - 1) || at === limit) return at;
  }
  return position;
}

function wordEnd(text: string, position: number, limit: number): number {
  for (let at = position; at >= Math.max(limit, position - LONGEST_WORD); at--) if (isSpaceAt(text, at)) return at;
  return position;
}

function isSpaceAt(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0xa0 || unit === 0x3000 || unit === 0x2028;
}

/** Longer than any character that people write, families of emoji included. */
const LONGEST_GRAPHEME = 64;

/** The position, or the beginning of the character that it stands in; never before `least`, but rather behind the character. */
function graphemeBoundary(text: string, position: number, least = 0): number {
  if (position <= 0 || position >= text.length) return position;
  const [before, after] = [text.charCodeAt(position - 1), text.charCodeAt(position)];
  // Between two ASCII characters is always one, but within an end of line.
  if (before < 0x80 && after < 0x80 && !(before === 0x0d && after === 0x0a)) return position;
  const from = Math.max(0, position - LONGEST_GRAPHEME);
  const character = segmentsOf(text.slice(from, position + LONGEST_GRAPHEME)).containing(position - from);
  if (character === undefined) return position;
  const start = from + character.index;
  return start > least || start === position ? start : start + character.segment.length;
}

/** Most passages are on one line already: to replace each space by a space takes longer than to look for others. */
function onOneLine(text: string): string {
  return /[^\S ]|\s\s/.test(text) ? text.replace(/\s+/g, " ") : text;
}

function written(text: string, start: number, end: number, from: number, to: number, hits: readonly Hit[]): Snippet {
  let line = text.slice(from, start).trim() === "" ? "" : "…";
  const highlights: [start: number, end: number][] = [];
  let position = start;
  const copy = (until: number): void => {
    const part = onOneLine(text.slice(position, until));
    line += line.endsWith(" ") && part.startsWith(" ") ? part.slice(1) : part;
    position = Math.max(position, until);
  };
  for (const hit of hits) {
    if (hit.end <= position) continue;
    if (hit.start >= end) break;
    const last = highlights.at(-1);
    const isContinued = last !== undefined && hit.start <= position && last[1] === line.length;
    copy(Math.max(hit.start, position));
    const marked = isContinued ? last : ([line.length, line.length] as [number, number]);
    if (!isContinued) highlights.push(marked);
    copy(Math.min(hit.end, end));
    marked[1] = line.length;
  }
  copy(end);
  if (text.slice(end, to).trim() !== "") line += "…";
  return { text: line, start, end, highlights: highlights.filter(([first, last]) => last > first) };
}
