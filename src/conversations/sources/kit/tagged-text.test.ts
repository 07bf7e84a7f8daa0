import { expect, it } from "vitest";
import { tagged, withoutTags } from "./tagged-text.ts";

it("tagged text is found with its attributes, and taken out", () => {
  expect(tagged('a <input mode="act">b\n> c</input> d<input>e</input>', "input")).toEqual({
    within: [
      { attributes: 'mode="act"', text: "b\n> c" },
      { attributes: "", text: "e" },
    ],
    rest: "a  d",
  });
  expect(withoutTags("<a>1</a>2<b>3</b>4", ["a", "b"])).toBe("24");
});

it("tags that are not closed, or only begin so, are plain text", () => {
  for (const text of ["<input>never", "<input", "if a <input and b > c", "<inputs>x</inputs> <inputs>", "</input>"])
    expect(tagged(text, "input"), text).toEqual({ within: [], rest: text });
  expect(tagged("<input <input>x</input>", "input")).toEqual({
    within: [{ attributes: "", text: "x" }],
    rest: "<input ",
  });
});

it.each(["<input>", "<input", "<inputs>", "</input>", "<input></input", ">"])(
  "a megabyte of %s takes no time",
  (piece) => {
    const text = `${piece.repeat(150_000)}</input>`;
    const { within, rest } = tagged(text, "input");
    expect(within.length).toBeLessThan(2);
    expect(rest.length).toBeLessThanOrEqual(text.length);
  },
);
