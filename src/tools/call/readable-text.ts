// The text of results that are written for reading: those of our own tools. A
// line or two of ours says what it is, the words of others stand between marks,
// and what every result may say about itself comes last, but for arguments that
// were ignored. Used by call.ts.
import type { Result } from "./budget.ts";
import { markedText } from "./data-marks.ts";

export interface ReadableText {
  /** Our own words: what the result is, and how much. */
  readonly head: string;
  /** Text that others wrote: messages, notes, names. May be empty. */
  readonly words: string;
}

/**
 * @param result what the text was made from, whose notes are added
 * @param mark stands before and after the words; undefined if the reader can see whose they are
 */
export function writtenText({ head, words }: ReadableText, result: Result, mark: string | undefined): string {
  const { hint, memoryWarning } = result;
  const named = (name: string) =>
    result[name] === undefined ? undefined : `${name}: ${[result[name]].flat().join(", ")}`;
  // An ignored argument may be the only filter that was sent: then the text that follows is not the answer.
  const [first, last] = result["ignored"] === undefined ? [undefined, hint] : [hint, undefined];
  const notes = [named("vault"), named("undoId"), named("trashed"), last, named("nextCursor"), memoryWarning];
  return [first, head, mark === undefined ? words.trimEnd() : markedText(words, mark), ...notes]
    .filter((part) => part !== undefined && part !== "")
    .join("\n");
}
