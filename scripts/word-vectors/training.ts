// Trains word vectors so that two texts about the same thing have sums that point the same
// way, and texts about different things do not. Used by scripts/word-vectors.ts.
//
// In each step some hundred things are drawn, and of each two descriptions. The loss is the
// cross-entropy of finding each description's other one among those of all things drawn, by
// the cosine of their sums (InfoNCE). Vectors move against its gradient, each at a rate of
// its own (Adagrad, by word).
import type { Thing, Words } from "./descriptions.ts";

const STEPS = 3_000;
const BATCH = 256;
const RATE = 0.05;
const TEMPERATURE = 0.07;
const FIRST_SQUARES = 1e-4;
/** Of a description how many of its words are left out if the other one has them: they need no meaning to be found. */
const WITHOUT_SHARED = 0.5;
const MAX_SYNONYMS = 8;
const MAX_PIECES = 4;
/** Smaller ones, most of them, have no effect that is seen. */
const LEAST_SLOPE = 1e-6;

/** Changes the vectors, whose lengths are how much the words count. */
export function train(
  vectors: Float32Array,
  dimensions: number,
  things: readonly Thing[],
  log: (line: string) => void,
) {
  const random = randomNumbers(1);
  const described = things.filter(
    ({ texts, names, synonyms }) => texts.length > 0 && names.length + synonyms.length > 0,
  );
  const batch = new Batch(vectors, dimensions);
  const squares = new Float32Array(vectors.length / dimensions).fill(FIRST_SQUARES);
  let loss = 0;
  for (let step = 1; step <= STEPS; step++) {
    const pairs: [Words, Words][] = [];
    while (pairs.length < BATCH) {
      const pair = twoOf(described[Math.floor(random() * described.length)]!, random);
      if (pair !== undefined) pairs.push(pair);
    }
    loss += batch.gradient(pairs);
    const rate = RATE * (1 - step / STEPS);
    batch.eachWord((word, gradient) => {
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum += gradient[i]! ** 2;
      squares[word]! += sum / dimensions;
      const scale = rate / Math.sqrt(squares[word]!);
      for (let i = 0; i < dimensions; i++) vectors[word * dimensions + i]! -= scale * gradient[i]!;
    });
    if (step % 100 !== 0) continue;
    log(`${step} of ${STEPS} steps, loss ${(loss / 100).toFixed(3)}`);
    loss = 0;
  }
}

interface Piece {
  readonly words: () => Words;
  /** Whether it says enough to find the thing by. */
  readonly isQuery: boolean;
}

/** Two descriptions of a thing: one text, and one to four others. */
function twoOf({ names, texts, kinds, synonyms }: Thing, random: () => number): [Words, Words] | undefined {
  const pieces: Piece[] = [names, ...texts].map((words) => ({ words: () => words, isQuery: words.length >= 2 }));
  for (const words of kinds) pieces.push({ words: () => words, isQuery: false });
  if (synonyms.length > 0)
    pieces.push({
      words: () => shuffled(synonyms, random).slice(0, MAX_SYNONYMS).flat(),
      isQuery: synonyms.length > 1,
    });
  const drawn = shuffled(pieces, random);
  const asked = drawn.find(({ isQuery }) => isQuery);
  if (asked === undefined) return undefined;
  const others = drawn.filter((piece) => piece !== asked);
  const count = 1 + Math.floor(random() * Math.min(MAX_PIECES, others.length));
  const description = others.slice(0, count).flatMap(({ words }) => words());
  const shared = new Set(description);
  const query = [...new Set(asked.words())];
  const unshared = query.filter((word) => !shared.has(word));
  const isWithout = random() < WITHOUT_SHARED && unshared.length >= 2;
  return query.length === 0 || description.length === 0 ? undefined : [isWithout ? unshared : query, description];
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const drawn = [...all];
  for (let i = drawn.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [drawn[i], drawn[other]] = [drawn[other]!, drawn[i]!];
  }
  return drawn;
}

/** The gradient of the loss of one step, for the words in it. */
class Batch {
  readonly #vectors: Float32Array;
  readonly #dimensions: number;
  readonly #gradients: Float32Array;
  readonly #touched = new Set<number>();

  constructor(vectors: Float32Array, dimensions: number) {
    this.#vectors = vectors;
    this.#dimensions = dimensions;
    this.#gradients = new Float32Array(vectors.length);
  }

