// Finds a text in another in linear time. The engine's own search takes the
// product of both lengths if a long text repeats itself: a megabyte of one letter
// took minutes. Used by edits.ts.

/** For shorter texts the engine's search is fast enough, however they repeat themselves. */
const LONG = 500;

/** The offsets of all occurrences, in order; they may overlap. */
export function* occurrences(text: string, wanted: string): Generator<number> {
  if (wanted.length >= LONG) return yield* longOccurrences(text, wanted);
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) yield at;
}

/** By Knuth, Morris and Pratt: no character of the text is compared twice. */
function* longOccurrences(text: string, wanted: string): Generator<number> {
  const { length } = wanted;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && (matched === length || wanted.charCodeAt(matched) !== code)) matched = borders[matched - 1]!;
    if (wanted.charCodeAt(matched) === code) matched++;
    if (matched === length) yield at - length + 1;
  }
}

/** For every prefix: the length of its longest proper prefix that is also its suffix. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (border > 0 && text.charCodeAt(border) !== code) border = borders[border - 1]!;
    if (text.charCodeAt(border) === code) border++;
    borders[at] = border;
  }
  return borders;
}
