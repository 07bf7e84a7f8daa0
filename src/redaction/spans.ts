// A part of a text that holds a secret, and how such parts are replaced by a
// mark that says what was there. Used by everything in this room.

export interface Span {
  readonly start: number;
  readonly end: number;
  /** What a reader sees in its place. */
  readonly name: string;
}

/** What stands where a secret was. */
export const MARK = /\[redacted: [\w .]+\]/g;

/** Spans that overlap become one, named like the one that comes first in the list. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, name } of merged(spans)) {
    parts.push(text.slice(from, start), `[redacted: ${name}]`);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

function merged(spans: readonly Span[]): Span[] {
  const ranked = spans
    .map((span, rank) => ({ ...span, rank }))
    .toSorted((a, b) => a.start - b.start || a.rank - b.rank);
  const result: { start: number; end: number; name: string; rank: number }[] = [];
  for (const span of ranked) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) {
      result.push({ ...span });
      continue;
    }
    last.end = Math.max(last.end, span.end);
    if (span.rank < last.rank) [last.name, last.rank] = [span.name, span.rank];
  }
  return result;
}

/** What the last group of an expression matches, where it is the end of the match and a secret. */
export function lastGroups(
  text: string,
  expression: RegExp,
  name: string,
  isSecret: (value: string) => boolean,
): Span[] {
  const spans: Span[] = [];
  for (const found of text.matchAll(expression)) {
    const value = found.at(-1)!;
    const end = found.index + found[0].length;
    if (isSecret(value)) spans.push({ start: end - value.length, end, name });
  }
  return spans;
}
