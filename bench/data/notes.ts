// Notes for benchmarks, made up and the same each time: words as often as in a
// language, and notes as long as those of the sample vault (median 2 kB, mean
// 6.6 kB: most are short, a few are very long).
import { randomNumbers, randomWord } from "./words.ts";

const MEDIAN_LINES = 28;
const MAX_LINES = 2500;
const SPREAD = 1.5;

export function noteText(i: number): string {
  const random = randomNumbers(i + 1);
  const word = () => randomWord(random);
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const length = Math.min(MAX_LINES, Math.ceil(MEDIAN_LINES * Math.exp(SPREAD * normal)));
  const lines = Array.from({ length }, () => Array.from({ length: 12 }, word).join(" "));
  return `# ${word()} ${word()} ${i}\n\n${lines.join(".\n")}.\n`;
}
