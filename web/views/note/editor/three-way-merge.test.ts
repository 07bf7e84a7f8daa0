import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergedText, mergeTexts } from "./three-way-merge.ts";

const merged = (base: string, mine: string, theirs: string) => mergedText(mergeTexts(base, mine, theirs));

describe("a merge of two changes", () => {
  it.each([
    ["in different lines has both", "a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"],
    ["of which one adds and one removes has both", "a\nb\nc\nd", "a\nc\nd", "a\nb\nc\nd\ne", "a\nc\nd\ne"],
    ["that are the same has them once", "a\nb", "a\nB", "a\nB", "a\nB"],
    ["of which one is none is the other", "a\nb", "a\nb", "x\ny\nz", "x\ny\nz"],
    ["at the beginning and the end of an empty line", "", "x", "", "x"],
  ])("%s", (_, base, mine, theirs, result) => {
    expect(merged(base, mine, theirs)).toBe(result);
  });

  it("of the same line is a conflict, with what surrounds it agreed", () => {
    expect(mergeTexts("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc")).toEqual([
      { kind: "agreed", lines: ["a"] },
      { kind: "conflict", base: ["b"], mine: ["mine"], theirs: ["theirs"] },
      { kind: "agreed", lines: ["c"] },
    ]);
  });

  it("that add different lines at the same place is a conflict, so that none is lost", () => {
    expect(merged("a\nb", "a\nmine\nb", "a\ntheirs\nb")).toBeUndefined();
  });

  const TEXT = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 }).map((lines) => lines.join("\n"));

  it("with one side unchanged is the other side, and does not depend on which side is which", () => {
    fc.assert(
      fc.property(TEXT, TEXT, TEXT, (base, mine, theirs) => {
        expect(merged(base, mine, base)).toBe(mine);
        expect(merged(base, base, theirs)).toBe(theirs);
        expect(merged(base, mine, mine)).toBe(mine);
        expect(merged(base, mine, theirs)).toBe(merged(base, theirs, mine));
      }),
    );
  });

  it("has every line of both sides somewhere, agreed or in conflict", () => {
    fc.assert(
      fc.property(TEXT, TEXT, TEXT, (base, mine, theirs) => {
        const parts = mergeTexts(base, mine, theirs);
        const side = (pick: "mine" | "theirs") =>
          parts.flatMap((part) => (part.kind === "agreed" ? part.lines : part[pick]));
        for (const [text, lines] of [
          [mine, side("mine")],
          [theirs, side("theirs")],
        ] as const)
          for (const line of text.split("\n")) if (!base.split("\n").includes(line)) expect(lines).toContain(line);
      }),
    );
  });
});
