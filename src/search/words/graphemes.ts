// Cuts texts between whole characters, as a reader sees them: a letter with its
// marks, an emoji with its joiners, a flag. Used for everything that is shown.

let segmenter: Intl.Segmenter | undefined;

/** The offset of the character at this position; the length of the text at its end. */
function startOfCharacter(segments: Intl.Segments, length: number, position: number): number {
  return segments.containing(position)?.index ?? length;
}

/** Made on first use: it takes ten milliseconds, and many texts have no characters of several units. */
export function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** The characters of a text, in order. */
export function* charactersOf(text: string): Generator<string> {
  for (const { segment } of segmentsOf(text)) yield segment;
}

/** The span widened to whole characters. */
export function wholeCharacters(text: string, start: number, end: number): readonly [start: number, end: number] {
  const segments = segmentsOf(text);
  const first = startOfCharacter(segments, text.length, start);
  const last = end <= start ? undefined : segments.containing(end - 1);
  return [first, last === undefined ? first : last.index + last.segment.length];
}

/** A span with this many units on either side, and `…` where the text was cut. */
export function textAround(text: string, start: number, end: number, reach: number): string {
  const [from, to] = wholeCharacters(text, Math.max(0, start - reach), Math.min(text.length, end + reach));
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}

/** The beginning of a text, with `…` where it is cut. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = startOfCharacter(segmentsOf(text), text.length, length);
  return `${text.slice(0, end === 0 ? length : end).toWellFormed()}…`;
}
