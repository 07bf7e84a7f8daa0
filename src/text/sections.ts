// The sections of a note, found by their headings. Used by the tools that read
// one section, and by the edits that go under a heading.
//
// A section reaches from its heading to the next one of the same or a higher
// level: the sections below it are part of it.
import { frontmatterRange } from "./frontmatter.ts";
import { Problem } from "./problem.ts";

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** The texts of the headings that it stands under, and its own. */
  readonly path: readonly string[];
  readonly line: number;
  readonly start: number;
  /** Behind the line break of its last line. */
  readonly end: number;
  readonly isUnderlined: boolean;
}

export interface Section {
  readonly heading: Heading;
  readonly start: number;
  readonly end: number;
  /** Right below the heading. */
  readonly contentStart: number;
  /** Behind the last line that is not blank: where an append goes. */
  readonly contentEnd: number;
}

export interface TextLine {
  readonly start: number;
  /** Without the line break. */
  readonly end: number;
  /** Where the next line starts. */
  readonly next: number;
  readonly text: string;
  /** Of a fenced code block (its fences included), or of the frontmatter. */
  readonly isCode: boolean;
}

interface Fence {
  readonly mark: string;
  readonly length: number;
  /** Where the content of the list item begins that the fence stands in. */
  readonly indent: number;
}

const MOST_LISTED = 8;
const LONGEST_LISTED = 80;

/** The lines of a note, with those marked that are no Markdown. */
export function linesOf(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  const bodyStart = frontmatterRange(text)?.end ?? 0;
  let fence: Fence | undefined;
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start);
    const next = lineBreak === -1 ? text.length : lineBreak + 1;
    const end = lineBreak === -1 ? next : text[lineBreak - 1] === "\r" && lineBreak > start ? lineBreak - 1 : lineBreak;
    const line = text.slice(start, end);
    if (fence !== undefined && leavesItem(line, fence)) fence = undefined;
    const opened = fence === undefined && start >= bodyStart ? openingFence(line) : undefined;
    lines.push({
      start,
      end,
      next,
      text: line,
      isCode: start < bodyStart || fence !== undefined || opened !== undefined,
    });
    if (fence !== undefined && closes(line, fence)) fence = undefined;
    else fence ??= opened;
    start = next;
  }
  return lines;
}

/** All headings in their order: `# x` of any level, and lines underlined with = or -. */
export function headingsOf(text: string): readonly Heading[] {
  const headings: Heading[] = [];
  const above: { level: number; text: string }[] = [];
  const add = (heading: Omit<Heading, "path">): void => {
    while (above.length > 0 && above.at(-1)!.level >= heading.level) above.pop();
    above.push(heading);
    headings.push({ ...heading, path: above.map(({ text }) => text) });
  };

  const lines = linesOf(text);
  // The first line of the paragraph that is open, if an underline can make it a heading.
  let paragraph: number | undefined;
  // Behind a list item or a quote, up to the next blank line, a line belongs to that.
  let isContinuation = false;
  for (const [i, line] of lines.entries()) {
    const hashes = line.isCode ? null : /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line.text);
    const underline = paragraph === undefined || line.isCode ? null : /^ {0,3}(=+|-+)[ \t]*$/.exec(line.text);
    if (hashes !== null) {
      const title = withoutClosingHashes(line.text.slice(hashes[0].length).trim());
      const { start, next: end } = line;
      add({ level: hashes[1]!.length, text: title, line: i + 1, start, end, isUnderlined: false });
      paragraph = undefined;
    } else if (underline !== null) {
      const titleLines = lines.slice(paragraph, i);
      const title = titleLines.map((titleLine) => titleLine.text.trim()).join(" ");
      const level = underline[1]!.startsWith("=") ? 1 : 2;
      const { start } = titleLines[0]!;
      add({ level, text: title, line: paragraph! + 1, start, end: line.next, isUnderlined: true });
      paragraph = undefined;
    } else if (opensContainer(line.text) && !line.isCode) {
      paragraph = undefined;
      isContinuation = true;
      continue;
    } else if (line.isCode || line.text.trim() === "" || isBreak(line.text)) {
      paragraph = undefined;
    } else {
      if (!isContinuation && !/^(?: {4}|\t)/.test(line.text)) paragraph ??= i;
      continue;
    }
    isContinuation = false;
  }
  return headings;
}

/**
 * The section under a heading, named by its text or by its path
 * ("Projects/Alpha"), in full or from any heading on. A leading slash means the
 * top of the note. A name that fits several headings is refused.
 */
export function findSection(text: string, name: string): Section {
  const headings = headingsOf(text);
  const [found, ...others] = headingsNamed(headings, name);
  if (found === undefined) throw notFound(headings, name);
  if (others.length > 0) throw ambiguous(headings, [found, ...others], name);
  return sectionOf(text, headings, found);
}

function sectionOf(text: string, headings: readonly Heading[], heading: Heading): Section {
  const next = headings.find(({ start, level }) => start > heading.start && level <= heading.level);
  const end = next?.start ?? text.length;
  const contentLength = text.slice(heading.end, end).trimEnd().length;
  const lastBreak = contentLength === 0 ? -1 : text.indexOf("\n", heading.end + contentLength);
  const contentEnd = contentLength === 0 ? heading.end : lastBreak === -1 ? end : lastBreak + 1;
  return { heading, start: heading.start, end, contentStart: heading.end, contentEnd };
}

