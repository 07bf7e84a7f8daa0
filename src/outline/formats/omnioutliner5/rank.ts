// Ranks, which order siblings in OmniOutliner 5: signed bytes in hex, compared
// byte by byte, where a missing byte counts as 0. There is always a rank before,
// after and between two others, so nothing is renumbered. Used by order.ts.

/** Signed bytes. */
type Rank = readonly number[];

const [LOWEST, HIGHEST] = [-128, 127];

/** Undefined for an invalid rank. */
export function parseRank(hex: string): Rank | undefined {
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) return undefined;
  return [...Buffer.from(hex, "hex")].map((byte) => (byte > HIGHEST ? byte - 256 : byte));
}

/** How many bytes of a rank its key represents; most ranks have two. */
const KEY_BYTES = 6;

/** A number that sorts like the first bytes of the rank at these offsets; undefined for an invalid rank. */
export function rankKey(bytes: Uint8Array, start: number, end: number): number | undefined {
  if ((end - start) % 2 !== 0) return undefined;
  let key = 0;
  for (let at = start; at < Math.max(end, start + 2 * KEY_BYTES); at += 2) {
    const byte = at < end ? hexDigit(bytes[at]!) * 16 + hexDigit(bytes[at + 1]!) : 0;
    if (byte < 0) return undefined;
    if (at < start + 2 * KEY_BYTES) key = key * 256 + ((byte + 128) & 0xff);
  }
  return key;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1000;
}

function rankText(rank: Rank): string {
  const last = rank.findLastIndex((byte) => byte !== 0);
  return Buffer.from(rank.slice(0, last + 1).map((byte) => byte & 0xff)).toString("hex");
}

export function compareRanks(a: Rank, b: Rank): number {
  for (let at = 0; at < a.length || at < b.length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `count` ranks, in order, between two that must not be equal; undefined for an open end. */
export function ranksBetween(before: string | undefined, after: string | undefined, count: number): string[] {
  const [low, high] = [before, after].map((hex) => (hex === undefined ? undefined : parseRank(hex)!));
  if (low === undefined && high === undefined) return series([], 1, count);
  if (high === undefined) return series(next(low!, 1), 1, count);
  if (low === undefined) return series(next(high, -1), -1, count).toReversed();
  return between(low, high, count).map(rankText);
}

/** A rank and its successors, or predecessors. */
function series(start: Rank, step: 1 | -1, count: number): string[] {
  const ranks: string[] = [];
  for (let rank = start; ranks.length < count; rank = next(rank, step)) ranks.push(rankText(rank));
  return ranks;
}

/** One step in the second byte, as the application does; past its limit, one in the first. */
function next([first = 0, second = 0, ...rest]: Rank, step: 1 | -1): Rank {
  const end = step === 1 ? HIGHEST : LOWEST;
  if (second !== end) return [first, second + step];
  if (first !== end) return [first + step, step === 1 ? 0 : HIGHEST];
  return [first, second, ...next(rest, step)];
}

/** By bisection: 1,000 rows between two need two more bytes, instead of 140. */
function between(low: Rank, high: Rank, count: number): Rank[] {
  if (count === 0) return [];
  const middle = middleOf(low, high);
  const left = count >> 1;
  return [...between(low, middle, left), middle, ...between(middle, high, count - left - 1)];
}

function middleOf(low: Rank, high: Rank): Rank {
  let at = 0;
  while ((low[at] ?? 0) === (high[at] ?? 0)) at++;
  const head = Array.from({ length: at }, (_, index) => low[index] ?? 0);
  const from = low[at] ?? 0;
  const to = high[at] ?? 0;
  // The application does not use the first byte here.
  if (to - from > 1 && at > 0) return [...head, (from + to) >> 1];
  const rank = [...head, from];
  for (let digit = at + 1; ; digit++) {
    const floor = low[digit] ?? 0;
    const middle = (floor + HIGHEST) >> 1;
    if (middle > floor) return [...rank, middle];
    rank.push(floor);
  }
}
