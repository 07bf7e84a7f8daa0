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
  /** By word: a frequent one says little. */
  readonly weights: Float32Array;
}

const MAGIC = "CPWORDS1";
const HEADER = 16;
const SLOTS = 2 ** 17;

/** @param bytes of the file @throws if it is another one */
export function wordTableIn(bytes: Buffer): WordTable {
  const count = bytes.readUInt32LE(8);
  const dimensions = bytes.readUInt32LE(12);
  if (bytes.toString("latin1", 0, 8) !== MAGIC || bytes.length !== HEADER + count * (4 + dimensions))
    throw new Error("This is no table of word vectors.");
  // Hash and number of a word side by side: they are mostly not in the processor's cache, and come at once.
  const slots = new Int32Array(2 * SLOTS).fill(-1);
  for (let i = 0; i < count; i++) {
    const hash = bytes.readInt32LE(HEADER + 4 * i);
    let slot = slotOf(hash);
    while (slots[2 * slot + 1] !== -1) slot = (slot + 1) & (SLOTS - 1);
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = i;
  }
  const find = (hash: number): number => {
    for (let slot = slotOf(hash); ; slot = (slot + 1) & (SLOTS - 1)) {
      const word = slots[2 * slot + 1]!;
      if (word === -1 || slots[2 * slot] === (hash | 0)) return word;
    }
  };
  const vectors = new Int8Array(bytes.buffer, bytes.byteOffset + HEADER + 4 * count, count * dimensions);
  return { dimensions, find, vectors, weights: Float32Array.from({ length: count }, (_, rank) => weightOf(rank)) };
}

/** The file of a table. Used by the script that makes it, and by tests. */
export function wordTableBytes(words: readonly { readonly word: string; readonly vector: Int8Array }[]): Buffer {
  const dimensions = words[0]?.vector.length ?? 0;
  const bytes = Buffer.alloc(HEADER + words.length * (4 + dimensions));
  bytes.write(MAGIC, "latin1");
  bytes.writeUInt32LE(words.length, 8);
  bytes.writeUInt32LE(dimensions, 12);
  for (const [i, { word, vector }] of words.entries()) {
    bytes.writeUInt32LE(hashOfWord(word), HEADER + 4 * i);
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, dimensions), HEADER + 4 * words.length + i * dimensions);
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

/** Smooth inverse frequency, for frequencies as in Zipf's law, times how rare the word is. */
function weightOf(rank: number): number {
  const frequency = 0.1 / (rank + 2.7);
  return (SMOOTHING / (SMOOTHING + frequency)) * Math.log(rank + 10);
}

const SMOOTHING = 1e-3;
