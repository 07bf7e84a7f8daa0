// Finds where a quoted value ends, or a value that is written in several strings or
// lines. bare-values.ts does the same for bare values. Used by assignments.ts.
import { isPlaceholder } from "../../criteria/placeholders.ts";
import { isMixed } from "../../criteria/values.ts";
import { matchAt } from "../../spans.ts";

/** The next piece of a string that is written in several. */
const CONTINUED = /["'`]\s{0,4}(?:[+.\\]|->)?\s{0,20}["'`]([^"'`\n]{4,200})(?=["'`])/y;
const MAX_PIECES = 8;

const MAX_VALUE_LENGTH = 2048;
/**
 * A backslash at the end of a line continues the value on the next one. Escaped in
 * JSON, backslash and line break are three backslashes and an n; in JSON in JSON,
 * six. After indentation, the continuation must be the whole line.
 */
const NEXT_LINE =
  /(?:(?<=\\)\r?\n|(?<!\\)(?:\\{3}|\\{6}|\\{12})n)(?:[ \t]{0,8}\d{1,6}→)?(?:(?!-)[^\s"'`\\]{1,400}|[ \t]{1,40}(?!-)[^\s"'`\\=:]{1,400}(?=[\s"'`\\]|$)(?![ \t]))/y;

export const LINE_CONTINUED = /(?:\\\r?\n|(?<!\\)(?:\\{3}|\\{6}|\\{12})n)(?:[ \t]{0,8}\d{1,6}→)?/g;

export function endOfContinued(text: string, valueEnd: number): number {
  let end = valueEnd;
  for (let count = 0; count < MAX_PIECES; count++) {
    const line = matchAt(NEXT_LINE, text, end);
    if (line === undefined) break;
    end = line.end;
    if (text.charAt(end) === "\\" && /[\r\n]/.test(text.charAt(end + 1))) end++;
  }
  return end;
}

/** `"…" + "…"` */
export function endOfPieces(plain: string, closing: number): number {
  let end = closing;
  for (let count = 0; count < MAX_PIECES; count++) {
    const piece = matchAt(CONTINUED, plain, end);
    if (piece === undefined || !isMixed(piece.groups[1]!) || isPlaceholder(piece.groups[1]!)) break;
    end = piece.end;
  }
  return end;
}

/** The end of a quoted value; undefined if it is too far away. */
export function closingQuote(text: string, start: number, quote: string): number | undefined {
  const depth = backslashesBefore(text, start - 1, 0);
  const limit = Math.min(text.length, start + MAX_VALUE_LENGTH);
  for (let at = start; at < limit; at++) {
    const character = text.charAt(at);
    if (character === "\n" && text.charAt(at - 1) !== "\\") return undefined;
    if (character !== quote && !isEncodedQuote(text, at)) continue;
    const backslashes = backslashesBefore(text, at, start);
    // A quote with more backslashes than the opening one is part of the value.
    if (backslashes <= depth) return at - backslashes;
  }
  return undefined;
}

/** A quote as URLs and HTML encode it. */
function isEncodedQuote(text: string, at: number): boolean {
  return (
    (text.startsWith("%22", at) || text.startsWith("&quot;", at) || text.startsWith("&#3", at)) &&
    text.charAt(at - 1) !== "\\"
  );
}

function backslashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - 1 - count >= from && text.charAt(at - 1 - count) === "\\") count++;
  return count;
}
