// What a Markdown text is made of, as far as links and sections need to know:
// which passages are not prose (frontmatter, code, comments, maths), and where
// the headings and block ids stand. Used by the recogniser of links, and by
// whatever reads or patches a note by section.
//
// One pass by lines, in time linear in the text, whatever it holds. In doubt a
// passage counts as prose: a link that is missed breaks at the next move, one
// too many does no harm. That is why indented code and HTML blocks are prose,
// and why an opening without its end (but for a fence) opens nothing.
import { LineReader } from "./lines.ts";
import { isEscaped, TokenFinder } from "./token-finder.ts";
import { trimWhite } from "./white-space.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Passage extends Span {
  readonly kind: "frontmatter" | "code" | "comment" | "maths";
}

export interface Frontmatter extends Span {
  /** The YAML between the two rules. */
  readonly yaml: Span;
}

/** A heading outside of lists and quotes; the span is its line (or lines), without the line break. */
export interface Heading extends Span {
  readonly level: number;
  readonly text: string;
}

/** `^id` at the end of a paragraph, list item, row or heading, or on a line below the block that it names. */
export interface BlockId extends Span {
  readonly id: string;
  /** Where the block begins that the id names. */
  readonly blockStart: number;
}

export interface MarkdownScan {
  readonly frontmatter: Frontmatter | undefined;
  /** In order, and never one inside another. */
  readonly notProse: readonly Passage[];
  readonly headings: readonly Heading[];
  readonly blockIds: readonly BlockId[];
}

export function scanMarkdown(text: string): MarkdownScan {
  return new Scanner(text).scan();
}

const BYTE_ORDER_MARK = 0xfeff;

/** The YAML block at the very start; one that is never closed is not frontmatter. */
export function findFrontmatter(text: string): Frontmatter | undefined {
  const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  if (!text.startsWith("---", start)) return undefined;
  const yamlStart = text.indexOf("\n", start) + 1;
  if (yamlStart === 0 || text.slice(start + 3, yamlStart).trim() !== "") return undefined;
  for (let line = yamlStart; line < text.length;) {
    const lineBreak = text.indexOf("\n", line);
    const end = lineBreak === -1 ? text.length : lineBreak;
    if (text.startsWith("---", line) && text.slice(line + 3, end).trim() === "") {
      return { start, end: lineBreak === -1 ? end : end + 1, yaml: { start: yamlStart, end: line } };
    }
    line = end + 1;
  }
  return undefined;
}

/** Indented code, or what continues something above. */
const INDENTED = /^(?: {4}| {0,3}\t)/;
const HTML = /^ {0,3}</;
/** A line across the page: `---`, `* * *`. */
const BREAK = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})\r?$/;

class Scanner {
  readonly #text: string;
  readonly #lines: LineReader;
  readonly #notProse: Passage[] = [];
  readonly #headings: Heading[] = [];
  readonly #blockIds: BlockId[] = [];

  readonly #backticks: TokenFinder;
  readonly #dollars: TokenFinder;
  readonly #doubleDollars: TokenFinder;
  readonly #percents: TokenFinder;
  readonly #commentStarts: TokenFinder;
  readonly #commentEnds: TokenFinder;

