// How a conversation is called that has no title, and how it begins: out of its
// first prompt. Pure; used by taking-in.ts.

const LONGEST_TITLE = 80;
const LONGEST_OPENING = 200;

/** The first line of a prompt that says something; one that only announces the next is none. */
export function titleFrom(prompt: string): string {
  const lines = prompt.split("\n").filter((one) => /[\p{L}\p{N}]/u.test(one));
  const line = lines.find((one, i) => i === lines.length - 1 || !one.trimEnd().endsWith(":")) ?? prompt;
  return shortened(line.replace(/^[#>*\s-]+/, ""), LONGEST_TITLE);
}

/** How a conversation begins, as it is listed. */
export function openingFrom(prompt: string): string {
  return shortened(prompt, LONGEST_OPENING);
}

/** On one line, cut between words: half of a secret would not be known for one when it is shown. */
function shortened(text: string, length: number): string {
  const plain = text
    .slice(0, length * 4)
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= length) return plain;
  const cut = plain.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut.replace(/[\x21-\x7E]+$/, "").trimEnd()}…`;
}
