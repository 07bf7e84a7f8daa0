// Finds the part of a note that is most similar to a given text, for replacements
// that quote the old text inexactly. Used by edits.ts.
//
// Similarity is 1 − edits / length: the Levenshtein distance over the longer
// length. Both are normalised first, so that white space counts little: a run of
// spaces and tabs is one space, none is left before a line break, and CRLF is LF.
//
// Aligning the text with a whole note would cost the product of their lengths. So
// a filter comes first: a match with few edits still shares most q-grams (pieces
// of q characters) with the text, and one pass over hashes finds the stretches
// that share enough. Each stretch is then aligned by diagonals (Ukkonen), at a
// cost of edits times length. Down to a similarity of about 0.8 the filter misses
// nothing; below, it is a heuristic. Measured: 60 ms for 1 MB of prose and a text
// of 2 kB.

export interface Match {
  readonly start: number;
  readonly end: number;
  readonly similarity: number;
}

/** Longer notes are not searched: the normalised text takes 7 bytes per character. */
export const MAX_CHARACTERS = 2_000_000;

/** Limits the time, at about 15 ns per step. A longer search finds nothing that could be replaced. */
const MAX_STEPS = 6_000_000;
/** The similarity of a match that differs in white space only. */
const ALMOST_IDENTICAL = 0.999;
const TABLE_BITS = 20;
const HASH_BASE = 0x01000193;

/** A normalised text, and the offset that each of its characters comes from. */
interface Plain {
  readonly codes: Uint16Array;
  /** One more than codes: the last is the length of the original. */
  readonly starts: Int32Array;
}

/** A range of offsets at which a match may begin, and how many q-grams it shares. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly shared: number;
}

interface Alignment {
  readonly edits: number;
  /** The offsets at which a match with this number of edits may end. */
  readonly ends: readonly number[];
}

/**
 * The matches of the highest similarity, if that reaches the threshold: none, one,
 * or several that are equally good and do not overlap.
 */
export function mostSimilar(text: string, wanted: string, threshold: number): readonly Match[] {
  if (text.length > MAX_CHARACTERS || wanted.length > MAX_CHARACTERS) return [];
  const note = plain(text);
  const pattern = plain(wanted);
  const steps = { left: MAX_STEPS };
  let best: Match[] = [];
  let least = threshold;
  const most = mostEdits(pattern.codes.length, threshold);
  for (const stretch of stretchesWith(note.codes, pattern.codes, most)) {
    for (const match of matchesIn(note, pattern, stretch, least, steps)) {
      if (match.similarity < least - 1e-9) continue;
      if (match.similarity > least + 1e-9) best = [];
      least = Math.max(least, match.similarity);
      if (!best.some(({ start, end }) => start < match.end && match.start < end)) best.push(match);
    }
    // Another place may be as good as one match found so far; several are ambiguous in any case.
    if (steps.left < 0) {
      if (best.length === 1) best = [];
      break;
    }
  }
  return best.toSorted((a, b) => a.start - b.start);
}

/** How many edits a match of this similarity may have. Each may make it longer than the pattern. */
function mostEdits(length: number, similarity: number): number {
  return Math.min(length - 1, Math.floor(((1 - similarity) * length) / similarity + 1e-9));
}

function plain(text: string): Plain {
  const codes = new Uint16Array(text.length);
  const starts = new Int32Array(text.length + 1);
  let length = 0;
  for (let at = 0; at < text.length;) {
    let end = at;
    while (isBlank(text.charCodeAt(end))) end++;
    const code = end < text.length ? text.charCodeAt(end) : 0;
    codes[length] = end > at && code !== 0x0a ? 0x20 : code;
    starts[length++] = at;
    at = end > at && code !== 0x0a ? end : end + 1;
  }
  starts[length] = text.length;
  return { codes: codes.subarray(0, length), starts: starts.subarray(0, length + 1) };
}

/** Spaces, tabs, no-break spaces, and the CR of a line break. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0xa0 || code === 0x0d;
}

function isSpace(code: number | undefined): boolean {
  return code === undefined || code === 0x20 || code === 0x0a;
}

/** The stretches that share enough q-grams with the pattern, those with the most first. */
function stretchesWith(note: Uint16Array, pattern: Uint16Array, most: number): readonly Stretch[] {
  const { length } = pattern;
  const shortest = length < 30 ? 1 : length < 200 ? 3 : 5;
  const size = Math.min(length, Math.max(shortest, Math.min(12, Math.floor(length / (2 * (most + 1))))));
  // Each edit destroys at most `size` of the q-grams that a copy would share.
  const surviving = length - size + 1 - most * size;
  const enough = surviving > 0 ? surviving : Math.max(1, Math.floor((length - size + 1) / 5));

  const table = new Uint8Array(1 << TABLE_BITS);
  eachGram(pattern, size, (slot) => {
    table[slot] = 1;
  });
  const isShared = new Uint8Array(Math.max(0, note.length - size + 1));
  eachGram(note, size, (slot, at) => {
    isShared[at] = table[slot]!;
  });

  const window = length - size + 1 + most;
  const widest = Math.max(length, 64);
  const stretches: Stretch[] = [];
  let shared = 0;
  for (let i = 0; i < Math.min(window, isShared.length); i++) shared += isShared[i]!;
  let open: { from: number; to: number; shared: number } | undefined;
  for (let at = 0; at < isShared.length; at++) {
    if (shared >= enough) {
      if (open === undefined || at - open.from >= widest) {
        open = { from: at, to: at, shared };
        stretches.push(open);
      }
      open.to = at;
      open.shared = Math.max(open.shared, shared);
    } else {
      open = undefined;
    }
    shared += (isShared[at + window] ?? 0) - isShared[at]!;
  }
  return stretches.toSorted((a, b) => b.shared - a.shared);
}