  /** The first line of the paragraph (or item, or row) that the current line belongs to. */
  #blockStart = 0;
  /** A paragraph that an underline would turn into a heading; -1 if the last line was none. */
  #plainParagraph = -1;
  /** Whether the line still belongs to a list item, a quote or HTML above it, since no blank line came between. */
  #isContinuation = false;
  /** Where the current run of lines that are not blank begins, and the one before it. */
  #groupStart = -1;
  #groupBefore = 0;
  /** How far a code span or another inline passage of the current block can reach. */
  #blockLimit = -1;
  /** The last run of backticks of each length in the block, to know at once that one is never closed. */
  #lastRuns: Map<number, number> | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineReader(text);
    this.#backticks = new TokenFinder(text, "`");
    this.#dollars = new TokenFinder(text, "$");
    this.#doubleDollars = new TokenFinder(text, "$$");
    this.#percents = new TokenFinder(text, "%%");
    this.#commentStarts = new TokenFinder(text, "<!--");
    this.#commentEnds = new TokenFinder(text, "-->");
  }

  scan(): MarkdownScan {
    const frontmatter = findFrontmatter(this.#text);
    if (frontmatter !== undefined) {
      this.#notProse.push({ kind: "frontmatter", start: frontmatter.start, end: frontmatter.end });
    }
    let position = frontmatter?.end ?? (this.#text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);
    while (position < this.#text.length) position = this.#scanLine(position);
    return { frontmatter, notProse: this.#notProse, headings: this.#headings, blockIds: this.#blockIds };
  }

  /** Takes in the line at a position, and returns where the next one begins. */
  #scanLine(start: number): number {
    const lines = this.#lines;
    lines.read(start);
    if (lines.isBlank) {
      this.#plainParagraph = -1;
      this.#isContinuation = false;
      if (this.#groupStart !== -1) this.#groupBefore = this.#groupStart;
      this.#groupStart = -1;
      return lines.next;
    }
    const underlined = this.#plainParagraph !== -1 && lines.quoteDepth === 0 ? lines.underlineLevel() : 0;
    if (underlined > 0) {
      const text = trimWhite(this.#text.slice(this.#plainParagraph, start).replace(/[ \t\r\n]+/g, " "));
      this.#headings.push({ level: underlined, text, start: this.#plainParagraph, end: lines.end });
      this.#plainParagraph = -1;
      return lines.next;
    }
    if (this.#groupStart === -1) this.#groupStart = start;
    const startsBlock = this.#groupStart === start || lines.startsBlock;
    if (startsBlock) {
      this.#blockStart = start;
      this.#blockLimit = -1;
    }
    lines.enterContainers();

    const fence = lines.fenceEnd();
    if (fence !== undefined) {
      this.#notProse.push({ kind: "code", start: lines.contentStart, end: fence });
      this.#plainParagraph = -1;
      return lines.lineAfter(fence);
    }
    const isTopLevel = lines.quoteDepth === 0 && !lines.isInList;
    const line = this.#text.slice(start, lines.end);
    const isHeading = lines.headingLevel > 0 && isTopLevel && !INDENTED.test(line);
    if (isHeading) {
      const { level, text } = lines.heading();
      this.#headings.push({ level, text, start, end: lines.end });
    }
    if (isHeading || BREAK.test(line)) this.#isContinuation = false;
    else if (!isTopLevel || HTML.test(line)) this.#isContinuation = true;
    const startsParagraph = startsBlock || this.#plainParagraph === -1;
    if (this.#isContinuation || isHeading || lines.isRow || BREAK.test(line)) this.#plainParagraph = -1;
    else if (startsParagraph) this.#plainParagraph = INDENTED.test(line) ? -1 : start;
    return this.#scanInline(lines.contentStart, lines.end, lines.next);
  }

  /** Finds the passages that begin on a line; one of them may end lines below, and the rest of that line follows. */
  #scanInline(contentStart: number, lineEnd: number, nextLine: number): number {
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
      // What opens first on a line is a block of its own, and may hold blank lines.
      position = this.#scanPassage(special, limit, special === contentStart ? this.#text.length : limit, end);
      if (position > end) {
        end = this.#lines.endOf(position);
        next = this.#lines.lineAfter(end);
        this.#plainParagraph = -1;
      }
    }
    this.#scanBlockId(position, end, next);
    return next;
  }

  /** Records the passage that opens here, if one does; returns where to go on. Comments and display maths may `reach` further. */
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
   * `$$…$$`, or `$…$` on one line by the rule that distinguishes it from prices: no
   * space inside the dollars, no digit after them. Only the very next dollar
   * can close it.
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
    this.#notProse.push({ kind, start, end });
    // A passage that crosses a blank line leaves its block behind.
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

  /** "[[US$]] and [[A$]]" are two links, not maths; nor does `%%` in a name begin or end a comment. */
  #isAnyInsideLink(start: number, close: number): boolean {
    return this.#isInsideLink(start) || this.#isInsideLink(close);
  }

  #isInsideLink(position: number): boolean {
    const longestLookBack = 500;
    const before = this.#text.slice(Math.max(0, position - longestLookBack), position);
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

  #scanBlockId(from: number, end: number, next: number): void {
    const text = this.#text;
    let start = end;
    while (start > from && isSpace(text.charCodeAt(start - 1))) start--;
    const idEnd = start;
    while (start > from && isIdCharacter(text.charCodeAt(start - 1))) start--;
    if (start === idEnd || start === from || text.charCodeAt(start - 1) !== 0x5e) return;
    start--;
    const isOwnLine = start === from;
    if (!isOwnLine && !isSpace(text.charCodeAt(start - 1))) return;
    if (!this.#lines.isBlockEnd(next)) return;
    const isAlone = isOwnLine && from === this.#lines.contentStart && this.#blockStart === this.#lines.start;
    const blockStart = isAlone ? this.#groupBefore : this.#blockStart;
    this.#blockIds.push({ id: text.slice(start + 1, idEnd), start, end: idEnd, blockStart });
  }
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d;
}

function isIdCharacter(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit === 0x2d
  );
}
