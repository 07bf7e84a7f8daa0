import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../../test/growth.ts";
import { cutsOf, meaningOf, meantWords, nearnessOf, passagesOf, SCALE } from "./passages.ts";
import { wordTableBytes, wordTableIn } from "./word-table.ts";

/** Two directions: animals and tools. */
const WORDS = { cat: [127, 0], dog: [120, 40], hammer: [0, 127], nail: [10, 126], wood: [60, 112] };
const WEIGHTS: Readonly<Record<string, number>> = { wood: 0.5 };
const table = wordTableIn(
  wordTableBytes(
    Object.entries(WORDS).map(([word, vector]) => ({
      word,
      vector: Int8Array.from(vector),
      weight: WEIGHTS[word] ?? 1,
    })),
  ),
);
const words = (text: string) => meantWords(table, text.split(" "), () => 1);

describe("the table of words", () => {
  it("knows its words and no others, and refuses another file", () => {
    expect(words("cat hammer nothing").map(({ word }) => word)).toEqual([0, 2]);
    expect(() => wordTableIn(Buffer.from("something else altogether"))).toThrow("no table");
  });

  it("has what each word counts", () => {
    expect([...table.weights]).toEqual([1, 1, 1, 1, 0.5]);
  });

  it("that ships has 60,000 words, fits into 8 MB, and knows what is alike", () => {
    const file = join(import.meta.dirname, "../../../assets/word-vectors/words.bin");
    const bytes = readFileSync(file);
    expect(bytes.length).toBeLessThan(8_000_000);
    const shipped = wordTableIn(bytes);
    expect(shipped.weights).toHaveLength(60_000);
    const near = (a: string, b: string) =>
      nearnessOf(
        shipped,
        meantWords(shipped, [a], () => 1),
        b,
      );
    expect(near("doctor", "physician")).toBeGreaterThan(near("doctor", "carpet") + 0.3);
    expect(near("squid", "octopus")).toBeGreaterThan(near("squid", "parliament") + 0.3);
  });
});

describe("passages", () => {
  it("end with a paragraph once they are long enough, and cover the text", () => {
    const paragraph = `${"The cat and the dog were there. ".repeat(8)}\n\n`;
    const text = paragraph.repeat(6);
    const passages = passagesOf(table, "Title", text);
    expect(passages.length).toBeGreaterThan(1);
    expect(passages[0]!.start).toBe(0);
    expect(passages.at(-1)!.end).toBe(text.length);
    for (const [i, { end }] of passages.entries()) {
      expect(passages[i + 1]?.start ?? end).toBe(end);
      expect(text.slice(0, end)).toMatch(/\n\n$/);
    }
  });

  it("of one long paragraph are cut anyway, and very many are not made", () => {
    const passages = passagesOf(table, "", "cat dog hammer ".repeat(50_000));
    expect(passages).toHaveLength(200);
    for (const { start, end } of passages) expect(end - start).toBeLessThan(1_000);
  });

  it.each([
    ["unknown words", "längste "],
    ["unknown words in lines", "längste\n"],
    ["known words in short paragraphs", "cat\n\n"],
  ])("take linear time for %s", (_, piece) => {
    expectLinearTimeForText(piece, (text) => passagesOf(table, "", text), 2_000_000);
    expectLinearTimeForText(piece, cutsOf, 2_000_000);
  });

  it("without known words have no meaning, in whatever script", () => {
    expect(passagesOf(table, "", "東京は日本の首都です。 ".repeat(50))).toEqual([]);
    expect(passagesOf(table, "", "Wörter, die es nicht gibt. ".repeat(50))).toEqual([]);
    // A part of a word is not a word.
    expect(passagesOf(table, "", "catś ścat cat's ".repeat(1))).toEqual([]);
  });

  it("point where their words do, in length 1", () => {
    const [passage] = passagesOf(table, "", "cat dog cat dog cat");
    expect(Math.hypot(...passage!.vector) / SCALE).toBeLessThan(1.01);
    const along = (meaning: Float32Array) => meaning.reduce((sum, value, i) => sum + value * passage!.vector[i]!, 0);
    expect(along(meaningOf(table, words("dog"))!)).toBeGreaterThan(along(meaningOf(table, words("nail"))!));
  });

  it("are the sums of all their words and four times those of the title, however many these are and however often one comes", () => {
    const letters = (n: number) => [...String(n)].map((digit) => "abcdefghij"[Number(digit)]).join("");
    const names = Array.from({ length: 700 }, (_, i) => `w${letters(i)}`);
    const vectors = names.map((_, i) =>
      Int8Array.from({ length: 6 }, (__, k) => ((i * 37 + k * 101 + i * i * k) % 201) - 100),
    );
    const many = wordTableIn(
      wordTableBytes(names.map((word, i) => ({ word, vector: vectors[i]!, weight: 1 + (i % 7) }))),
    );
    const title = names.slice(0, 600);
    const text = Array.from({ length: 150 }, (_, i) => names[500 + ((i * i) % 90)]!);
    const sum = Array.from({ length: 6 }, (_, k) =>
      [...title, ...title, ...title, ...title, ...text].reduce((all, word) => {
        const i = names.indexOf(word);
        return all + many.weights[i]! * vectors[i]![k]!;
      }, 0),
    );
    const length = Math.hypot(...sum);
    const [passage] = passagesOf(many, title.join(" "), text.join(" "));
    expect([...passage!.vector]).toEqual(
      sum.map((value) => Math.max(-127, Math.min(127, Math.round((value / length) * SCALE)))),
    );
  });
});
