import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinearTime } from "../../../test/growth.ts";
import { mostSimilar } from "./similar-text.ts";

/** Returns the matches, as text. */
function found(text: string, wanted: string, threshold: number): string[] {
  return mostSimilar(text, wanted, threshold).map(({ start, end }) => text.slice(start, end));
}

describe("the most similar place", () => {
  it("is found for texts far longer than 32 characters", () => {
    const wanted = "The quick brown fox jumps over the lazy dog, and then it sleeps for a while.";
    const there = wanted.replace("sleeps", "slept").replace("lazy", "layz");
    expect(found(`First.\n\n${there}\n\nLast.\n`, wanted, 0.9)).toEqual([there]);
  });

  it("needs to be as similar as the threshold says: higher is stricter", () => {
    const text = "one two three four five six seven eight\n";
    const wanted = "one two three FOUR five six seven eight";
    expect(found(text, wanted, 0.85)).toHaveLength(1);
    expect(found(text, wanted, 0.95)).toEqual([]);
    expect(found("something else altogether, of about that length\n", wanted, 0.6)).toEqual([]);
  });

  it("says how similar it is: one minus edits over length", () => {
    expect(mostSimilar("abcdefghij", "abcdeXghij", 0.5)[0]!.similarity).toBeCloseTo(0.9);
    expect(mostSimilar("abcdefghij", "abcdeghij", 0.5)[0]!.similarity).toBeCloseTo(0.9);
    expect(mostSimilar("abcdefghi", "abcdefghij", 0.5)[0]!.similarity).toBeCloseTo(0.9);
  });

  it("hardly minds white space", () => {
    const text = "- a  task\r\n\t- with\ttabs   \r\n    - and spaces\r\n";
    expect(found(text, "- a task\n  - with tabs\n  - and spaces\n", 0.99)).toEqual([text]);
    expect(mostSimilar(text, "- a task\n  - with tabs", 0.99)[0]!.similarity).toBe(0.999);
  });

  it("is the better one of two", () => {
    expect(found("the cat sat on the mat\nthe cat sad on the map\n", "the cat sat on the mad", 0.8)).toEqual([
      "the cat sat on the mat",
    ]);
  });

  it("is the better one even if the other has more q-grams in common", () => {
    const wanted =
      "Every note has a place of its own, a name that says what it is, and links to those it belongs with.";
    const inOnePlace = wanted.replace("name that", "X#Y#Z#Z#Q");
    const scattered = wanted
      .replace("note", "nXte")
      .replace("own", "oXn")
      .replace("says", "saXs")
      .replace("links", "liXks")
      .replace("belongs", "belXngs");
    expect(found(`${inOnePlace}\n${"0123456789".repeat(30)}\n${scattered}\n`, wanted, 0.9)).toEqual([scattered]);
  });

  it("is all of those that are equally good, in their order", () => {
    expect(mostSimilar("a line 1\nother\na line 2\n", "a line 3", 0.8).map(({ start }) => start)).toEqual([0, 15]);
  });

  it("cuts no word in two, and takes no line break that was not meant", () => {
    expect(found("Say: the end is near! Then go.\n", "the end is near.", 0.9)).toEqual(["the end is near!"]);
    expect(found("x\nthe end is near\nnext\n", "the end is near.", 0.9)).toEqual(["the end is near"]);
    expect(found("x\nthe end is nearly\nnext\n", "the end is nearby", 0.8)).toEqual(["the end is nearly"]);
    expect(found("x\n!the end is near\n", "?the end is near", 0.9)).toEqual(["!the end is near"]);
  });

  it("replaces only what was quoted if a word is quoted in part", () => {
    expect(found("the quick brown foxes\n", "the quik brown fox", 0.9)).toEqual(["the quick brown fox"]);
  });

  it("may be at the very start, at the very end, or everything", () => {
    expect(found("abcdefghij klm", "abcdXfghij", 0.9)).toEqual(["abcdefghij"]);
    expect(found("klm abcdefghij", "abcdXfghij", 0.9)).toEqual(["abcdefghij"]);
    expect(found("abcdefghij", "abcdXfghij", 0.9)).toEqual(["abcdefghij"]);
    expect(found("", "abc", 0.5)).toEqual([]);
    expect(found("ab", "abcdefgh", 0.9)).toEqual([]);
  });

  it("is found wherever it is, for any text with few enough edits", () => {
    const word = fc.constantFrom("note", "vault", "link", "the", "of", "idea", "draft", "日本", "é", "x");
    const prose = fc.array(word, { minLength: 20, maxLength: 60 }).map((words) => words.join(" "));
    const edit = fc.record({
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      kind: fc.constantFrom("cut", "add", "swap"),
    });
    fc.assert(
      fc.property(prose, prose, prose, fc.array(edit, { maxLength: 6 }), (before, wanted, after, edits) => {
        let there = `BEGIN${wanted}END`;
        for (const { at, kind } of edits) {
          const place = Math.floor(at * there.length);
          const kept = kind === "add" ? place : place + 1;
          there = there.slice(0, place) + (kind === "cut" ? "" : "#") + there.slice(kept);
        }
        fc.pre(there !== `BEGIN${wanted}END`);
        const pattern = `BEGIN${wanted}END`;
        const threshold = 1 - edits.length / Math.max(there.length, pattern.length);
        fc.pre(threshold >= 0.8);
        const matches = mostSimilar(`${before} ${there} ${after}`, pattern, threshold - 1e-6);
        expect(matches.length).toBeGreaterThan(0);
        for (const match of matches) {
          expect(match.similarity).toBeGreaterThanOrEqual(threshold - 1e-6);
          expect(match.start < before.length + there.length + 1 && match.end > before.length).toBe(true);
        }
      }),
    );
  });

  it("is found in a megabyte in well under a second, and so is its absence", () => {
    let state = 7;
    const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    const words = Array.from({ length: 2000 }, () => random(2_000_000_000).toString(36));
    const note = Array.from({ length: 160_000 }, (_, i) => words[random(2000)]! + (i % 12 === 11 ? "\n" : " ")).join(
      "",
    );
    expect(note.length).toBeGreaterThan(1_000_000);
    const wanted = note.slice(600_000, 602_000).replaceAll("a", "A");
    expect(mostSimilar(note, wanted, 0.9)).toHaveLength(1);
    expect(mostSimilar(note, wanted.split("").toReversed().join(""), 0.9)).toEqual([]);
    expect(mostSimilar("- [ ] task\n".repeat(100_000), "- [ ] tusk\n".repeat(180), 0.8).length).toBeGreaterThan(1);
  });

  it.each(["x", "alpha beta ", "- [ ] a\n"])("costs no more the longer it is, in a text of %j alone", (part) => {
    const text = part.repeat(400_000 / part.length);
    const wanted = (size: number) => `${part.repeat(Math.ceil(size / part.length))}Z`;
    for (const threshold of [0.6, 0.95])
      expectLinearTime(wanted, (each) => mostSimilar(text, each, threshold), 200_000);
  });

  it("is not found if others may be as good, and there was no time to compare them", () => {
    const wanted = `${"x".repeat(100_000)}y`;
    expect(mostSimilar(`${"x".repeat(100_000)}z\n\n${"x".repeat(600_000)}`, wanted, 0.9)).toEqual([]);
  });
});
