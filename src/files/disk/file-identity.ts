// Which file a path names, by the numbers that the system gives it. Those have
// up to 64 bits (NTFS counts reuses in the upper 16), so that two files can
// have the same number once it is a JavaScript number: stats that identity is
// read from are asked for as bigints.
import { statSync, type BigIntStats } from "node:fs";

/** The same for two names of one file, and no other; fit to be stored. */
export function identityOf({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

/** The identity of what a path leads to; undefined where nothing is there. */
export function identityAt(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && identityOf(stats);
}

export function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** A time as `mtimeMs` of plain stats gives it, to the last bit: what earlier releases stored stays comparable. */
export function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) * 1000 + Number(nanoseconds % 1_000_000_000n) / 1_000_000;
}

/**
 * An inode number for where a float has to do: itself, as far as a float holds
 * it exactly, else a negative number of 53 bits into which all 64 are mixed.
 */
export function floatOfInode(inode: bigint): number {
  if (inode <= MOST_EXACT) return Number(inode);
  const mixed = BigInt.asUintN(64, (inode ^ (inode >> 32n)) * GOLDEN_RATIO);
  return -Number((mixed >> 11n) | 1n);
}

const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);
/** 2^64 divided by the golden ratio: neighbours end up far apart. */
const GOLDEN_RATIO = 0x9e3779b97f4a7c15n;
