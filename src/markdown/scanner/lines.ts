// Reads the lines of a Markdown text and the blocks that they begin: quotes, list
// items, headings, table rows, fences. Used by the scanner.
import { fenceLength, headingMarks, isBlankUnit, isThematicBreak, markerWidth } from "./line-marks.ts";
import { trimWhite, trimWhiteEnd } from "./white-space.ts";

interface Line {
  start: number;
  /** Without the line break. */
  end: number;
  next: number;
  /** After the markers of quotes and list items, and the spaces after them. */
  contentStart: number;
  quoteDepth: number;
  /** The column of the first character after quote marks; tab stops are every four columns. */
  indent: number;
  /** The column of the content. */
  contentColumn: number;
  /** The columns of the content of the list items that begin on this line. */
  items: number[];
  headingLevel: number;
  isBreak: boolean;
}

/** The most list items that begin on one line: a line of a million dashes must take linear time. */
const MAX_LIST_DEPTH = 50;

export class LineReader {
  readonly #text: string;
  readonly #line: Line = emptyLine();
  readonly #ahead: Line = emptyLine();
  /** The columns of the content of the open list items, outermost first, at one depth of quotes. */
  #openItems: number[] = [];
  #openItemsDepth = 0;
  /** The column of the content of the item around the current line; -1 outside lists. */
  #around = -1;
  #depthBefore = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(start: number): void {
    this.#depthBefore = this.#line.quoteDepth;
    this.#parse(start, this.#line);
  }

  get start(): number {
    return this.#line.start;
  }
  get end(): number {
    return this.#line.end;
  }
  get next(): number {
    return this.#line.next;
  }
  get contentStart(): number {
    return this.#line.contentStart;
  }
  get quoteDepth(): number {
    return this.#line.quoteDepth;
  }
  get headingLevel(): number {
    return this.#line.headingLevel;
  }
  get isBlank(): boolean {
    return this.#line.contentStart === this.#line.end && this.#line.items.length === 0;
  }
  get isRow(): boolean {
    return this.#text.charCodeAt(this.#line.contentStart) === 0x7c;
  }
  get isInList(): boolean {
    return this.#openItems.length > 0;
  }
  /** Returns whether a paragraph ends before this line. */
  get startsBlock(): boolean {
    return this.#line.quoteDepth !== this.#depthBefore || this.#interrupts(this.#line);
  }

  /** Updates the open list items; must be called once for every line that is not blank. */
  enterContainers(): void {
    const { quoteDepth, indent, items } = this.#line;
    if (quoteDepth !== this.#openItemsDepth) {
      this.#openItems = [];
      this.#openItemsDepth = quoteDepth;
    }
    while (this.#openItems.length > 0 && this.#openItems.at(-1)! > indent) this.#openItems.pop();
    this.#around = this.#openItems.at(-1) ?? -1;
    this.#openItems.push(...items);
  }

  /**
   * The offset of the check box of the list item that begins on this line: of its
   * character, which any one may be. -1 if there is none. After `enterContainers`.
   * @param isAfterBlank whether a blank line comes before: then an item that is indented too far is code
   */
  checkBox(isAfterBlank: boolean): number {
    const { contentStart, indent, items, end } = this.#line;
    if (items.length === 0 || this.#text.charCodeAt(contentStart) !== 0x5b) return -1;
    const isCode = indent - Math.max(this.#around, 0) >= 4 && (isAfterBlank || this.#around === -1);
    if (isCode) return -1;
    const status = this.#text.codePointAt(contentStart + 1)!;
    const close = contentStart + 1 + (status > 0xffff ? 2 : 1);
    const isBox = close + 1 < end && this.#text.charCodeAt(close) === 0x5d && status !== 0x5b && status !== 0x5d;
    return isBox && isBlankUnit(this.#text.charCodeAt(close + 1)) ? contentStart + 1 : -1;
  }

  /** 1 or 2 for a line of `=` or `-`, which makes the paragraph above it a heading; else 0. */
  underlineLevel(): 0 | 1 | 2 {
    const { indent, end } = this.#line;
    let position = this.#line.contentStart;
    // A single dash was parsed as an empty list item.
    if (this.#line.items.length > 0) {
      if (this.#line.items.length > 1 || position !== end) return 0;
      position = this.#text.lastIndexOf("-", end - 1);
      if (position === -1 || this.#text.slice(position + 1, end).trim() !== "") return 0;
    }
    const mark = this.#text.charCodeAt(position);
    if ((mark !== 0x3d && mark !== 0x2d) || indent > 3) return 0;
    let runEnd = position;
    while (this.#text.charCodeAt(runEnd) === mark) runEnd++;
    while (runEnd < end && isBlankUnit(this.#text.charCodeAt(runEnd))) runEnd++;
    if (runEnd !== end) return 0;
    return mark === 0x3d ? 1 : 2;
  }

  /** The heading on this line, without its marks. */
  heading(): { level: number; text: string } {
    const { contentStart, headingLevel, end } = this.#line;
    const written = trimWhite(this.#text.slice(contentStart + headingLevel, end));
    let textEnd = written.length;
    while (written.charCodeAt(textEnd - 1) === 0x23) textEnd--;
    const hasClosingMarks = textEnd < written.length && (textEnd === 0 || isBlankUnit(written.charCodeAt(textEnd - 1)));
    return { level: headingLevel, text: hasClosingMarks ? trimWhiteEnd(written.slice(0, textEnd)) : written };
  }

  /** The end of the code block that a fence on this line opens: its closing line, or the end of its container or the text. */
  fenceEnd(): number | undefined {
    const { contentStart, contentColumn, quoteDepth, end, next } = this.#line;
    const length = fenceLength(this.#text, contentStart, end);
    if (length === 0) return undefined;
    const mark = this.#text.charCodeAt(contentStart);
    const container = this.#openItems.at(-1) ?? 0;
    // Indented by four columns it may be indented code, which ends with the indentation.
    const least = contentColumn - container >= 4 ? container + 4 : container;

    let codeEnd = end;
    for (let start = next; start < this.#text.length;) {
      const lineEnd = this.endOf(start);
      const [position, column] = this.#insideQuotes(start, lineEnd, quoteDepth);
      if (position === -1 || (position < lineEnd && column < least)) return codeEnd;
      if (this.#text.charCodeAt(position) === mark && column < least + 4) {
        let runEnd = position;
        while (this.#text.charCodeAt(runEnd) === mark) runEnd++;
        if (runEnd - position >= length && this.#text.slice(runEnd, lineEnd).trim() === "") return lineEnd;
      }
      codeEnd = lineEnd;
      start = this.lineAfter(lineEnd);
    }
    return codeEnd;
  }

  /** The start of the first line from `start` on that is not part of the block of the current line. */
  blockEnd(start: number): number {
    let line = start;
    while (line < this.#text.length && !this.isBlockEnd(line)) line = this.#ahead.next;
    return Math.min(line, this.#text.length);
  }

  isBlockEnd(start: number): boolean {
    if (start >= this.#text.length) return true;
    this.#parse(start, this.#ahead);
    const { contentStart, end, quoteDepth } = this.#ahead;
    return contentStart === end || quoteDepth !== this.#line.quoteDepth || this.#interrupts(this.#ahead);
  }

  /** The end of the line around a position, without the line break. */
  endOf(position: number): number {
    const lineBreak = this.#text.indexOf("\n", position);
    if (lineBreak === -1) return this.#text.length;
    return lineBreak > position && this.#text.charCodeAt(lineBreak - 1) === 0x0d ? lineBreak - 1 : lineBreak;
  }

  /** The start of the line after one that ends here. */
  lineAfter(end: number): number {
    const lineBreak = this.#text.charCodeAt(end) === 0x0d ? end + 1 : end;
    return Math.min(lineBreak + 1, this.#text.length);
  }

  #interrupts(line: Line): boolean {
    return (
      line.items.length > 0 ||
      line.headingLevel > 0 ||
      line.isBreak ||
      this.#text.charCodeAt(line.contentStart) === 0x7c ||
      fenceLength(this.#text, line.contentStart, line.end) > 0
    );
  }

  #parse(start: number, line: Line): void {
    const text = this.#text;
    line.start = start;
    line.end = this.endOf(start);
    line.next = this.lineAfter(line.end);
    line.quoteDepth = 0;
    line.indent = -1;
    line.headingLevel = 0;
    line.isBreak = false;
    if (line.items.length > 0) line.items = [];
    let position = start;
    let column = 0;
    for (;;) {
      let unit = text.charCodeAt(position);
      while (position < line.end && (unit === 0x20 || unit === 0x09)) {
        column = unit === 0x09 ? column + 4 - (column % 4) : column + 1;
        unit = text.charCodeAt(++position);
      }
      if (unit === 0x3e && position < line.end) {
        line.quoteDepth++;
        position++;
        // One column of what follows belongs to the mark: of a tab, which reaches to the fourth, two are left.
        const after = text.charCodeAt(position);
        if (after === 0x20 || after === 0x09) position++;
        column = after === 0x09 ? 2 : 0;
        line.indent = -1;
        continue;
      }
      if (line.indent === -1) line.indent = column;
      const width = markerWidth(this.#text, position, line.end);
      if (width === 0 || line.items.length === MAX_LIST_DEPTH) break;
      if (isThematicBreak(this.#text, position, line.end)) {
        line.isBreak = true;
        break;
      }
      position += width;
      column += width;
      let spaces = 0;
      while (spaces < 5 && text.charCodeAt(position + spaces) === 0x20) spaces++;
      line.items.push(column + (spaces === 0 || spaces === 5 ? 1 : spaces));
    }
    line.contentStart = position;
    line.contentColumn = column;
    if (text.charCodeAt(position) === 0x23) line.headingLevel = headingMarks(this.#text, position, line.end);
    else if (text.charCodeAt(position) === 0x5f) line.isBreak = isThematicBreak(this.#text, position, line.end);
  }

  /** The offset and column of the content after this many quote marks; -1 if the line has fewer. */
  #insideQuotes(start: number, end: number, depth: number): [position: number, column: number] {
    let position = start;
    let column = 0;
    let left = depth;
    for (; position < end; position++) {
      const unit = this.#text.charCodeAt(position);
      if (unit === 0x3e && left > 0) {
        left--;
        column = 0;
        if (this.#text.charCodeAt(position + 1) === 0x20) position++;
      } else if (unit === 0x20) column++;
      else if (unit === 0x09) column += 4 - (column % 4);
      else break;
    }
    return left > 0 ? [-1, 0] : [position, column];
  }
}

function emptyLine(): Line {
  return {
    start: 0,
    end: 0,
    next: 0,
    contentStart: 0,
    quoteDepth: 0,
    indent: 0,
    contentColumn: 0,
    items: [],
    headingLevel: 0,
    isBreak: false,
  };
}
