// Cuts the snippet of a conversation that was found: the passage that matches, and
// whether somebody said it, or how the conversation begins; without secrets, tags
// of hosts and marks of Markdown. Pure; used by both stores of recall.
import { proseOf } from "../../markdown/markdown.ts";
import { foldForSearch, matchesIn, snippetOf } from "../../search/search.ts";
import type { PagePart, PageText } from "../store/page-texts.ts";
import { typedText, withoutTags } from "../store/title-lines.ts";
import type { Redaction } from "./summaries.ts";

/** With an ellipsis at either end, 160 characters. */
const SNIPPET_LENGTH = 158;

type Wanted = Parameters<typeof snippetOf>[1];

const NOTHING: Wanted = { words: [], phrases: [] };

/** The snippet that matches and its message, or undefined: then the opening of the conversation is shown. */
export function snippetIn({ text, folded, isClean, messages }: PageText, wanted: Wanted, redact: Redaction) {
  const passage = snippetOf(text, wanted, SNIPPET_LENGTH, folded);
  if (passage.highlights.length === 0) return undefined;
  const message = bestMessage(text, messages, passage, wanted);
  const surroundings = isClean ? "" : around(text, passage.start, passage.end);
  const shown = redact(surroundings);
  const lines = shown === surroundings ? linesAround(text, passage, message) : shown;
  return {
    snippet: readableSnippet(lines, wanted),
    message: message?.part.id || undefined,
    kind: message?.part.kind,
  };
}

/** How a conversation begins, as far as its title does not say it. */
export function openingSnippet({ title, opening }: { readonly title: string; readonly opening: string }): string {
  // Stores of earlier versions have openings as they were sent, on one line.
  const plain = proseOf(typedText(opening) || withoutTags(opening)).replaceAll(/(?<=^|\s)#{1,6}\s/g, "");
  const { text } = snippetOf(plain.trim(), NOTHING, SNIPPET_LENGTH + 80);
  const known = proseOf(title).replace(/…$/, "");
  const rest = text.startsWith(known) ? text.slice(known.length).replace(/^[\s.…]+/, "") : text;
  const { text: snippet } = snippetOf(rest, NOTHING, SNIPPET_LENGTH);
  return snippet !== "" && rest !== text && title.endsWith("…") ? `…${snippet}` : snippet;
}

/** If the lines begin within a block of code, its end is taken for a beginning, and the next one stays. */
const FENCE = /^[ \t]{0,20}(?:`{3,}|~{3,})\w{0,20}[ \t]{0,20}$/gm;

/** Frontmatter and marks are left out, unless only they match. */
function readableSnippet(lines: string, wanted: Wanted): string {
  const snippet = snippetOf(proseOf(withoutTags(lines)).replaceAll(FENCE, ""), wanted, SNIPPET_LENGTH);
  return snippet.highlights.length > 0 ? snippet.text : snippetOf(lines, wanted, SNIPPET_LENGTH).text;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A message, and where it is in the text of its page. */
interface Said extends Span {
  readonly part: PagePart;
}

/** Of the messages that a passage covers, the first one with the most of the words. */
function bestMessage(
  text: string,
  messages: PageText["messages"],
  { start, end }: Span,
  wanted: Wanted,
): Said | undefined {
  let best: (Said & { readonly words: number }) | undefined;
  for (const [i, part] of messages.entries()) {
    const begin = messages[i - 1]?.end ?? 0;
    const next = part.end;
    if (next <= start || begin >= end) continue;
    const said = text.slice(begin, next);
    const words = new Set(matchesIn(said, wanted).map((span) => foldForSearch(said.slice(...span)))).size;
    if (words > (best?.words ?? 0)) best = { part, start: begin, end: next, words };
  }
  return best;
}

/** More than is shown: marks and tags are left out of it. */
const REACH = 300;
const MAX_LINE_LENGTH = 600;

/** A passage with what is before and after it in its message, from the beginning of a line if one is near. */
function linesAround(text: string, { start, end }: Span, message: Span | undefined): string {
  const within = message ?? { start: 0, end: text.length };
  const line = text.lastIndexOf("\n", Math.max(0, start - REACH)) + 1;
  const from = start - line > MAX_LINE_LENGTH ? start - REACH : line;
  return text.slice(Math.max(within.start, from), Math.min(within.end, end + REACH)).toWellFormed();
}

/** A heading some lines above may be the only sign that something is a secret. */
const BEFORE = 2_000;
const AFTER = 500;

/**
 * A secret that the snippet would cut in two is recognised only as a whole: few
 * contain a space, but private keys have many lines, and the values of a
 * Kubernetes secret are not recognisable by themselves.
 */
function around(text: string, start: number, end: number): string {
  // Most pages have neither, which is seen faster without the expression.
  if ((text.includes("PRIVATE KEY") || text.includes("Secret")) && /PRIVATE KEY|\bSecret\b/.test(text)) return text;
  let word = Math.max(0, start - BEFORE);
  while (word > 0 && !" \n\t".includes(text.charAt(word - 1))) word--;
  const after = /\s|$/.exec(text.slice(end + AFTER))!.index;
  return text.slice(word, end + AFTER + after);
}
