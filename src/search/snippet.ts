// Cuts the passage of a text that shows best why it was found. Used by every search
// that lists results.
//
// A phrase counts more than all words, another word more than a repeated one, and
// prose more than the frontmatter. The passage is written on one line, and cut
// between words if possible.
import { segmentsOf } from "./words/graphemes.ts";
import { findFrontmatter } from "../markdown/markdown.ts";
import { weightedMatchesIn, type QueryMatch, type QueryTerms } from "./matches.ts";
import type { FoldedText } from "./words/folding.ts";

export interface Snippet {
  /** On one line, with `…` where it was cut. */
  readonly text: string;
  /** The span of the passage in the original text. */
  readonly start: number;
  readonly end: number;
  /** The matches, as spans of the snippet's text; in order, without overlaps. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

/** @param folded the folded text, if the caller has it already */
export function snippetOf(text: string, query: QueryTerms, length: number, folded?: FoldedText): Snippet {
  const bodyStart = findFrontmatter(text)?.end ?? 0;
  const matches = weightedMatchesIn(text, query, folded);
  const best = bestStretch(matches, bodyStart, length);
  const from = best !== undefined && best.start < bodyStart ? 0 : bodyStart;
  const to = best !== undefined && best.start < bodyStart ? bodyStart : text.length;
  const { start, end } = passageAround(text, best ?? { start: from, end: from }, { start: from, end: to }, length);
  return written(text, start, end, from, to, matches);
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

const FRONTMATTER_WORTH = 0.5;
/** Small, to choose the shortest and first of otherwise equal stretches. */
const REPEATED = 0.01;
const SPREAD = 0.05;

/** From the first to the last match of the best passage of this length. */
function bestStretch(matches: readonly QueryMatch[], bodyStart: number, length: number): Stretch | undefined {
  const inside = new MatchesInside(matches);
  let best: Stretch | undefined;
  let bestScore = 0;
  let first = 0;
  for (let last = 0; last < matches.length; last++) {
    const match = matches[last]!;
    inside.add(match, 1);
    const isInside = (i: number): boolean =>
      i >= last ||
      (match.end - matches[i]!.start <= length && matches[i]!.start < bodyStart === match.start < bodyStart);
    for (; !isInside(first); first++) inside.add(matches[first]!, -1);
    const start = matches[first]!.start;
    let score = inside.score() - (SPREAD * Math.max(0, match.end - start)) / Math.max(1, length);
    if (match.start < bodyStart) score *= FRONTMATTER_WORTH;
    if (score > bestScore) {
      bestScore = score;
      best = { start, end: Math.max(match.end, start) };
    }
  }
  return best;
}

/** How many matches of each part of the query are in a passage, by their weights: a part has two or three. */
class MatchesInside {
  readonly #weights: number[][] = [];
  readonly #counts: number[][] = [];

  constructor(matches: readonly QueryMatch[]) {
    for (const { part, weight } of matches) {
      const weights = (this.#weights[part] ??= []);
      if (!weights.includes(weight)) weights.push(weight);
    }
    for (const [part, weights] of this.#weights.entries()) {
      weights?.sort((a, b) => b - a);
      this.#counts[part] = weights?.map(() => 0) ?? [];
    }
  }

  add({ part, weight }: QueryMatch, count: number): void {
    this.#counts[part]![this.#weights[part]!.indexOf(weight)]! += count;
  }

  /** The best match of each part, and a little for repeated ones. */
  score(): number {
    let score = 0;
    for (let part = 0; part < this.#counts.length; part++) {
      const counts = this.#counts[part]!;
      let all = 0;
      let best = 0;
      for (let i = counts.length - 1; i >= 0; i--) {
        all += counts[i]!;
        if (counts[i]! > 0) best = this.#weights[part]![i]!;
      }
      if (all > 0) score += best + REPEATED * Math.min(all - 1, 5);
    }
    return score;
  }
}

/** How far a cut may be moved to be between words. */
const MAX_WORD_LENGTH = 40;

/** The stretch with as much text around it as fits: a third of it before, but not before its paragraph. */
function passageAround(text: string, stretch: Stretch, within: Stretch, length: number): Stretch {
  const room = Math.max(1, length);
  const spare = Math.max(0, room - (stretch.end - stretch.start));
  let start = Math.max(within.start, stretch.start - Math.floor(spare / 3));
  // Near the end of the text there is less after the stretch, so more fits before it.
  start = Math.max(within.start, Math.min(start, within.end - room));
  start = Math.min(start, stretch.start);
  if (start > within.start) {
    const paragraph = text.lastIndexOf("\n\n", stretch.start);
    // The last paragraph may be a single tag, which says nothing without what is above it.
    const isEnough = paragraph >= start && within.end - paragraph >= room / 2;
    start = isEnough ? paragraph : wordStart(text, start, stretch.start);
  }
  start = graphemeBoundary(text, Math.max(start, within.start));
  while (start < within.end && isSpaceAt(text, start)) start++;
  let end = Math.min(within.end, start + room);
  if (end < within.end) end = Math.max(wordEnd(text, end, Math.min(stretch.end, end)), Math.min(end, start + 1));
  end = graphemeBoundary(text, end, start);
  while (end > start && isSpaceAt(text, end - 1)) end--;
  return { start, end };
}

/** The beginning of the first word at or after a position; the position itself if none is near. */
function wordStart(text: string, position: number, limit: number): number {
  for (let at = position; at <= Math.min(limit, position + MAX_WORD_LENGTH); at++) {
    if (isSpaceAt(text, at - 1) || at === limit) return at;
  }
  return position;
}

function wordEnd(text: string, position: number, limit: number): number {
  for (let at = position; at >= Math.max(limit, position - MAX_WORD_LENGTH); at--) if (isSpaceAt(text, at)) return at;
  return position;
}

function isSpaceAt(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0xa0 || unit === 0x3000 || unit === 0x2028;
}

/** Longer than any character that people write, including families of emoji. */
const MAX_GRAPHEME_LENGTH = 64;

/** The beginning of the character at this position, or its end if it begins before `least`. */
function graphemeBoundary(text: string, position: number, least = 0): number {
  if (position <= 0 || position >= text.length) return position;
  const [before, after] = [text.charCodeAt(position - 1), text.charCodeAt(position)];
  // Always a boundary between two ASCII characters, except inside CRLF.
  if (before < 0x80 && after < 0x80 && !(before === 0x0d && after === 0x0a)) return position;
  const from = Math.max(0, position - MAX_GRAPHEME_LENGTH);
  const character = segmentsOf(text.slice(from, position + MAX_GRAPHEME_LENGTH)).containing(position - from);
  if (character === undefined) return position;
  const start = from + character.index;
  return start > least || start === position ? start : start + character.segment.length;
}

/** Most passages are on one line already, and testing that is faster than replacing every space. */
function onOneLine(text: string): string {
  return /[^\S ]|\s\s/.test(text) ? text.replace(/\s+/g, " ") : text;
}

function written(
  text: string,
  start: number,
  end: number,
  from: number,
  to: number,
  matches: readonly QueryMatch[],
): Snippet {
  let line = text.slice(from, start).trim() === "" ? "" : "…";
  const highlights: [start: number, end: number][] = [];
  let position = start;
  const copy = (until: number): void => {
    const part = onOneLine(text.slice(position, until));
    line += line.endsWith(" ") && part.startsWith(" ") ? part.slice(1) : part;
    position = Math.max(position, until);
  };
  for (const match of matches) {
    if (match.end <= position) continue;
    if (match.start >= end) break;
    const last = highlights.at(-1);
    const isContinued = last !== undefined && match.start <= position && last[1] === line.length;
    copy(Math.max(match.start, position));
    const marked = isContinued ? last : ([line.length, line.length] as [number, number]);
    if (!isContinued) highlights.push(marked);
    copy(Math.min(match.end, end));
    marked[1] = line.length;
  }
  copy(end);
  if (text.slice(end, to).trim() !== "") line += "…";
  return { text: line, start, end, highlights: highlights.filter(([first, last]) => last > first) };
}