/**
 * The headings that a name can mean. It is taken as it is first, since a
 * heading may itself begin with # or /, or have a slash in it; then with the
 * number signs as the level, then without them; and last without regard to
 * case.
 */
function headingsNamed(headings: readonly Heading[], name: string): readonly Heading[] {
  const wanted = name.trim();
  if (/^#*$/.test(wanted))
    throw new Problem("invalid", "A heading needs a name: its text, or its path like Projects/Alpha.");
  const [, hashes = "", space = "", title = wanted] = /^(#{1,6})([ \t]*)(.*)$/s.exec(wanted) ?? [];
  const levelled = hashes !== "" && space !== "" ? headings.filter(({ level }) => level === hashes.length) : headings;
  for (const fold of [same, folded]) {
    for (const [candidates, key] of [
      [headings, wanted],
      [levelled, title],
      [headings, title],
    ] as const) {
      const found = candidates.filter((heading) => suffixes(heading).some((path) => fold(path) === fold(key)));
      if (found.length > 0) return found;
      const top = candidates.filter(({ path }) => fold(`/${path.join("/")}`) === fold(key));
      if (top.length > 0) return top;
    }
  }
  return [];
}

/** Spelling that no reader can see: composed or not, one space or two. */
function same(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ");
}

function folded(text: string): string {
  return same(text).toLowerCase();
}

/** The ways to name a heading: its own text, then with more and more of those above it. */
function suffixes({ path }: Heading): readonly string[] {
  return path.map((_, i) => path.slice(i).join("/"));
}

function notFound(headings: readonly Heading[], name: string): Problem {
  if (headings.length === 0) {
    return new Problem("not_found", `The note has no heading "${name}": it has no headings at all.`);
  }
  const leaf = folded(
    name
      .replace(/^#+\s*/, "")
      .split("/")
      .at(-1)!,
  );
  const nearest = headings
    .map((heading) => ({ heading, likeness: likeness(leaf, folded(heading.text)) }))
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, MOST_LISTED)
    .map(({ heading }) => listed(headings, heading));
  return new Problem(
    "not_found",
    `The note has no heading "${name}". Name one that it has, nearest first: ${nearest.join("; ")}.`,
  );
}

function ambiguous(headings: readonly Heading[], found: readonly Heading[], name: string): Problem {
  const paths = found.slice(0, MOST_LISTED).map((heading) => listed(headings, heading));
  const more = found.length > MOST_LISTED ? `; and ${found.length - MOST_LISTED} more` : "";
  const isHopeless = new Set(paths.map((path) => path.replace(/ \(line \d+\)$/, ""))).size < paths.length;
  const remedy = isHopeless
    ? "Headings of the same path cannot be told apart by name: edit by line numbers, or rename one."
    : "Use the full path of one.";
  return new Problem("invalid", `"${name}" fits ${found.length} headings: ${paths.join("; ")}${more}. ${remedy}`);
}

/** A heading as an error names it: in a form that findSection takes, and the line. */
function listed(headings: readonly Heading[], heading: Heading): string {
  const path = heading.path.join("/");
  const isShared = headings.some((other) => other !== heading && suffixes(other).includes(path));
  const shown = path.length > LONGEST_LISTED ? `${path.slice(0, LONGEST_LISTED)}…` : path;
  return `${isShared ? "/" : ""}${shown} (line ${heading.line})`;
}

/** The share of letter pairs that two names have in common. */
function likeness(a: string, b: string): number {
  const left = letterPairs(a);
  const right = letterPairs(b);
  const common = [...left].filter((pair) => right.has(pair)).length;
  return (2 * common) / (left.size + right.size || 1);
}

function letterPairs(text: string): ReadonlySet<string> {
  return new Set(Array.from(text, (_, i) => text.slice(i, i + 2)));
}

function openingFence(line: string): Fence | undefined {
  const found = /^( {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})(.*)$/s.exec(line);
  if (found === null) return undefined;
  const [, prefix = "", marks = "", info = ""] = found;
  // Three backticks, text and more backticks are inline code.
  if (marks.startsWith("`") && info.includes("`")) return undefined;
  return { mark: marks[0]!, length: marks.length, indent: prefix.trim() === "" ? 0 : prefix.length };
}

function closes(line: string, fence: Fence): boolean {
  const marks = line.trim();
  return marks.length >= fence.length && marks === fence.mark.repeat(marks.length) && indentOf(line) < fence.indent + 4;
}

/** A fence inside of a list item ends with the item. */
function leavesItem(line: string, fence: Fence): boolean {
  return line.trim() !== "" && indentOf(line) < fence.indent;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function withoutClosingHashes(title: string): string {
  const stripped = title.replace(/#+$/, "");
  return stripped === "" || /[ \t]$/.test(stripped) ? stripped.trimEnd() : title;
}

/** A quote, a list item or HTML: no underline below makes it a heading. */
function opensContainer(line: string): boolean {
  return /^ {0,3}(?:>|<|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))/.test(line) && !isBreak(line);
}

/** A line across the page: `---`, `* * *`. */
function isBreak(line: string): boolean {
  return /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(line);
}
