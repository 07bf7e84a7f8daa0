// The snippet of a page that shows why a conversation matches, without secrets,
// the message that it is from, and whether somebody said it. Pure; used by recall.ts.
import { foldForSearch, matchesIn, snippetOf } from "../../search/search.ts";
import type { PagePart, PageText } from "../store/page-texts.ts";
import type { Redaction } from "./summaries.ts";

const SNIPPET_LENGTH = 200;

type Wanted = Parameters<typeof snippetOf>[1];

/** The snippet that matches, or undefined: then the opening of the conversation is shown. */
export function snippetIn({ text, folded, messages }: PageText, wanted: Wanted, redact: Redaction) {
  const { text: snippet, start, end, highlights } = snippetOf(text, wanted, SNIPPET_LENGTH, folded);
  if (highlights.length === 0) return undefined;
  const message = bestMessage(text, messages, { start, end }, wanted);
  const surroundings = around(text, start, end);
  const shown = redact(surroundings);
  const safe = shown === surroundings ? snippet : snippetOf(shown, wanted, SNIPPET_LENGTH).text;
  return { snippet: safe, message: message?.id || undefined, kind: message?.kind };
}

/** Of the messages that a snippet covers, the first one with the most of the words. */
function bestMessage(
  text: string,
  messages: PageText["messages"],
  { start, end }: { readonly start: number; readonly end: number },
  wanted: Wanted,
): PagePart | undefined {
  let best: { readonly part: PagePart; readonly words: number } | undefined;
  for (const [i, part] of messages.entries()) {
    const begin = messages[i - 1]?.end ?? 0;
    const next = part.end;
    if (next <= start || begin >= end) continue;
    const said = text.slice(begin, next);
    const words = new Set(matchesIn(said, wanted).map((span) => foldForSearch(said.slice(...span)))).size;
    if (words > (best?.words ?? 0)) best = { part, words };
  }
  return best?.part;
}

/** What shows that something is a secret may be a heading some lines above it. */
const BEFORE = 2_000;
const AFTER = 500;

/**
 * A secret that the snippet would cut in two is recognised only as a whole: few
 * contain a space, but private keys have many lines, and the values of a
 * Kubernetes secret are not recognisable by themselves.
 */
function around(text: string, start: number, end: number): string {
  if (/PRIVATE KEY|\bSecret\b/.test(text)) return text;
  let word = Math.max(0, start - BEFORE);
  while (word > 0 && !" \n\t".includes(text.charAt(word - 1))) word--;
  const after = /\s|$/.exec(text.slice(end + AFTER))!.index;
  return text.slice(word, end + AFTER + after);
}
