// Notes for benchmarks, made up and the same each time: words as often as in a
// language, and notes as long as those of the sample vault (median 2 kB, mean
// 6.6 kB: most are short, a few are very long).

/** A few words are everywhere, most of them are rare. */
const VOCABULARY = 30_000;
const SYLLABLES =
  "ba be bi bo da de di do fa fe ga go ha ka ke la le li lo ma me mi mo na ne no pa pe ra re ri ro sa se si so ta te ti to va ve za".split(
    " ",
  );
const MEDIAN_LINES = 28;
const MOST_LINES = 2500;
const SPREAD = 1.5;

export function wordAt(rank: number): string {
  let word = "";
  for (let rest = rank + 50; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}

export function noteText(i: number): string {
  let seed = (i + 1) * 2_654_435_761;
  const random = () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return seed / 4_294_967_296;
  };
  // The word of rank r comes about as often as 1/r.
  const word = () => wordAt(Math.floor(VOCABULARY ** random()) - 1);
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const length = Math.min(MOST_LINES, Math.ceil(MEDIAN_LINES * Math.exp(SPREAD * normal)));
  const lines = Array.from({ length }, () => Array.from({ length: 12 }, word).join(" "));
  return `# ${word()} ${word()} ${i}\n\n${lines.join(".\n")}.\n`;
}
