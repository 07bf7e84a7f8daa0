// The hash that identifies a part or message in the store, whichever page has it.
// Pure; used to write, to remove and to compare.
import { FIRST_SOURCES } from "../sources/sources.ts";

/**
 * Identifies a part: a 64-bit hash of its key, as decimal digits. Keys are 36
 * random characters, and all of them would take more room than the prose. The
 * chance that two of ten million share a hash is 1 in 300,000.
 */
export type PartHash = string;

const KINDS_OF_HASH = { part: 0x9e3779b9, message: 0x85ebca6b, follows: 0xc2b2ae35 } as const;

/** Two multiplicative hashes side by side: safe against accident, not against attack, and four times as fast as SHA-1. */
export function hashOf(source: string, kind: keyof typeof KINDS_OF_HASH, key: string): PartHash {
  const seeds = seedsOf(source);
  let high = KINDS_OF_HASH[kind] ^ seeds.high;
  let low = 0x41c6ce57 ^ seeds.low;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x85ebca77);
    low = Math.imul(low ^ unit, 0xc2b2ae3d);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return BigInt.asIntN(64, (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)).toString();
}

/** Of a message that has several parts. With the conversation: what a fork repeats may have the same ids. */
export function messageHash(source: string, conversation: string, message: string): PartHash {
  return hashOf(source, "message", `${conversation} ${message}`);
}

interface Seeds {
  readonly high: number;
  readonly low: number;
}

const SEEDS = new Map<string, Seeds>();

function seedsOf(source: string): Seeds {
  const known = SEEDS.get(source);
  if (known !== undefined) return known;
  let high = source.charCodeAt(0);
  let low = source.charCodeAt(1);
  // Stores have parts of the first sources under hashes of the first two letters of their names, which differ.
  if (!FIRST_SOURCES.has(source))
    for (let i = 0; i < source.length; i++) {
      high = Math.imul(high ^ source.charCodeAt(i), 0x9e3779b1);
      low = Math.imul(low ^ source.charCodeAt(i), 0x27d4eb2f);
    }
  const seeds = { high, low };
  SEEDS.set(source, seeds);
  return seeds;
}
