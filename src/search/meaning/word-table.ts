// The table of word vectors that ships with the program (assets/word-vectors), in memory:
// where a word stands in it, and what it means there. Used by passages.ts.
//
// Words are known by a hash alone: comparing texts would take longer than the rest, and
// of 100,000 unknown words one is taken for another.

export interface WordTable {
  readonly dimensions: number;
  /** The number of a word by its hash (see `nextHash`); -1 for an unknown one. */
  readonly find: (hash: number) => number;
  /** One after the other, the most frequent word first. */
  readonly vectors: Int8Array;
  /** By word: how much it says, about 1 on average. */
  readonly weights: Float32Array;
}

const MAGIC = "CPWORDS2";
const HEADER = 16;
/** Of each word, its hash and its weight; the vectors of all follow. */
const ENTRY = 8;
const SLOTS = 2 ** 17;

/** @param bytes of the file @throws if it is another one */
export function wordTableIn(bytes: Buffer): WordTable {
  const count = bytes.readUInt32LE(8);
  const dimensions = bytes.readUInt32LE(12);
  if (bytes.toString("latin1", 0, 8) !== MAGIC || bytes.length !== HEADER + count * (ENTRY + dimensions))
    throw new Error("This is no table of word vectors.");
  // Hash and number of a word side by side: they are mostly not in the processor's cache, and come at once.
  const slots = new Int32Array(2 * SLOTS).fill(-1);
  const weights = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const hash = bytes.readInt32LE(HEADER + ENTRY * i);
    let slot = slotOf(hash);
    while (slots[2 * slot + 1] !== -1) slot = (slot + 1) & (SLOTS - 1);
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = i;
    weights[i] = bytes.readFloatLE(HEADER + ENTRY * i + 4);
  }
  const find = (hash: number): number => {
    for (let slot = slotOf(hash); ; slot = (slot + 1) & (SLOTS - 1)) {
      const word = slots[2 * slot + 1]!;
      if (word === -1 || slots[2 * slot] === (hash | 0)) return word;
    }
  };
  const vectors = new Int8Array(bytes.buffer, bytes.byteOffset + HEADER + ENTRY * count, count * dimensions);
  return { dimensions, find, vectors, weights };
}

/** A word as the file has it. */
export interface TableWord {
  readonly word: string;
  readonly weight: number;
  readonly vector: Int8Array;
}

/** The file of a table. Used by the script that makes it, and by tests. */
export function wordTableBytes(words: readonly TableWord[]): Buffer {
  const dimensions = words[0]?.vector.length ?? 0;
  const bytes = Buffer.alloc(HEADER + words.length * (ENTRY + dimensions));
  bytes.write(MAGIC, "latin1");
  bytes.writeUInt32LE(words.length, 8);
  bytes.writeUInt32LE(dimensions, 12);
  for (const [i, { word, weight, vector }] of words.entries()) {
    bytes.writeUInt32LE(hashOfWord(word), HEADER + ENTRY * i);
    bytes.writeFloatLE(weight, HEADER + ENTRY * i + 4);
    const at = HEADER + ENTRY * words.length + i * dimensions;
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, dimensions), at);
  }
  return bytes;
}

/** FNV-1a. */
export const FIRST_HASH = 0x811c9dc5;

export function nextHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function hashOfWord(word: string): number {
  let hash = FIRST_HASH;
  for (let i = 0; i < word.length; i++) hash = nextHash(hash, word.charCodeAt(i));
  return hash >>> 0;
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
