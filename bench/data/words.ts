// Made-up words and random numbers that are the same in every run. Used by the
// data of all benchmarks, so that each has the vocabulary of a language.

/** A few words are everywhere, most of them are rare. */
const VOCABULARY = 30_000;
const SYLLABLES =
  "ba be bi bo da de di do fa fe ga go ha ka ke la le li lo ma me mi mo na ne no pa pe ra re ri ro sa se si so ta te ti to va ve za".split(
    " ",
  );

/** The word of a rank: 0 is the most frequent one. */
export function wordAt(rank: number): string {
  let word = "";
  for (let rest = rank + 50; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}

export const WORDS: readonly string[] = Array.from({ length: VOCABULARY }, (_, rank) => wordAt(rank));

/** The word of rank r comes about as often as 1/r. */
export function randomWord(random: () => number): string {
  return WORDS[Math.floor(VOCABULARY ** random()) - 1]!;
}

/** Numbers from 0 to below 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Common and rare words, one to three of them. */
export function queryAt(i: number): string {
  const words = [wordAt(200 + i * 17), wordAt(3_000 + i * 101), wordAt(40 + i * 7)];
  return words.slice(0, 1 + (i % 3)).join(" ");
}
