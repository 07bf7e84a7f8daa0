// The links in Markdown text: wikilinks, Markdown links and images, and
// reference definitions, outside code, comments and maths; in the frontmatter, the
// wikilinks in its values. Used through links.ts.
import { SCHEME, type Link } from "./link.ts";
import { type Passage, type Span, scanMarkdown } from "../scanner/scanner.ts";
import { type Quoting, unquote } from "./quoted-text.ts";
import { isEscaped, TokenFinder } from "../scanner/token-finder.ts";
import { yamlScalars } from "../properties/yaml-scalars.ts";

export function markdownLinks(text: string): Link[] {
  if (!text.includes("[")) return [];
  const { frontmatter, notProse } = scanMarkdown(text);
  const links = frontmatter === undefined ? [] : yamlWikilinks(text, frontmatter.yaml);
  new ProseReader(text, notProse, links).read();
  return links;
}

/** The wikilinks in the values of YAML, quoted or not. */
function yamlWikilinks(text: string, yaml: Span): Link[] {
  if (!text.slice(yaml.start, yaml.end).includes("[[")) return [];
  return yamlScalars(text, yaml).flatMap(({ start, end, quoting }) => {
    const { text: value, sourceAt } = unquote(text, start, end, quoting);
    return wikilinks(value).map((link) => atSource(link, text, sourceAt, quoting));
  });
}

/** The wikilinks of a text that is not Markdown. */
export function wikilinks(text: string): Link[] {
  const links: Link[] = [];
  for (let position = text.indexOf("[["); position !== -1;) {
    const close = text.indexOf("]]", position);
    if (close === -1) break;
    const opening = text.lastIndexOf("[[", close);
    const link = readWikilink(text, opening, close);
    if (link !== undefined && !text.slice(opening, close).includes("\n")) links.push(link);
    position = text.indexOf("[[", close + 2);
  }
  return links;
}

/** A link found in unquoted text, with its offsets in the source of that text. */
export function atSource(link: Link, source: string, sourceAt: (position: number) => number, quoting: Quoting): Link {
  const start = sourceAt(link.start);
  const end = sourceAt(link.end);
  return { ...link, start, end, raw: source.slice(start, end), quoting: [quoting, ...link.quoting] };
}

function readWikilink(text: string, opening: number, close: number): Link | undefined {
  const content = text.slice(opening + 2, close);
  const bar = content.indexOf("|");
  // In a table the bar is escaped: the backslash is not part of the target.
  const targetEnd = bar === -1 ? content.length : content.charAt(bar - 1) === "\\" ? bar - 1 : bar;
  const whole = content.slice(0, targetEnd);
  const hash = whole.indexOf("#");
  const path = hash === -1 ? whole : whole.slice(0, hash);
  const target = path.trim();
  if (target === "") return undefined;
  const start = opening + 2 + path.indexOf(target);
  return {
    form: "wiki",
    isEmbed: text.charAt(opening - 1) === "!" && !isEscaped(text, opening - 1),
    start,
    end: start + target.length,
    raw: target,
    target,
    subpath: hash === -1 ? "" : whole.slice(hash).trim(),
    isAngled: false,
    quoting: [],
  };
}

/** The most open brackets in one paragraph; nobody writes more. */
const MAX_OPENINGS = 10_000;

class ProseReader {
  readonly #text: string;
  readonly #notProse: readonly Passage[];
  readonly #links: Link[];
  readonly #openings: number[] = [];
  #passage = 0;

  constructor(text: string, notProse: readonly Passage[], links: Link[]) {
    this.#text = text;
    this.#notProse = notProse;
    this.#links = links;
  }

