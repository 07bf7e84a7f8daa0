import { describe, expect, it } from "vitest";
import { expectLinearTime } from "../../../test/growth.ts";
import { yamlScalars } from "./yaml-scalars.ts";

const scalarsIn = (text: string) =>
  yamlScalars(text, { start: 0, end: text.length }).map(({ start, end }) => text.slice(start, end));

describe("scalars of YAML", () => {
  it("are found in collections of every kind, links without quotes as one", () => {
    expect(scalarsIn("a: [[b]]\nc: [d, [[e f]], 'g']\n- h: i # no\nj: k [[l: m]] n\n")).toEqual([
      "a",
      "[[b]]",
      "c",
      "d",
      "[[e f]]",
      "g",
      "h",
      "i ",
      "j",
      "k [[l: m]] n",
    ]);
    expect(scalarsIn("a: [[b, c]]\nd: [[e\nf]]\ng: |\n  h: i\nj: k")).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
      "f",
      "g",
      "  h: i\n",
      "j",
      "k",
    ]);
  });

  it.each(["[", "[[a ", "a [[b ", "a: ", "| ", "|: ", "> a: ", "- ", "{", "# ", "a: |\n ", "[[a]] ", "'a' "])(
    "are found in linear time in a text of many %j",
    (piece) => expectLinearTime((size) => piece.repeat(size), scalarsIn, 100_000),
  );
});
