// Decides if two texts that are similar also say the same, for replacements that
// quote the old text inexactly: a misspelt word is a misquotation, another number
// is what somebody else wrote in between. Used by edits.ts.
import { editDistance, forgivenErrors } from "../../kernel/kernel.ts";

/** Words, numbers and signs; letters of scripts that have no cases one by one, since many have no spaces. */
const WORDS = /[\p{Ll}\p{Lu}\p{Lt}\p{Lm}\p{M}]+|\p{Lo}\p{M}*|\p{N}+|[\p{Sc}\p{Sm}\p{So}]/gu;

export interface Difference {
  readonly inNote: string;
  readonly sent: string;
}

/**
 * The first word, number or sign that is another, missing or added, with what
 * follows it if it is missing on one side. Case, white space, punctuation and
 * misspelt words do not count.
 */
export function firstDifference(inNote: string, sent: string): Difference | undefined {
  const [ours, theirs] = [wordsOf(inNote), wordsOf(sent)];
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const [our, their] = [ours[i] ?? "", theirs[i] ?? ""];
    if (!isSameWord(our.toLowerCase(), their.toLowerCase())) return { inNote: our, sent: their };
  }
  return undefined;
}

function wordsOf(text: string): readonly string[] {
  return text.normalize("NFC").match(WORDS) ?? [];
}

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  if (!/^[\p{L}\p{M}]+$/u.test(a + b) || a === "" || b === "") return false;
  // Short words of the same length are other words ("now" and "not"), unless two letters are swapped.
  const forgiven = Math.max(1, Math.min(forgivenErrors(a), forgivenErrors(b)));
  if (Math.min(a.length, b.length) < 4 && a.length === b.length)
    return [...a].sort().join("") === [...b].sort().join("");
  return editDistance(a, b, forgiven) <= forgiven;
}
