// Links to headings whose text changes with a tag: `[[Note#About a]]` leads to the
// heading "About #a". Finds them in notes and canvases, and writes the new heading
// into them. Pure; used to rename tags.
import { findLinks, type Link, type LinkedText } from "../links/links.ts";
import { scanMarkdown, type Span } from "../scanner/scanner.ts";
import { SpanCursor } from "../scanner/span-cursor.ts";
import type { TextEdit } from "./text-edit.ts";

/** The text of a heading before and after. */
export interface HeadingRename {
  readonly from: string;
  readonly to: string;
}

/**
 * @param renamesFor the headings that change in the note to which a link leads
 * @param own those that change in this text itself
 */
export function renameHeadingsInLinks(
  text: string,
  kind: LinkedText,
  renamesFor: (link: Link) => readonly HeadingRename[],
  own: readonly HeadingRename[],
): TextEdit[] {
  const others = findLinks(text, kind).flatMap((link) => {
    if (link.subpath === "") return [];
    const renames = renamesFor(link);
    return renames.length === 0 ? [] : editsOf(text, subpathOf(text, link), renames);
  });
  const within = own.length === 0 || kind !== "markdown" ? [] : ownSubpaths(text);
  return [...others, ...within.flatMap((subpath) => editsOf(text, subpath, own))].toSorted((a, b) => a.start - b.start);
}

interface Subpath extends Span {
  readonly isEncoded: boolean;
}

const WIKI_END = /\\?\||\]\]|\n/g;
const DESTINATION_END = /[)\s]/g;
const ANGLED_END = /[>\n]/g;

/** Returns the part after the target of a link, from its `#` on. */
function subpathOf(text: string, { form, isAngled, end }: Link): Subpath {
  const start = text.indexOf("#", end);
  const isEncoded = form !== "wiki";
  const ending = isAngled ? ANGLED_END : isEncoded ? DESTINATION_END : WIKI_END;
  return { start, end: endFrom(text, start, ending), isEncoded };
}

function endFrom(text: string, start: number, pattern: RegExp): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}

/** `[[#heading]]` and `[text](#heading)` in the note itself. */
function ownSubpaths(text: string): Subpath[] {
  const passages = new SpanCursor(scanMarkdown(text).notProse);
  return Array.from(text.matchAll(/\[\[(?=#)|\]\((?=#)/g)).flatMap(({ index, 0: opening }) => {
    if (passages.contain(index)) return [];
    const start = index + opening.length;
    const isEncoded = opening === "](";
    return [{ start, end: endFrom(text, start, isEncoded ? DESTINATION_END : WIKI_END), isEncoded }];
  });
}

/** `#One#Two` names a heading below another. */
function editsOf(text: string, { start, end, isEncoded }: Subpath, renames: readonly HeadingRename[]): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let position = start + 1; position <= end;) {
    const next = text.indexOf("#", position);
    const segmentEnd = next === -1 || next > end ? end : next;
    const written = text.slice(position, segmentEnd);
    const heading = isEncoded ? decoded(written) : written;
    const rename = renames.find(({ from }) => comparable(from) === comparable(heading));
    if (rename !== undefined && !written.includes("\\")) {
      const to = inLink(rename.to);
      const replacement = isEncoded && !/[ ]/.test(written) ? encodeURIComponent(to) : to;
      edits.push({ start: position, end: position + written.trimEnd().length, replacement });
    }
    position = segmentEnd + 1;
  }
  return edits;
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** As Obsidian compares them: punctuation and case do not count. */
function comparable(heading: string): string {
  return heading
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\\s]+/g, " ")
    .trim()
    .toLowerCase();
}

/** Without what a link cannot contain, as Obsidian writes it. */
function inLink(heading: string): string {
  return heading.replace(/[#|^:%[\]\\\s]+/g, " ").trim();
}
