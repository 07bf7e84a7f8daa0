// Identifies files by device and inode numbers. These have up to 64 bits (NTFS
// counts reuses in the upper 16), so that two files could get the same number in
// JavaScript: stats for this are read as bigints. Used wherever files are
// compared.
import { statSync, type BigIntStats } from "node:fs";

/** Equal for two names of one file only; can be stored. */
export function identityOf({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

/** The identity of what a path leads to; undefined if nothing is there. */
export function identityAt(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && identityOf(stats);
}

export function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** Equal to `mtimeMs` of plain stats, to the last bit: comparable with what earlier releases stored. */
export function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) * 1000 + Number(nanoseconds % 1_000_000_000n) / 1_000_000;
}

/**
 * An inode number as a float: itself if a float can hold it exactly, else a
 * negative number of 53 bits that all 64 bits are mixed into.
 */
export function floatOfInode(inode: bigint): number {
  if (inode <= MAX_EXACT) return Number(inode);
  const mixed = BigInt.asUintN(64, (inode ^ (inode >> 32n)) * GOLDEN_RATIO);
  return -Number((mixed >> 11n) | 1n);
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);
/** 2^64 divided by the golden ratio: neighbouring numbers end up far apart. */
const GOLDEN_RATIO = 0x9e3779b97f4a7c15n;
