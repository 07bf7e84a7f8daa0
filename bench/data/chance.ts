// Made-up prose, output of tools and ids of conversations, the same for the same
// seed. Used by the stores of conversations that benchmarks read.
import { randomNumbers, randomWord, WORDS } from "./words.ts";

export class Chance {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomNumbers(seed + 1);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  prose(length: number): string {
    let text = "";
    while (text.length < length) text += `${randomWord(this.next)} `;
    return `${text.trimEnd()}.`;
  }

  /** Lines as tools print them: numbers, paths, code. */
  code(length: number): string {
    let text = "";
    for (let line = 1; text.length < length; line++) {
      const name = WORDS[this.below(3_000)]!;
      const mark = line % 2 === 0 ? "→" : ":";
      text += `${String(line).padStart(5)}${mark}\tconst ${name} = await ${WORDS[this.below(500)]}("src/${name}.ts", { id: ${this.below(9_999)} });\n`;
    }
    return text;
  }

  uuid(): string {
    const hex = () => this.below(65_536).toString(16).padStart(4, "0");
    return `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-8${hex().slice(1)}-${hex()}${hex()}${hex()}`;
  }

  /** Most results are short, and a few make up most of the bytes: what the model got, and what is kept in full. */
  sizesOfResult(): readonly [number, number] {
    const share = this.next();
    if (share < 0.7) return [160, 1_000];
    return share < 0.9 ? [2_000, 8_000] : [8_500, 43_000];
  }
}
