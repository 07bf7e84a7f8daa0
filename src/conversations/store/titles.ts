// The title of a conversation that has none, its opening, and the text that
// keywords are taken from: derived from messages, without secrets. Pure; used by
// part-preparation.ts and buffer-flush.ts.
import { proseOf } from "../../markdown/markdown.ts";
import { MARK, redact } from "../../redaction/redaction.ts";
import { titleLine, typedText, withoutTags } from "./title-lines.ts";

const MAX_TITLE_LENGTH = 80;
const MAX_OPENING_LENGTH = 200;
/** How much of a text is used for a title and for keywords. */
const MAX_BEGINNING_LENGTH = 2_000;

export interface DerivedTitle {
  readonly title: string;
  /** Made of what a host has put there or a person has pasted: any later prompt has a better one. */
  readonly isPoor: boolean;
}

/**
 * The line of a prompt that says what was asked. Redacted as part of the prompt: what shows that something is a secret
 * may be in another line.
 */
export function titleFrom(prompt: string): DerivedTitle {
  const plain = redactedBeginningOf(prompt);
  const typed = typedText(plain);
  const line = titleLine(typed.replace(MARK, " ")) === undefined ? undefined : titleLine(typed);
  const title = line ?? plain.split("\n").find((one) => /[\p{L}\p{N}]/u.test(one.replace(MARK, ""))) ?? plain;
  return { title: shortened(title.replace(/^[#>*\s-]+/, ""), MAX_TITLE_LENGTH), isPoor: line === undefined };
}

/**
 * How a conversation begins, for lists. It is redacted when it is shown. If that
 * would find fewer secrets than in the whole prompt, because line breaks are
 * gone, it is stored redacted.
 */
export function openingFrom(prompt: string): string {
  const beginning = beginningOf(prompt);
  const opening = shortened(readable(beginning), MAX_OPENING_LENGTH);
  const plain = redactedBeginningOf(prompt);
  if (plain === beginning) return opening;
  const redacted = shortened(readable(plain), MAX_OPENING_LENGTH);
  return redact(opening) === redacted ? opening : redacted;
}

/** Returns the typed text without the signs of Markdown. If a host wrote all of it, its tags are left out at least. */
function readable(prompt: string): string {
  const typed = typedText(prompt) || withoutTags(prompt);
  return proseOf(typed).trim() || typed;
}

/** For keywords: a single word no longer shows that it was a secret. */
export function withoutSecrets(text: string): string {
  return withoutMarks(redactedBeginningOf(text));
}

/** Of a text that is redacted already, as titles are. */
export function withoutMarks(redacted: string): string {
  return redacted.replace(MARK, " ");
}

/** The last one is kept: a title, an opening and keywords are made from the same prompt, one after the other. */
let last = { text: "", redacted: "" };

function redactedBeginningOf(text: string): string {
  if (last.text !== text) last = { text, redacted: redact(beginningOf(text)) };
  return last.redacted;
}

/** Without a word that would be cut, unless it is the only one: half of a secret is not recognised as one. */
function beginningOf(text: string): string {
  return text.length <= MAX_BEGINNING_LENGTH ? text : text.slice(0, MAX_BEGINNING_LENGTH).replace(/(?<=\s)\S+$/, "");
}

/** On one line, cut between words: half of a secret would not be recognised when it is shown. */
function shortened(text: string, length: number): string {
  const plain = text
    .slice(0, length * 4)
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= length) return plain;
  const words = cutAt(plain, length)
    .replace(/[\x21-\x7E]+$/, "")
    .trimEnd();
  // A single word: a URL, or a secret.
  return `${words || cutAt(redact(plain), length)}…`;
}

function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
