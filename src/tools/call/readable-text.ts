// The text of results that are written for reading: those of our own tools. A
// line or two of ours says what it is, the words of others stand between marks,
// and what every result may say about itself comes last. Used by call.ts.
import type { Result } from "./budget.ts";
import { markedText } from "./data-marks.ts";

export interface ReadableText {
  /** Our own words: what the result is, and how much. */
  readonly head: string;
  /** What others wrote: messages, notes, names. Empty if there is nothing. */
  readonly words: string;
}

/** @param result what the text was made from, whose notes are added */
export function writtenText({ head, words }: ReadableText, result: Result): string {
  const { hint, memoryWarning } = result;
  const named = (name: string) =>
    result[name] === undefined ? undefined : `${name}: ${[result[name]].flat().join(", ")}`;
  const notes = [named("undoId"), named("trashed"), hint, named("nextCursor"), memoryWarning];
  return [head, words === "" ? "" : markedText(words), ...notes]
    .filter((part) => part !== undefined && part !== "")
    .join("\n");
}
