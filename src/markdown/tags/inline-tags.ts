// The tags in the text of a note: `#name` at the beginning of a line, after white
// space or directly after another tag; not in code, comments, maths, links or the
// attributes of HTML. Used for the facts of notes and to rename tags.
import { findLinks, type Link } from "../links/links.ts";
import { scanMarkdown, type Span } from "../scanner/scanner.ts";
import { SpanCursor } from "../scanner/span-cursor.ts";
import { TokenFinder } from "../scanner/token-finder.ts";
import { isNumber, TAG_NAME } from "./tag-name.ts";

/** The span is that of the name, without `#` and without slashes at its end. */
export interface InlineTag extends Span {
  readonly name: string;
}

interface Scanned {
  /** In order. */
  readonly notProse: readonly Span[];
  readonly links: readonly Link[];
}

/** In order. @param scanned what is known of the text already */
export function inlineTags(text: string, scanned?: Scanned): InlineTag[] {
  const candidates = [...tagsAnywhere(text)];
  if (candidates.length === 0) return [];
  const { notProse, links } = scanned ?? { notProse: scanMarkdown(text).notProse, links: findLinks(text, "markdown") };
  const excluded = [notProse, linkRests(text, links), htmlTags(text)].map((spans) => new SpanCursor(spans));
  return candidates.filter(({ start }) => !excluded.some((spans) => spans.contain(start - 1)));
}

function* tagsAnywhere(text: string): Generator<InlineTag> {
  let lastEnd = -1;
  for (let at = text.indexOf("#"); at !== -1; at = text.indexOf("#", at + 1)) {
    if (at > 0 && at !== lastEnd && !/[\s\uFEFF]/.test(text.charAt(at - 1))) continue;
    TAG_NAME.lastIndex = at + 1;
    const written = TAG_NAME.exec(text)?.[0];
    const name = written?.replace(TRAILING_SLASHES, "");
    if (written === undefined || name === undefined || isNumber(name)) continue;
    lastEnd = at + 1 + written.length;
    yield { name, start: at + 1, end: at + 1 + name.length };
  }
}

/** The look-behind keeps a long run of slashes linear. */
const TRAILING_SLASHES = /(?<!\/)\/+$/;

/** From the target to the end of each link: "[[Note #heading|see #this]]" contains no tag. */
function linkRests(text: string, links: readonly Link[]): Span[] {
  const lineBreaks = new TokenFinder(text, "\n");
  const brackets = new TokenFinder(text, "]]");
  const parentheses = new TokenFinder(text, ")");
  return links.map(({ form, start, end }) => {
    const close = (form === "wiki" ? brackets : parentheses).from(end);
    return { start, end: close < lineBreaks.from(end) ? close : end };
  });
}

/** An opening tag of HTML with attributes, as CommonMark defines it. */
const HTML_TAG = /<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^'\n]*'|"[^"\n]*"))?)+\s*\/?>/gi;

/** In `<b style="color: #fab">` there is a colour, not a tag. */
function htmlTags(text: string): Span[] {
  if (!text.includes("=")) return [];
  return Array.from(text.matchAll(HTML_TAG), ({ index, 0: tag }) => ({ start: index, end: index + tag.length }));
}
