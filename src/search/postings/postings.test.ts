import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allOf, anyOf, phrase, prefix, type TextQuery } from "../text-query.ts";
import { NewTexts } from "./new-texts.ts";
import { evaluate, onlyColumns } from "./posting-search.ts";
import {
  BLOCK_SIZE,
  COLUMNS,
  countsIn,
  type Entry,
  entryOf,
  fingerprintOf,
  mergedCounts,
  mergedPlaces,
  occurrencesIn,
  packBlock,
  placeAt,
  placesIn,
  unpackBlock,
} from "./postings.ts";

/** A text, as the words of its columns. */
type Text = readonly (readonly string[])[];

function placesOf(text: Text): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [column, words] of text.entries())
    for (const [i, word] of words.entries()) places.set(word, [...(places.get(word) ?? []), placeAt(column, i)]);
  return places;
}

/** The rows of each word, by block. */
function storedWords(texts: readonly Text[]) {
  const blocks = new Map<string, Map<number, Map<number, Entry>>>();
  for (const [ordinal, text] of texts.entries())
    for (const [word, places] of placesOf(text)) {
      const ofWord = blocks.get(word) ?? new Map<number, Map<number, Entry>>();
      blocks.set(word, ofWord);
      const block = Math.floor(ordinal / BLOCK_SIZE);
      ofWord.set(block, (ofWord.get(block) ?? new Map<number, Entry>()).set(ordinal % BLOCK_SIZE, entryOf(places)));
    }
  const rows = (word: string) =>
    [...(blocks.get(word) ?? [])].map(([block, entries]) => ({ block, ...packBlock(entries) }));
  /** Of all words that begin so, one row for each block. */
  const begun = (beginning: string) =>
    [
      ...Map.groupBy(
        [...blocks.keys()].filter((word) => word.startsWith(beginning)).flatMap(rows),
        ({ block }) => block,
      ),
    ].map(([block, some]) => ({
      block,
      counts: Buffer.concat(some.map(({ counts }) => counts)),
      places: Buffer.concat(some.map(({ places }) => places)),
    }));
  return {
    rows,
    words: {
      counts: async (terms: readonly string[]) => new Map(terms.map((term) => [term, countsIn(rows(term))])),
      places: async (terms: readonly string[]) => new Map(terms.map((term) => [term, placesIn(rows(term))])),
      begunCounts: async (beginning: string) => mergedCounts(countsIn(begun(beginning))),
      begunPlaces: async (beginning: string) => mergedPlaces(placesIn(begun(beginning))),
    },
  };
}

const word = fc.constantFrom("a", "b", "c", "ab", "abc", "longer");
const text = fc.array(fc.array(word, { maxLength: 6 }), { minLength: COLUMNS.length, maxLength: COLUMNS.length });

function has(one: Text, query: TextQuery, columns: readonly number[]): boolean {
  if (query.kind === "all") return query.of.every((each) => has(one, each, columns));
  if (query.kind === "any") return query.of.some((each) => has(one, each, columns));
  return one.some(
    (words, column) =>
      columns[column]! > 0 &&
      words.some((_, at) =>
        query.terms.every((term, i) => {
          const found = words[at + i] ?? "";
          return query.isPrefix && i === query.terms.length - 1 ? found.startsWith(term) : found === term;
        }),
      ),
  );
}

describe("the places of a word, packed into blocks,", () => {
  it("are what they were, also after a text of the block is replaced", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), fc.nat(7), text, (texts, at, other) => {
        const { rows } = storedWords(texts);
        for (const term of ["a", "abc", "longer"]) {
          const entries = unpackBlock(rows(term)[0] ?? { counts: new Uint8Array(), places: new Uint8Array() });
          const places = placesOf(other).get(term);
          if (places === undefined) entries.delete(at);
          else entries.set(at, entryOf(places));
          const block = { block: 3, ...packBlock(entries) };
          const expected = [...texts.entries()]
            .filter(([i]) => i !== at)
            .concat([[at, other]])
            .sort(([a], [b]) => a - b)
            .flatMap(([i, one]) => (placesOf(one).get(term) ?? []).map((place) => [3 * BLOCK_SIZE + i, place]));
          const found = placesIn([block]);
          expect([...found.texts].map((ordinal, i) => [ordinal, found.places[i]])).toEqual(expected);
          const { texts: having, counts } = countsIn([block]);
          expect([...having]).toEqual([...new Set(expected.map(([ordinal]) => ordinal))]);
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(expected.length);
          expect([...entries.values()].reduce((sum, entry) => sum + occurrencesIn(entry), 0)).toBe(expected.length);
        }
      }),
    );
  });

  it("are the same if many new texts are packed at once", () => {
    const sizes = fc.record({ words: fc.integer({ min: 1, max: 4 }), bytes: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), sizes, (texts, most) => {
        const { rows } = storedWords(texts);
        const added = new NewTexts();
        for (const [i, one] of texts.entries())
          expect(added.add(i, placesOf(one))).toEqual(
            [...placesOf(one)].flatMap(([term, places]) => [term, fingerprintOf(entryOf(places))]),
          );
        const packed = [...added.rows(most)].flatMap(({ terms, bytes, starts, middles, ends }) =>
          terms.map((term, i) => ({
            term,
            counts: [...bytes.subarray(starts[i], middles[i])],
            places: [...bytes.subarray(middles[i], ends[i])],
          })),
        );
        const all = [...new Set(texts.flat(2))].sort();
        expect(packed).toEqual(
          all.map((term) => ({ term, counts: [...rows(term)[0]!.counts], places: [...rows(term)[0]!.places] })),
        );
        const counted = [...added.words()].map(({ term, texts: having, occurrences }) => [term, having, occurrences]);
        const expected = all.map((term) => {
          const having = texts.filter((one) => one.flat().includes(term)).length;
          return [term, having, texts.flat(2).filter((each) => each === term).length];
        });
        expect(counted.sort()).toEqual(expected);
      }),
    );
  });

  it("take positions and counts of any size", () => {
    const places = [placeAt(0, 0), placeAt(0, 127), placeAt(0, 128), placeAt(0, 4_000_000), placeAt(5, 70_000)];
    const found = placesIn([{ block: 400, ...packBlock(new Map([[BLOCK_SIZE - 1, entryOf(places)]])) }]);
    expect([...found.places]).toEqual(places);
    expect(new Set(found.texts)).toEqual(new Set([400 * BLOCK_SIZE + BLOCK_SIZE - 1]));
  });
});

describe("a query", () => {
  it("finds the texts that have what it asks for, in the columns that it asks for", async () => {
    const terms = fc.tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.boolean());
    const leaf = terms.map(([some, isPrefix]) => (isPrefix ? prefix(some) : phrase(some)));
    const query = fc.oneof(
      leaf,
      fc.array(leaf, { minLength: 1, maxLength: 3 }).map(allOf),
      fc
        .array(fc.oneof(leaf, fc.array(leaf, { minLength: 1, maxLength: 2 }).map(allOf)), {
          minLength: 1,
          maxLength: 3,
        })
        .map(anyOf),
    );
    const columns = fc.constantFrom(onlyColumns(...COLUMNS), onlyColumns("name", "title"), onlyColumns("headings"));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), query, columns, async (texts, asked, among) => {
        const { texts: found } = await evaluate(storedWords(texts).words, asked, among);
        expect([...found]).toEqual(
          [...texts.entries()].filter(([, one]) => has(one, asked, among)).map(([ordinal]) => ordinal),
        );
      }),
    );
  });
});
