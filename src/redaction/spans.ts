// Spans of a text that contain a secret, and how they are replaced by a mark that
// names the kind of secret; with small helpers that all finders use.

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Span extends TextRange {
  /** The kind of secret, as the mark names it. */
  readonly name: string;
}

/** Matches the marks that replace secrets. */
export const MARK = /\[redacted: [\w .]+\]/g;

/** Overlapping spans become one, with the name of the first of them in the list. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, name } of mergedSpans(spans)) {
    parts.push(text.slice(from, start), `[redacted: ${name}]`);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

export function mergedSpans(spans: readonly Span[]): Span[] {
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

/** The last group of each match that is a secret; it must be at the end of the match. */
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

/** The line from `start` to its end, which is the offset of the line break. */
export function lineAt(plain: string, start: number): { line: string; end: number } {
  const found = plain.indexOf("\n", start);
  const end = found === -1 ? plain.length : found;
  return { line: plain.slice(start, end), end };
}

/** Matches a sticky expression at an offset. */
export function matchAt(
  expression: RegExp,
  text: string,
  at: number,
): { end: number; groups: RegExpExecArray } | undefined {
  expression.lastIndex = at;
  const groups = expression.exec(text);
  return groups === null ? undefined : { end: at + groups[0].length, groups };
}
