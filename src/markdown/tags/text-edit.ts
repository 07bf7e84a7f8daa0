// A replacement in the text of a file.
import type { Span } from "../scanner/scanner.ts";

export interface TextEdit extends Span {
  readonly replacement: string;
}

/** @param edits in order, not overlapping */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, replacement } of edits) {
    parts.push(text.slice(from, start), replacement);
    from = end;
  }
  return parts.join("") + text.slice(from);
}
