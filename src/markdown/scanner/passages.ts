// Finds passages inside lines of Markdown that are not prose: code spans, comments,
// maths. Used by the scanner, which finds frontmatter and fenced code itself.
import type { LineReader } from "./lines.ts";
import { isEscaped, TokenFinder } from "./token-finder.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Passage extends Span {
  readonly kind: "frontmatter" | "code" | "comment" | "maths";
}

export class PassageFinder {
  /** In order. The scanner adds those that it finds itself. */
  readonly found: Passage[] = [];
  /** After `scanLine`: the offset after the last passage, and the end of the line that this is in. */
  position = 0;
  lineEnd = 0;
  nextLine = 0;

  readonly #text: string;
  readonly #lines: LineReader;
  readonly #backticks: TokenFinder;
  readonly #dollars: TokenFinder;
  readonly #doubleDollars: TokenFinder;
  readonly #percents: TokenFinder;
  readonly #commentStarts: TokenFinder;
  readonly #commentEnds: TokenFinder;
  readonly #wikilinks: TokenFinder;
  readonly #destinations: TokenFinder;
  /** The end of the current block, which an inline passage cannot cross. */
  #blockLimit = -1;
  /** The last run of backticks of each length in the block: shows at once that a run is never closed. */
  #lastRuns: Map<number, number> | undefined;

  constructor(text: string, lines: LineReader) {
    this.#text = text;
    this.#lines = lines;
    this.#backticks = new TokenFinder(text, "`");
    this.#dollars = new TokenFinder(text, "$");
    this.#doubleDollars = new TokenFinder(text, "$$");
    this.#percents = new TokenFinder(text, "%%");
    this.#commentStarts = new TokenFinder(text, "<!--");
    this.#commentEnds = new TokenFinder(text, "-->");
    this.#wikilinks = new TokenFinder(text, "[[");
    this.#destinations = new TokenFinder(text, "](");
  }

  startBlock(): void {
    this.#blockLimit = -1;
  }

  /** Finds the passages that begin on a line. If one ends on a later line, the rest of that line is scanned too. */
  scanLine(contentStart: number, lineEnd: number, nextLine: number): void {
    let position = contentStart;
    let end = lineEnd;
    let next = nextLine;
    for (;;) {
      const special = Math.min(
        this.#backticks.from(position),
        this.#dollars.from(position),
        this.#percents.from(position),
        this.#commentStarts.from(position),
      );
      if (special >= end) break;
      const limit = this.#limit(next);
      // A passage at the beginning of a line is a block, and may contain blank lines.
      position = this.#scanPassage(special, limit, special === contentStart ? this.#text.length : limit, end);
      if (position > end) {
        end = this.#lines.endOf(position);
        next = this.#lines.lineAfter(end);
      }
    }
    this.position = position;
    this.lineEnd = end;
    this.nextLine = next;
  }

  /** Records the passage that opens here, if any. Comments and display maths may end up to `reach`. @returns where to continue */
  #scanPassage(start: number, limit: number, reach: number, lineEnd: number): number {
    switch (this.#text.charCodeAt(start)) {
      case 0x60:
        return this.#scanCode(start, limit);
      case 0x3c: {
        const close = this.#commentEnds.from(start + 4);
        return close < reach ? this.#pass("comment", start, close + 3) : start + 4;
      }
      case 0x25: {
        const close = this.#percents.from(start + 2);
        const opens = close < reach && !isEscaped(this.#text, start) && !this.#isAnyInsideLink(start, close);
        return opens ? this.#pass("comment", start, close + 2) : start + 2;
      }
      default:
        return this.#scanMaths(start, reach, lineEnd);
    }
  }

  #scanCode(start: number, limit: number): number {
    if (isEscaped(this.#text, start)) return start + 1;
    const end = this.#runEnd(start);
    const length = end - start;
    if ((this.#backtickRuns(end, limit).get(length) ?? -1) < end) return end;
    for (let run = this.#backticks.from(end); run < limit;) {
      const runEnd = this.#runEnd(run);
      if (runEnd - run === length) return this.#pass("code", start, runEnd);
      run = this.#backticks.from(runEnd);
    }
    return end;
  }

  #backtickRuns(from: number, limit: number): ReadonlyMap<number, number> {
    if (this.#lastRuns !== undefined) return this.#lastRuns;
    const runs = new Map<number, number>();
    for (let run = this.#text.indexOf("`", from); run !== -1 && run < limit;) {
      const runEnd = this.#runEnd(run);
      runs.set(runEnd - run, run);
      run = this.#text.indexOf("`", runEnd);
    }
    this.#lastRuns = runs;
    return runs;
  }

  #runEnd(start: number): number {
    let end = start + 1;
    while (this.#text.charCodeAt(end) === 0x60) end++;
    return end;
  }

  /**
   * `$$…$$`, or `$…$` on one line. To exclude prices, there is no space inside the
   * dollars and no digit after them, and only the next dollar can close it.
   */
  #scanMaths(start: number, reach: number, lineEnd: number): number {
    const text = this.#text;
    if (isEscaped(text, start)) return start + 1;
    if (text.charCodeAt(start + 1) === 0x24) {
      const close = this.#doubleDollars.from(start + 2);
      return close < reach && !this.#isAnyInsideLink(start, close) ? this.#pass("maths", start, close + 2) : start + 2;
    }
    let close = this.#dollars.from(start + 1);
    while (close < lineEnd && isEscaped(text, close)) close = this.#dollars.from(close + 1);
    if (close >= lineEnd || isSpace(text.charCodeAt(start + 1)) || isSpace(text.charCodeAt(close - 1))) {
      return start + 1;
    }
    const after = text.charCodeAt(close + 1);
    if (after >= 0x30 && after <= 0x39) return start + 1;
    return this.#isAnyInsideLink(start, close) ? start + 1 : this.#pass("maths", start, close + 1);
  }

  #pass(kind: Passage["kind"], start: number, end: number): number {
    this.found.push({ kind, start, end });
    // After a passage with a blank line, another block has begun.
    if (end > this.#blockLimit) this.#blockLimit = -1;
    return end;
  }

  /** The end of the block that the current line belongs to; `next` is the line after it. */
  #limit(next: number): number {
    if (this.#blockLimit < next) {
      this.#blockLimit = this.#lines.blockEnd(next);
      this.#lastRuns = undefined;
    }
    return this.#blockLimit;
  }

  /** "[[US$]] and [[A$]]" are two links, not maths, and `%%` in a name is not a comment. */
  #isAnyInsideLink(start: number, close: number): boolean {
    return this.#isInsideLink(start) || this.#isInsideLink(close);
  }

  #isInsideLink(position: number): boolean {
    const longestLookBack = 500;
    const from = Math.max(0, position - longestLookBack);
    // Of a million passages, nearly none is near a link.
    if (this.#wikilinks.from(from) >= position && this.#destinations.from(from) >= position) return false;
    const before = this.#text.slice(from, position);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const wikilink = line.lastIndexOf("[[");
    if (wikilink !== -1 && !line.includes("]]", wikilink)) {
      const after = this.#text.slice(position, position + longestLookBack);
      const close = after.indexOf("]]");
      if (close !== -1 && !after.slice(0, close).includes("\n")) return true;
    }
    const destination = line.lastIndexOf("](");
    return destination !== -1 && /^(?:<[^>]*|[^\s)]*)$/.test(line.slice(destination + 2));
  }
}

export function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d;
}
