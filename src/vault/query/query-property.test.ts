// Random queries of random notes, against a plain evaluation of the same conditions.
import fc from "fast-check";
import { expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { queryVault } from "./query.ts";

interface Note {
  readonly n?: number;
  readonly word?: string;
  readonly day?: string;
  readonly tags?: readonly string[];
}

const WORD = fc.constantFrom("apple", "Banana", "cherry", "date", "apple pie");
const DAY = fc.integer({ min: 10, max: 28 }).map((day) => `2026-05-${day}`);
const NOTE: fc.Arbitrary<Note> = fc.record(
  { n: fc.integer({ min: -5, max: 5 }), word: WORD, day: DAY, tags: fc.subarray(["a", "a/b", "c"]) },
  { requiredKeys: [] },
);

/** A condition as an object, as an expression, and as a function of a note. */
interface Condition {
  readonly object: unknown;
  readonly expression: string;
  readonly holds: (note: Note) => boolean;
}

const COMPARISONS = {
  gt: [">", (a: number, b: number) => a > b],
  gte: [">=", (a: number, b: number) => a >= b],
  lt: ["<", (a: number, b: number) => a < b],
  lte: ["<=", (a: number, b: number) => a <= b],
} as const;

const LEAF: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...(["gt", "gte", "lt", "lte"] as const)), fc.integer({ min: -5, max: 5 }))
    .map(([key, number]) => {
      const [sign, test] = COMPARISONS[key];
      return {
        object: { n: { [key]: number } },
        expression: `n ${sign} ${number}`,
        holds: ({ n }: Note) => n !== undefined && test(n, number),
      };
    }),
  fc.tuple(DAY, DAY).map(([from, to]) => ({
    object: { day: { between: [from, to] } },
    expression: `(day >= date("${from}") && day <= "${to}")`,
    holds: ({ day }: Note) => day !== undefined && day >= from && day <= to,
  })),
  WORD.map((word) => ({
    object: { word },
    expression: `word == "${word}"`,
    holds: (note: Note) => note.word === word,
  })),
  fc.constantFrom("ap", "an", "e").map((part) => ({
    object: { word: { contains: part.toUpperCase() } },
    expression: `word.lower().contains("${part}")`,
    holds: ({ word = "" }: Note) => word.toLowerCase().includes(part),
  })),
  fc.constantFrom("a", "c").map((tag) => ({
    object: `file.hasTag("${tag}")`,
    expression: `file.tags.filter(value.toString().replace("#", "").split("/")[0] == "${tag}").length > 0`,
    holds: ({ tags = [] }: Note) => tags.some((one) => one === tag || one.startsWith(`${tag}/`)),
  })),
  fc.constantFrom("n" as const, "word" as const, "day" as const).map((name) => ({
    object: { [name]: { exists: true } },
    expression: `!${name}.isEmpty()`,
    holds: (note: Note) => note[name] !== undefined,
  })),
);

const CONDITION: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => {
  const parts = fc.array(tie("condition"), { minLength: 1, maxLength: 3 });
  return {
    condition: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      LEAF,
      parts.map((all) => ({
        object: { and: all.map(({ object }) => object) },
        expression: `(${all.map(({ expression }) => expression).join(" && ")})`,
        holds: (note: Note) => all.every(({ holds }) => holds(note)),
      })),
      parts.map((all) => ({
        object: { or: all.map(({ object }) => object) },
        expression: `(${all.map(({ expression }) => expression).join(" || ")})`,
        holds: (note: Note) => all.some(({ holds }) => holds(note)),
      })),
      parts.map((all) => ({
        object: { not: all.map(({ object }) => object) },
        expression: `!(${all.map(({ expression }) => expression).join(" || ")})`,
        holds: (note: Note) => !all.some(({ holds }) => holds(note)),
      })),
    ),
  };
}).condition;

function textOf({ n, word, day, tags }: Note): string {
  const lines = [
    n !== undefined && `n: ${n}`,
    word !== undefined && `word: ${word}`,
    day !== undefined && `day: ${day}`,
    tags !== undefined && `tags: [${tags.join(", ")}]`,
  ];
  return `---\n${lines.filter(Boolean).join("\n")}\n---\n`;
}

it("finds and sorts what a plain evaluation finds, as an object and as an expression", async () => {
  const notes = fc.sample(NOTE, { numRuns: 300, seed: 7 });
  const pathOf = (i: number) => `${String(i).padStart(3, "0")}.md`;
  const { vault } = vaultWith(Object.fromEntries(notes.map((note, i) => [pathOf(i), textOf(note)])));
  await vault.index.refresh();
  await fc.assert(
    fc.asyncProperty(CONDITION, fc.constantFrom(1, -1), async ({ object, expression, holds }, direction) => {
      const found = notes.map((note, i) => ({ ...note, path: pathOf(i) })).filter(holds);
      const expected = [
        ...found.filter(({ n }) => n !== undefined).sort((a, b) => direction * (a.n! - b.n!)),
        ...found.filter(({ n }) => n === undefined),
      ].map(({ path, n = null }) => [path, n]);
      for (const where of [object, expression]) {
        const sort = [direction === 1 ? "n" : "n desc"];
        const answer = await queryVault(vault, { where, select: ["n"], sort });
        expect([...answer.rows(0)]).toEqual(expected);
        expect(answer.warnings()).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
  await vault.close();
});