  /** @returns the loss */
  gradient(pairs: readonly (readonly [Words, Words])[]): number {
    const dimensions = this.#dimensions;
    const count = pairs.length;
    const queries = this.#directionsOf(pairs.map(([query]) => query));
    const others = this.#directionsOf(pairs.map(([, other]) => other));
    const scores = new Float32Array(count * count);
    for (let i = 0; i < count; i++)
      for (let j = 0; j < count; j++)
        scores[i * count + j] =
          product(queries.directions, i * dimensions, others.directions, j * dimensions, dimensions) / TEMPERATURE;
    const { slopes, loss } = crossEntropy(scores, count);
    const [ofQueries, ofOthers] = [new Float32Array(count * dimensions), new Float32Array(count * dimensions)];
    for (let i = 0; i < count; i++)
      for (let j = 0; j < count; j++) {
        const slope = slopes[i * count + j]! / TEMPERATURE;
        if (Math.abs(slope) < LEAST_SLOPE) continue;
        addTimes(slope, others.directions, j * dimensions, ofQueries, i * dimensions, dimensions);
        addTimes(slope, queries.directions, i * dimensions, ofOthers, j * dimensions, dimensions);
      }
    for (const [i, [query, other]] of pairs.entries()) {
      this.#addGradient(query, i, queries, ofQueries);
      this.#addGradient(other, i, others, ofOthers);
    }
    return loss;
  }

  /** Calls with each word and its gradient, and forgets them. */
  eachWord(use: (word: number, gradient: Float32Array) => void): void {
    const dimensions = this.#dimensions;
    for (const word of this.#touched) {
      const gradient = this.#gradients.subarray(word * dimensions, (word + 1) * dimensions);
      use(word, gradient);
      gradient.fill(0);
    }
    this.#touched.clear();
  }

  /** The sums of the words of each text, of length 1, and how long they were. */
  #directionsOf(texts: readonly Words[]) {
    const dimensions = this.#dimensions;
    const directions = new Float32Array(texts.length * dimensions);
    const lengths = new Float32Array(texts.length);
    for (const [i, words] of texts.entries()) {
      for (const word of words)
        for (let k = 0; k < dimensions; k++) directions[i * dimensions + k]! += this.#vectors[word * dimensions + k]!;
      const direction = directions.subarray(i * dimensions, (i + 1) * dimensions);
      const length = Math.hypot(...direction) || 1;
      for (let k = 0; k < dimensions; k++) direction[k]! /= length;
      lengths[i] = length;
    }
    return { directions, lengths };
  }

  /** Of a sum's direction only what turns it has an effect; each of its words gets all of it. */
  #addGradient(
    words: Words,
    i: number,
    { directions, lengths }: { readonly directions: Float32Array; readonly lengths: Float32Array },
    slopes: Float32Array,
  ): void {
    const dimensions = this.#dimensions;
    const at = i * dimensions;
    let along = 0;
    for (let k = 0; k < dimensions; k++) along += slopes[at + k]! * directions[at + k]!;
    const turning = new Float32Array(dimensions);
    for (let k = 0; k < dimensions; k++) turning[k] = (slopes[at + k]! - along * directions[at + k]!) / lengths[i]!;
    for (const word of words) {
      this.#touched.add(word);
      for (let k = 0; k < dimensions; k++) this.#gradients[word * dimensions + k]! += turning[k]!;
    }
  }
}

function product(a: Float32Array, atA: number, b: Float32Array, atB: number, dimensions: number): number {
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let k = 0; k < dimensions; k += 4) {
    one += a[atA + k]! * b[atB + k]!;
    two += a[atA + k + 1]! * b[atB + k + 1]!;
    three += a[atA + k + 2]! * b[atB + k + 2]!;
    four += a[atA + k + 3]! * b[atB + k + 3]!;
  }
  return one + two + three + four;
}

function addTimes(
  factor: number,
  from: Float32Array,
  atFrom: number,
  to: Float32Array,
  atTo: number,
  dimensions: number,
) {
  for (let k = 0; k < dimensions; k++) to[atTo + k]! += factor * from[atFrom + k]!;
}

/** Of finding the right column for each row and the right row for each column, half each; and its slope by score. */
function crossEntropy(scores: Float32Array, count: number) {
  const slopes = new Float32Array(count * count);
  let loss = 0;
  const add = (at: (i: number) => number, right: number) => {
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) most = Math.max(most, scores[at(i)]!);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += Math.exp(scores[at(i)]! - most);
    for (let i = 0; i < count; i++)
      slopes[at(i)]! += (Math.exp(scores[at(i)]! - most) / sum - (i === right ? 1 : 0)) / (2 * count);
    loss += (most + Math.log(sum) - scores[at(right)]!) / (2 * count);
  };
  for (let row = 0; row < count; row++) add((i) => row * count + i, row);
  for (let column = 0; column < count; column++) add((i) => i * count + column, column);
  return { slopes, loss };
}

/** The same each time (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
