// How a conversation is called that has no title, how it begins, and what its
// keywords are taken from: out of what was said, without secrets. Pure; used by
// taking-in.ts.
import { MARK, redact } from "../../redaction/redaction.ts";

const LONGEST_TITLE = 80;
const LONGEST_OPENING = 200;
/** So much of what was said is looked at for a title and for keywords. */
const LONGEST_TELLING = 2_000;

/**
 * The first line of a prompt that says something; one that only announces the next is none.
 * Without secrets: what tells them may be in another line.
 */
export function titleFrom(prompt: string): string {
  const plain = redact(beginningOf(prompt));
  const lines = plain.split("\n").filter((one) => /[\p{L}\p{N}]/u.test(one.replace(MARK, "")));
  const line = lines.find((one, i) => i === lines.length - 1 || !one.trimEnd().endsWith(":")) ?? plain;
  return shortened(line.replace(/^[#>*\s-]+/, ""), LONGEST_TITLE);
}

/**
 * How a conversation begins, as it is listed. It is redacted when it is shown;
 * where that would find less than in the prompt, because all is on one line,
 * what is kept has no secrets.
 */
export function openingFrom(prompt: string): string {
  const opening = shortened(prompt, LONGEST_OPENING);
  const redacted = shortened(redact(beginningOf(prompt)), LONGEST_OPENING);
  return redact(opening) === redacted ? opening : redacted;
}

/** For keywords: a single word does not tell any more that it was a secret. */
export function withoutSecrets(text: string): string {
  return redact(beginningOf(text)).replace(MARK, " ");
}

/** Without the word that the cut goes through, unless it is all there is: half of a secret is not known for one. */
function beginningOf(text: string): string {
  return text.length <= LONGEST_TELLING ? text : text.slice(0, LONGEST_TELLING).replace(/(?<=\s)\S+$/, "");
}

/** On one line, cut between words: half of a secret would not be known for one when it is shown. */
function shortened(text: string, length: number): string {
  const plain = text
    .slice(0, length * 4)
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= length) return plain;
  const words = cutAt(plain, length)
    .replace(/[\x21-\x7E]+$/, "")
    .trimEnd();
  // All of it is one word: an address, or a secret.
  return `${words || cutAt(redact(plain), length)}…`;
}

function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