  read(): void {
    const text = this.#text;
    const openings = new TokenFinder(text, "[");
    const closings = new TokenFinder(text, "]");
    const doubleOpenings = new TokenFinder(text, "[[");
    const doubleClosings = new TokenFinder(text, "]]");
    const lineBreaks = new TokenFinder(text, "\n");
    const blankLines = new TokenFinder(text, text.includes("\r\n") ? "\r\n\r\n" : "\n\n");
    let paragraphEnd = 0;

    for (let position = 0; ;) {
      const bracket = Math.min(openings.from(position), closings.from(position));
      if (bracket === Number.POSITIVE_INFINITY) return;
      const passageEnd = this.#endOfPassageAt(bracket);
      if (passageEnd !== undefined) {
        position = passageEnd;
        continue;
      }
      if (bracket >= paragraphEnd || this.#openings.length > MAX_OPENINGS) {
        this.#openings.length = 0;
        paragraphEnd = blankLines.from(bracket);
      }
      position = bracket + 1;
      if (isEscaped(text, bracket)) continue;
      if (text.charCodeAt(bracket) === 0x5d) {
        position = this.#readClosing(bracket);
        continue;
      }
      const close = text.charCodeAt(position) === 0x5b ? doubleClosings.from(bracket + 2) : Number.POSITIVE_INFINITY;
      const isWikilink =
        close < lineBreaks.from(bracket) && doubleOpenings.from(bracket + 1) > close && !this.#isInPassage(close);
      if (isWikilink) {
        const link = readWikilink(text, bracket, close);
        if (link !== undefined) this.#links.push(link);
        position = close + 2;
      } else this.#openings.push(bracket);
    }
  }

