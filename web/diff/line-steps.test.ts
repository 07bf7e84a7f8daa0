// Differences of texts: right for any two, and words within lines.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceOf, type DifferenceLine } from "./line-steps.ts";

const shown = (lines: readonly DifferenceLine[]) =>
  lines.map((line) => {
    if (line.kind === "gap") return `… ${line.count}`;
    const mark = { same: " ", added: "+", removed: "-" }[line.kind];
    return mark + line.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join("");
  });

/** Returns one side of the difference, if nothing is left out. */
const sideOf = (lines: readonly DifferenceLine[], without: "added" | "removed") =>
  lines.flatMap((line) =>
    line.kind === "gap" || line.kind === without ? [] : [line.parts.map(({ text }) => text).join("")],
  );

describe("a difference of two texts", () => {
  it("marks the words that differ within a line", () => {
    expect(shown(differenceOf("one two three\nend\n", "one 2 three\nend\n"))).toEqual([
      "-one [two] three",
      "+one [2] three",
      " end",
    ]);
  });

  it("shows whole lines where they have little in common, and what was added alone", () => {
    expect(shown(differenceOf("apples\n", "something else entirely\n"))).toEqual([
      "-apples",
      "+something else entirely",
    ]);
    expect(shown(differenceOf("a\nc\n", "a\nb\nc\n"))).toEqual([" a", "+b", " c"]);
    expect(shown(differenceOf("", "new\n"))).toEqual(["+new"]);
    expect(differenceOf("same\n", "same\n")).toEqual([]);
  });

  it("leaves out what is far from any change", () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    const after = lines.with(10, "line X");
    expect(shown(differenceOf(lines.join("\n"), after.join("\n")))).toEqual([
      "… 7",
      " line 7",
      " line 8",
      " line 9",
      "-line [10]",
      "+line [X]",
      " line 11",
      " line 12",
      " line 13",
      "… 6",
    ]);
  });

  it("has both texts in it, whatever they are", () => {
    const text = fc.array(fc.constantFrom("a", "b", "a b", "b a c", ""), { maxLength: 7 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = differenceOf([...before, "end"].join("\n"), [...after, "end"].join("\n"));
        if (lines.some(({ kind }) => kind === "gap") || lines.length === 0) return;
        expect(sideOf(lines, "added")).toEqual([...before, "end"]);
        expect(sideOf(lines, "removed")).toEqual([...after, "end"]);
      }),
    );
  });

  it("of two long texts with nothing in common takes one step from all of one to all of the other", () => {
    const before = Array.from({ length: 5_000 }, (_, i) => `a${i}`).join("\n");
    const after = Array.from({ length: 5_000 }, (_, i) => `b${i}`).join("\n");
    expect(differenceOf(before, after)).toHaveLength(10_000);
  });
});