/** A rolling hash. A collision only lets a little more through the filter. */
function eachGram(codes: Uint16Array, size: number, visit: (slot: number, at: number) => void): void {
  let power = 1;
  for (let i = 0; i < size; i++) power = Math.imul(power, HASH_BASE);
  let hash = 0;
  for (let i = 0; i < codes.length; i++) {
    hash = (Math.imul(hash, HASH_BASE) + codes[i]! + 1) | 0;
    if (i >= size) hash = (hash - Math.imul(codes[i - size]! + 1, power)) | 0;
    if (i >= size - 1) visit(Math.imul(hash, 0x9e3779b1) >>> (32 - TABLE_BITS), i - size + 1);
  }
}

function matchesIn(
  note: Plain,
  pattern: Plain,
  stretch: Stretch,
  least: number,
  steps: { left: number },
): readonly Match[] {
  const { length } = pattern.codes;
  const most = mostEdits(length, least);
  const forward = align(pattern.codes, note.codes, stretch.from, stretch.to, most, steps);
  if (forward === undefined) return [];
  const backwards = pattern.codes.toReversed();
  return clusters(forward.ends, length / 2).flatMap((ends) => {
    const end = atEdge(ends, pattern.codes.at(-1), note.codes, -1);
    const before = note.codes.subarray(Math.max(0, end - length - forward.edits), end).toReversed();
    const found = align(backwards, before, 0, 0, forward.edits, steps);
    if (found === undefined) return [];
    const start = atEdge(
      found.ends.map((reach) => end - reach),
      pattern.codes[0],
      note.codes,
      0,
    );
    const similarity = 1 - found.edits / Math.max(length, end - start);
    return [{ start: note.starts[start]!, end: note.starts[end]!, similarity: Math.min(similarity, ALMOST_IDENTICAL) }];
  });
}

/**
 * The least number of edits that turn the pattern into a part of the text that
 * begins in the given range; undefined if more than `most`. For each diagonal (text
 * offset minus pattern offset) and number of edits it stores the furthest offset
 * in the pattern that can be reached.
 */
function align(
  pattern: Uint16Array,
  text: Uint16Array,
  from: number,
  to: number,
  most: number,
  steps: { left: number },
): Alignment | undefined {
  const unreached = -2;
  const base = from - most - 1;
  let reached = new Int32Array(to - from + 2 * most + 3).fill(unreached);
  let next = reached.slice();
  for (let edits = 0; edits <= most; edits++) {
    const ends: number[] = [];
    for (let diagonal = from - edits; diagonal <= to + edits; diagonal++) {
      const cell = diagonal - base;
      const furthest = Math.max(reached[cell]! + 1, reached[cell - 1]!, reached[cell + 1]! + 1);
      const first = edits === 0 ? 0 : Math.min(furthest, pattern.length, text.length - diagonal);
      let at = first;
      if (first >= 0) while (at < pattern.length && pattern[at] === text[diagonal + at]) at++;
      next[cell] = first >= 0 ? at : unreached;
      if (at === pattern.length) ends.push(diagonal + at);
      // Counted here, not after the row: in a text that repeats itself, one row is the product of both lengths.
      steps.left -= 1 + at - first;
      if (steps.left < 0) return undefined;
    }
    if (ends.length > 0) return { edits, ends };
    [reached, next] = [next, reached];
  }
  return undefined;
}

/** Ends that are close together belong to one match. */
function clusters(ends: readonly number[], gap: number): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (const end of ends.toSorted((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group !== undefined && end - group.at(-1)! <= gap) group.push(end);
    else groups.push([end]);
  }
  return groups;
}

/**
 * Of matches with equally many edits, the one that does not cut a word in two: a
 * text quoted with a different full stop replaces the full stop too.
 */
function atEdge(places: readonly number[], outermost: number | undefined, codes: Uint16Array, inner: -1 | 0): number {
  const cutsNothing = places.find((place) => {
    const inside = codes[place + inner];
    const outside = codes[place - 1 - inner];
    return isSpace(outermost) ? isSpace(inside) : !isSpace(inside) && isSpace(outside);
  });
  return cutsNothing ?? places[places.length >> 1]!;
}
