// Merges two changes of one content that do not know of each other: ours, and
// what another program saved at the same time. Pure; used by replaced/.
import { applyEdits, editBetween, type Edit } from "./splice.ts";

/** Both changes of `base`; undefined if they meet, or if one of the three is not text. */
export function merge(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Buffer | undefined {
  if (![base, ours, theirs].every(isText)) return undefined;
  const [mine, other] = [editBetween(base, ours), editBetween(base, theirs)];
  if (mine.length === 0 && mine.bytes.length === 0) return Buffer.from(theirs);
  const isAppended = mine.length === 0 && mine.offset === base.length;
  if (isAppended) return appended(base, mine, theirs);
  const isApart = endOf(mine) < other.offset || endOf(other) < mine.offset;
  if (!isApart) return undefined;
  const { after } = applyEdits(
    base,
    [mine, other].toSorted((a, b) => a.offset - b.offset),
  );
  return isText(after) ? after : undefined;
}

function endOf({ offset, length }: Edit): number {
  return offset + length;
}

const NEWLINE = 0x0a;

/** Keeps appended text at the end, on a line of its own. */
function appended(base: Uint8Array, { bytes }: Edit, theirs: Uint8Array): Buffer | undefined {
  // Properties that were set on an emptied note belong to the beginning.
  if (base.length === 0 && theirs.length > 0 && /^\uFEFF?---\r?\n/.test(textOf(bytes))) return undefined;
  const isOnOwnLine = theirs.length === 0 || theirs.at(-1) === NEWLINE;
  // An append to a text without a newline at its end begins with one.
  const begun = /^\r?\n/.exec(textOf(bytes.subarray(0, 2)))?.[0].length ?? 0;
  const isBegun = begun > 0 && base.at(-1) !== NEWLINE;
  if (isOnOwnLine) return Buffer.concat([theirs, isBegun ? bytes.subarray(begun) : bytes]);
  return Buffer.concat([theirs, begun > 0 ? "" : "\n", bytes].map((part) => Buffer.from(part)));
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
