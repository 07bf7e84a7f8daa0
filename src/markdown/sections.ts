// Finds the sections of a note by their headings. Used by the tools that read one
// section, and by edits below a heading.
//
// A section extends from its heading to the next heading of the same or a higher
// level, so it includes the sections below it.
import { scanMarkdown } from "./scanner/scanner.ts";
import { lineNumberAt } from "./note-text.ts";
import { Problem } from "../kernel/kernel.ts";

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** The texts of the headings above it in the hierarchy, and its own. */
  readonly path: readonly string[];
  readonly line: number;
  readonly start: number;
  /** After the line break of its last line. */
  readonly end: number;
  readonly isUnderlined: boolean;
}

export interface Section {
  readonly heading: Heading;
  readonly start: number;
  readonly end: number;
  /** Directly below the heading. */
  readonly contentStart: number;
  /** After the last line that is not blank: where text is appended. */
  readonly contentEnd: number;
}

const MAX_LISTED = 8;
const MAX_LISTED_LENGTH = 80;
/** Headings of which the nearest to an unknown one are found: that takes about 2 µs each. */
const MAX_COMPARED = 20_000;
/** Characters of a name that are compared. */
const MAX_NAME = 200;

/** All headings in order: `# x` of any level, and lines underlined with = or -. */
export function headingsOf(text: string): readonly Heading[] {
  const above: { level: number; text: string }[] = [];
  let line = 1;
  let counted = 0;
  return scanMarkdown(text).headings.map((scanned) => {
    // White space of Unicode at the ends is text, but not part of the name.
    const heading = { ...scanned, text: scanned.text.trim() };
    while (above.length > 0 && above.at(-1)!.level >= heading.level) above.pop();
    above.push(heading);
    line += lineNumberAt(text.slice(counted, heading.start), heading.start - counted) - 1;
    counted = heading.start;
    const lineBreak = text.indexOf("\n", heading.end);
    const isUnderlined = !/^ {0,3}#/.test(text.slice(heading.start, heading.end));
    const path = above.map((one) => one.text);
    return { ...heading, end: lineBreak === -1 ? text.length : lineBreak + 1, path, line, isUnderlined };
  });
}

/**
 * The section with this heading. The name is the heading's text or its path
 * ("Projects/Alpha"), complete or from any heading on; a leading slash means the top
 * level. Throws if the name fits several headings.
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
 * The headings that a name may refer to. First the name is taken literally, since a
 * heading may begin with # or / or contain a slash; then with the number signs as
 * the level, then without them; and last ignoring case.
 */
function headingsNamed(headings: readonly Heading[], name: string): readonly Heading[] {
  const wanted = name.trim();
  if (/^#*$/.test(wanted))
    throw new Problem("invalid", "A heading needs a name: its text, or its path like Projects/Alpha.");
  const [, hashes = "", space = "", title = wanted] = /^(#{1,6})([ \t]*)(.*)$/s.exec(wanted) ?? [];
  const levelled = hashes !== "" && space !== "" ? headings.filter(({ level }) => level === hashes.length) : headings;
  for (const fold of [normalised, folded]) {
    // The name ends with the text of the heading: paths are made of few.
    const leaves = new Map(headings.map((heading) => [heading, fold(heading.text)]));
    for (const [all, name] of [
      [headings, wanted],
      [levelled, title],
      [headings, title],
    ] as const) {
      const key = fold(name);
      const candidates = all.filter((heading) => key.endsWith(leaves.get(heading)!));
      const found = candidates.filter((heading) => suffixes(heading).some((path) => fold(path) === key));
      if (found.length > 0) return found;
      const top = candidates.filter(({ path }) => fold(`/${path.join("/")}`) === key);
      if (top.length > 0) return top;
    }
  }
  return [];
}

/** Removes differences that a reader cannot see: Unicode composition, the kind and number of spaces. */
function normalised(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ");
}

function folded(text: string): string {
  return normalised(text).toLowerCase();
}

/** All paths of a heading: its own text, then with more and more of the headings above it. */
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
  const pairs = letterPairs(leaf);
  const nearest = headings
    .slice(0, MAX_COMPARED)
    .map((heading) => ({ heading, likeness: likeness(pairs, letterPairs(folded(heading.text))) }))
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_LISTED)
    .map(({ heading }) => listed(headings, heading));
  return new Problem(
    "not_found",
    `The note has no heading "${name}". Name one that it has, nearest first: ${nearest.join("; ")}.`,
  );
}

function ambiguous(headings: readonly Heading[], found: readonly Heading[], name: string): Problem {
  const paths = found.slice(0, MAX_LISTED).map((heading) => listed(headings, heading));
  const more = found.length > MAX_LISTED ? `; and ${found.length - MAX_LISTED} more` : "";
  const isIndistinguishable = new Set(paths.map((path) => path.replace(/ \(line \d+\)$/, ""))).size < paths.length;
  const remedy = isIndistinguishable
    ? "Headings of the same path cannot be told apart by name: edit by line numbers, or rename one."
    : "Use the full path of one.";
  return new Problem("invalid", `"${name}" fits ${found.length} headings: ${paths.join("; ")}${more}. ${remedy}`);
}

/** A heading in an error message: in a form that findSection accepts, with its line. */
function listed(headings: readonly Heading[], heading: Heading): string {
  const path = heading.path.join("/");
  const isShared = headings.some((other) => other !== heading && endsWithPath(other, path));
  const shown = path.length > MAX_LISTED_LENGTH ? `${path.slice(0, MAX_LISTED_LENGTH)}…` : path;
  return `${isShared ? "/" : ""}${shown} (line ${heading.line})`;
}

/** Returns whether a heading, with some of those above it, has this path. */
function endsWithPath({ path }: Heading, wanted: string): boolean {
  let length = -1;
  for (let i = path.length - 1; i >= 0 && length < wanted.length; i--) {
    length += path[i]!.length + 1;
    if (length === wanted.length && path.slice(i).join("/") === wanted) return true;
  }
  return false;
}

/** The share of letter pairs that two names have in common. */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of left) if (right.has(pair)) common++;
  return (2 * common) / (left.size + right.size || 1);
}

function letterPairs(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.slice(0, MAX_NAME), (_, i) => text.slice(i, i + 2)));
}
