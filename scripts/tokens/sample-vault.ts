// A vault for the budgets of results, made up and the same each time: notes as
// people have them, with properties, tables, embeds, block ids and long paths.
// Used by note-budgets.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { noteText } from "../../bench/data/notes.ts";
import { randomNumbers, randomWord } from "../../bench/data/words.ts";

/** A word that is in every note. */
export const COMMON = "harvest";
const NOTES = 60;

export function fillSampleVault(folder: string): void {
  for (let i = 0; i < NOTES; i++) {
    const random = randomNumbers(1000 + i);
    const word = () => randomWord(random);
    const path = `Areas/${word()} ${word()}/${2020 + (i % 6)} ${word()}/${word()} ${word()} ${i}.md`;
    const [heading, ...body] = noteText(i).split("\n");
    const text = [
      "---",
      `title: ${word()} ${word()}`,
      `created: 2026-0${1 + (i % 9)}-11T08:30:00`,
      `tags: [${word()}, ${word()}, ${word()}/${word()}]`,
      `aliases:\n  - ${word()} ${word()}\n  - ${word()}`,
      `status: ${i % 2 === 0 ? "open" : "done"}`,
      `up: "[[${word()} ${word()}]]"`,
      "---",
      heading,
      `![[Attachments/Pasted image 2026011${i}.png|600]]`,
      "",
      `| ${word()} | ${word()} |\n| --- | --- |\n| [[${word()}\\|${COMMON}]] | ${word()} ${word()} | ^row-${i}`,
      ...body,
    ].join("\n");
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
