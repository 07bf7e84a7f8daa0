// Scans Markdown for what links and sections need: the passages that are not prose
// (frontmatter, code, comments, maths), the headings and the block ids. Used to find
// links, to read and edit sections, and for Markdown outlines.
//
// One pass over the lines, in linear time for any text. If in doubt, a passage is
// prose: a link that is missed breaks at the next move, while a wrong one does no
// harm. So indented code and HTML blocks are prose, and an opening mark without its
// end opens nothing, except for a fence.
import { isBlankUnit } from "./line-marks.ts";
import { LineReader } from "./lines.ts";
import { isSpace, PassageFinder, type Passage, type Span } from "./passages.ts";
import { trimWhite } from "./white-space.ts";

export type { Passage, Span } from "./passages.ts";

export interface Frontmatter extends Span {
  /** The YAML between the two rules. */
  readonly yaml: Span;
}

/** A heading outside lists and quotes. The span is its line or lines, without the line break. */
export interface Heading extends Span {
  readonly level: number;
  readonly text: string;
}

/** `^id` at the end of a paragraph, list item, table row or heading, or on a line below the block that it names. */
export interface BlockId extends Span {
  readonly id: string;
  /** The offset of the block that the id names. */
  readonly blockStart: number;
}

/** A list item with a check box, in the text or in quotes and callouts. The span is its first line, without the line break. */
export interface CheckBox extends Span {
  /** The offset of the character in the box. */
  readonly status: number;
  /** The offsets of what follows the box, without the spaces around it. */
  readonly text: number;
  readonly textEnd: number;
  /** The number of headings before it. */
  readonly headings: number;
}

export interface MarkdownScan {
  readonly frontmatter: Frontmatter | undefined;
  /** In order, never nested. */
  readonly notProse: readonly Passage[];
  readonly headings: readonly Heading[];
  readonly blockIds: readonly BlockId[];
  readonly checkBoxes: readonly CheckBox[];
}

export function scanMarkdown(text: string): MarkdownScan {
  return new Scanner(text).scan();
}

const BYTE_ORDER_MARK = 0xfeff;

/** The YAML block at the very start; not frontmatter if it is never closed. */
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

/** Indented code, or the continuation of a block above. */
const INDENTED = /^(?: {4}| {0,3}\t)/;
const HTML = /^ {0,3}</;
/** A thematic break: `---`, `* * *`. */
const BREAK = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})\r?$/;

/** The names of elements that begin a block of HTML, as CommonMark lists them. */
const HTML_BLOCK =
  /^ {0,3}<\/?(address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|search|section|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul)(?=[\s>]|\/>|$)/i;
/** The ends of those that may contain blank lines. */
const RAW_HTML: Readonly<Record<string, RegExp>> = {
  pre: /<\/pre>/gi,
  script: /<\/script>/gi,
  style: /<\/style>/gi,
  textarea: /<\/textarea>/gi,
};

class Scanner {
  readonly #text: string;
  readonly #lines: LineReader;
  readonly #headings: Heading[] = [];
  readonly #blockIds: BlockId[] = [];
  readonly #checkBoxes: CheckBox[] = [];

  readonly #passages: PassageFinder;

  /** The start of the paragraph, list item or table row that the current line belongs to. */
  #blockStart = 0;
  /** The start of a paragraph that an underline would make a heading; -1 if the last line was not part of one. */
  #plainParagraph = -1;
  /** True if the line continues a list item, a quote or HTML, since there was no blank line in between. */
  #isContinuation = false;
  /** The start of the current run of lines that are not blank, and of the run before it. */
  #groupStart = -1;
  #groupBefore = 0;
  /** True if the line is in a block of HTML, where a list item is plain text: until a blank line, or an offset. */
  #isInHtml = false;
  #htmlEnd = -1;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineReader(text);
    this.#passages = new PassageFinder(text, this.#lines);
  }

  scan(): MarkdownScan {
    const frontmatter = findFrontmatter(this.#text);
    if (frontmatter !== undefined) {
      this.#passages.found.push({ kind: "frontmatter", start: frontmatter.start, end: frontmatter.end });
    }
    let position = frontmatter?.end ?? (this.#text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);
    while (position < this.#text.length) position = this.#scanLine(position);
    return {
      frontmatter,
      notProse: this.#passages.found,
      headings: this.#headings,
      blockIds: this.#blockIds,
      checkBoxes: this.#checkBoxes,
    };
  }

  /** Scans the line at a position. @returns the start of the next line to scan */
  #scanLine(start: number): number {
    const lines = this.#lines;
    lines.read(start);
    if (lines.isBlank) {
      this.#plainParagraph = -1;
      this.#isContinuation = false;
      this.#isInHtml = false;
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
      this.#passages.startBlock();
    }
    lines.enterContainers();

    const fence = lines.fenceEnd();
    if (fence !== undefined) {
      this.#passages.found.push({ kind: "code", start: lines.contentStart, end: fence });
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
    this.#scanHtml(line);
    this.#scanCheckBox();
    if (isHeading || BREAK.test(line)) this.#isContinuation = false;
    else if (!isTopLevel || HTML.test(line)) this.#isContinuation = true;
    const startsParagraph = startsBlock || this.#plainParagraph === -1;
    if (this.#isContinuation || isHeading || lines.isRow || BREAK.test(line)) this.#plainParagraph = -1;
    else if (startsParagraph) this.#plainParagraph = INDENTED.test(line) ? -1 : start;
    const passages = this.#passages;
    passages.scanLine(lines.contentStart, lines.end, lines.next);
    // A passage that ends on a later line includes the lines between.
    if (passages.lineEnd !== lines.end) this.#plainParagraph = -1;
    this.#scanBlockId(passages.position, passages.lineEnd, passages.nextLine);
    return passages.nextLine;
  }

  #scanHtml(line: string): void {
    const { start } = this.#lines;
    const name = HTML.test(line) && start >= this.#htmlEnd ? HTML_BLOCK.exec(line)?.[1] : undefined;
    if (name === undefined) return;
    this.#isInHtml = true;
    const close = RAW_HTML[name.toLowerCase()];
    if (close === undefined) return;
    close.lastIndex = start;
    this.#htmlEnd = close.exec(this.#text)?.index ?? this.#text.length;
  }

  #scanCheckBox(): void {
    const { start, end } = this.#lines;
    const status = this.#lines.checkBox(this.#groupStart === start);
    if (status === -1 || this.#isInHtml || start < this.#htmlEnd) return;
    let text = this.#text.indexOf("]", status) + 1;
    while (text < end && isBlankUnit(this.#text.charCodeAt(text))) text++;
    let textEnd = end;
    while (textEnd > text && isBlankUnit(this.#text.charCodeAt(textEnd - 1))) textEnd--;
    this.#checkBoxes.push({ start, end, status, text, textEnd, headings: this.#headings.length });
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

function isIdCharacter(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit === 0x2d
  );
}
