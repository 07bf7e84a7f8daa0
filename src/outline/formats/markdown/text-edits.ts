// Edits of a string, and their conversion to splices of its bytes in UTF-8. Used
// by markdown.ts.
import type { Splice } from "../parsed-outline.ts";

/** A splice of the string. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The start of the next line. */
export function lineAfter(text: string, end: number): number {
  const newline = text.indexOf("\n", end);
  return newline === -1 ? text.length : newline + 1;
}

export function isBlankBefore(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*\r?\n$/.test(text.slice(Math.max(0, at - 200), at));
}

/** Removes lines, and the blank lines after them if blank lines or nothing precede. */
export function removal(text: string, start: number, end: number): TextEdit {
  const isOpenEnd = end === text.length && text[end - 1] !== "\n";
  // The last line has no line break, so the one before it loses its own.
  if (isOpenEnd)
    return { start: start - /\r?\n?$/.exec(text.slice(Math.max(0, start - 2), start))![0].length, end, text: "" };
  const blank = /^(?:[ \t]*\r?\n)*/.exec(text.slice(end))![0];
  const isApart = start === 0 || isBlankBefore(text, start);
  return { start, end: isApart ? end + blank.length : end, text: "" };
}

/** The edit that turns one text into another, without their common beginning and end. */
export function differing(text: string, start: number, end: number, wanted: string): TextEdit {
  const old = text.slice(start, end);
  let same = 0;
  while (same < old.length && same < wanted.length && old[same] === wanted[same]) same++;
  let tail = 0;
  while (tail < old.length - same && tail < wanted.length - same && old.at(-1 - tail) === wanted.at(-1 - tail)) tail++;
  return { start: start + same, end: end - tail, text: wanted.slice(same, wanted.length - tail) };
}

export function inBytes(text: string, edits: readonly TextEdit[], from: number): Splice[] {
  let [at, offset] = [0, from];
  const advance = (to: number) => {
    offset += Buffer.byteLength(text.slice(at, to));
    at = to;
    return offset;
  };
  return edits
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text: inserted }) => {
      const first = advance(start);
      return { offset: first, length: advance(end) - first, bytes: Buffer.from(inserted) };
    });
}