  /** Reads a `]`: the end of a link's text, or of a definition's label, if a destination follows. */
  #readClosing(bracket: number): number {
    const opening = this.#openings.pop();
    const after = this.#text.charCodeAt(bracket + 1);
    if (opening === undefined || (after !== 0x28 && after !== 0x3a)) return bracket + 1;
    const isDefinition = after === 0x3a;
    if (isDefinition && !this.#isLabel(opening, bracket)) return bracket + 1;
    const destination = readDestination(this.#text, bracket + 2, isDefinition);
    if (destination === undefined || this.#isInPassage(destination.start)) return bracket + 1;
    const isEmbed = !isDefinition && this.#text.charAt(opening - 1) === "!" && !isEscaped(this.#text, opening - 1);
    const link = linkOfDestination(this.#text, destination, isDefinition ? "definition" : "markdown", isEmbed);
    if (link !== undefined) this.#links.push(link);
    return destination.after;
  }

  /** Returns whether `[…]` can be the label of a definition: first on its line, except for quote marks, and not a footnote. */
  #isLabel(opening: number, closing: number): boolean {
    let before = opening - 1;
    while (" \t>".includes(this.#text.charAt(before)) && before >= 0) before--;
    const isFirst = before < 0 || this.#text.charAt(before) === "\n" || this.#text.charCodeAt(before) === 0xfeff;
    return isFirst && closing > opening + 1 && this.#text.charAt(opening + 1) !== "^";
  }

  /** The end of the passage around a position that is not prose. Must be called with increasing positions. */
  #endOfPassageAt(position: number): number | undefined {
    while (this.#passage < this.#notProse.length && this.#notProse[this.#passage]!.end <= position) this.#passage++;
    const passage = this.#notProse[this.#passage];
    return passage !== undefined && passage.start <= position ? passage.end : undefined;
  }

  #isInPassage(position: number): boolean {
    for (let i = this.#passage; i < this.#notProse.length; i++) {
      const { start, end } = this.#notProse[i]!;
      if (start > position) return false;
      if (end > position) return true;
    }
    return false;
  }
}

interface Destination extends Span {
  readonly isAngled: boolean;
  /** The offset after the link. */
  readonly after: number;
}

/** The destination that begins here, if a title or nothing, and then `)` or the end of the line, follows. */
function readDestination(text: string, from: number, isDefinition: boolean): Destination | undefined {
  let start = skipSpace(text, from);
  const isAngled = text.charCodeAt(start) === 0x3c;
  if (isAngled) start++;
  const end = isAngled ? angledEnd(text, start) : plainEnd(text, start, isDefinition);
  if (end === -1 || end === start) return undefined;
  const destinationEnd = isAngled ? end + 1 : end;
  if (isDefinition && isLineEnd(text, destinationEnd)) return { start, end, isAngled, after: destinationEnd };
  let after = skipSpace(text, destinationEnd);
  if (after > destinationEnd && /["'(]/.test(text.charAt(after))) {
    const titleEnd = endOfTitle(text, after);
    if (titleEnd === -1) return undefined;
    if (isDefinition) return isLineEnd(text, titleEnd) ? { start, end, isAngled, after: titleEnd } : undefined;
    after = skipSpace(text, titleEnd);
  }
  return !isDefinition && text.charCodeAt(after) === 0x29 ? { start, end, isAngled, after: after + 1 } : undefined;
}

function isLineEnd(text: string, from: number): boolean {
  let position = from;
  while (/[ \t\r]/.test(text.charAt(position))) position++;
  return position >= text.length || text.charCodeAt(position) === 0x0a;
}

function linkOfDestination(
  text: string,
  { start, end, isAngled }: Destination,
  form: "markdown" | "definition",
  isEmbed: boolean,
): Link | undefined {
  const whole = text.slice(start, end);
  if (SCHEME.test(whole)) return undefined;
  const hash = whole.indexOf("#");
  const raw = hash === -1 ? whole : whole.slice(0, hash);
  const target = decodeDestination(raw);
  if (target === "") return undefined;
  const subpath = hash === -1 ? "" : decodeDestination(whole.slice(hash));
  return { form, isEmbed, start, end: start + raw.length, raw, target, subpath, isAngled, quoting: [] };
}

function decodeDestination(raw: string): string {
  const unescaped = raw.includes("\\") ? raw.replace(/\\([!-/:-@[-`{-~])/g, "$1") : raw;
  if (!unescaped.includes("%")) return unescaped;
  try {
    return decodeURIComponent(unescaped);
  } catch {
    // Not encoded, as in "100% done.md".
    return unescaped;
  }
}

function angledEnd(text: string, start: number): number {
  for (let position = start; position < text.length; position++) {
    const unit = text.charCodeAt(position);
    if (unit === 0x3e) return position;
    if (unit === 0x0a || unit === 0x0d || unit === 0x3c) return -1;
    if (unit === 0x5c) position++;
  }
  return -1;
}

/** CommonMark's limit for nested parentheses. It also limits the cost of a line of many `[a](`. */
const MAX_PARENTHESES_DEPTH = 32;

function plainEnd(text: string, start: number, isDefinition: boolean): number {
  let depth = 0;
  let position = start;
  for (; position < text.length; position++) {
    const unit = text.charCodeAt(position);
    if (unit <= 0x20) break;
    if (unit === 0x5c) {
      if (text.charCodeAt(position + 1) > 0x20) position++;
    } else if (unit === 0x28 && !isDefinition) {
      if (++depth > MAX_PARENTHESES_DEPTH) return -1;
    } else if (unit === 0x29 && !isDefinition) {
      if (depth-- === 0) return position;
    }
  }
  return depth > 0 ? -1 : position;
}

/** The offset after the title that opens here; -1 if it does not end in this paragraph. */
function endOfTitle(text: string, opening: number): number {
  const mark = text.charAt(opening) === "(" ? ")" : text.charAt(opening);
  let close = text.indexOf(mark, opening + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf(mark, close + 1);
  return close === -1 || /\n[ \t\r]*\n/.test(text.slice(opening, close)) ? -1 : close + 1;
}

/** Skips spaces, tabs and at most one line break. */
function skipSpace(text: string, from: number): number {
  let position = from;
  let lineBreaks = 0;
  for (; position < text.length; position++) {
    const unit = text.charCodeAt(position);
    if (unit === 0x0a && ++lineBreaks > 1) break;
    if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d) break;
  }
  return position;
}
