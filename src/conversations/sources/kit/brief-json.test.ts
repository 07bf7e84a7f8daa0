// That brief JSON has everything but what was to be left out or cut.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { briefBytes, briefJson, type CutKeys } from "./brief-json.ts";

const CUT: CutKeys = [{ key: "output" }, { key: "inner", depth: 3 }, { key: "unused", isLeftOut: true }];
const LONG = 'a size (größe) → "x" \\ 日本語\n'.repeat(100);

const brief = (value: unknown, space?: number) => briefJson(Buffer.from(JSON.stringify(value, undefined, space)), CUT);

describe("brief JSON", () => {
  it("keeps the beginning of long texts below a key, and all of what is elsewhere", () => {
    const read = brief({ text: LONG, output: LONG, after: [{ output: { deep: [LONG, 1] } }, LONG] }) as {
      output: string;
      after: [{ output: { deep: [string, number] } }, string];
    };
    expect(read).toMatchObject({ text: LONG, after: [{ output: { deep: [expect.any(String), 1] } }, LONG] });
    for (const cut of [read.output, read.after[0].output.deep[0]]) {
      expect(LONG.startsWith(cut)).toBe(true);
      expect(cut.length).toBeGreaterThan(50);
      expect(cut.length).toBeLessThan(300);
    }
  });

  it("leaves out whole values, of any type and in any form", () => {
    for (const unused of [LONG, [LONG, [LONG]], { unused: { a: LONG }, "}": "]" }, 5, true, null])
      for (const space of [0, 2])
        expect(brief({ before: LONG, unused, after: [LONG, 7] }, space)).toEqual({
          before: LONG,
          unused: null,
          after: [LONG, 7],
        });
    expect(brief([LONG, { unused: 5 }, { unused: LONG }])).toEqual([LONG, { unused: null }, { unused: null }]);
  });

  it("knows a key only where it has to be deep enough", () => {
    const [outer, inner] = [brief({ inner: LONG }), brief({ a: [{ inner: LONG }] })];
    expect(outer).toEqual({ inner: LONG });
    expect(inner).not.toEqual({ a: [{ inner: LONG }] });
  });

  it("takes no text for a key, and no key in a text", () => {
    const text = `"output":"${"x".repeat(2_000)}`;
    expect(brief({ text, list: ["output", LONG], output: 1, other: LONG })).toEqual({
      text,
      list: ["output", LONG],
      output: 1,
      other: LONG,
    });
  });

  it("cuts no escape and no character in two", () => {
    const unit = fc.constantFrom("a", '"', "\\", "\n", "\u0001", "é", "→", "😀", "\ud800", " ");
    const long = fc.array(unit, { minLength: 600, maxLength: 700 }).map((units) => units.join(""));
    fc.assert(
      fc.property(long, (output) => {
        const read = brief({ output, after: 1 }) as { output: string; after: number };
        expect(output.startsWith(read.output)).toBe(true);
        expect(read.after).toBe(1);
      }),
    );
  });

  it("is what JSON.parse gives where nothing is cut", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1), (value, space) => {
        const bytes = Buffer.from(JSON.stringify({ value, [LONG]: LONG }, undefined, space));
        expect(briefJson(bytes, CUT)).toEqual(JSON.parse(bytes.toString()));
        expect(briefBytes(bytes, CUT)).toEqual(bytes);
      }),
    );
  });

  it("is as a whole what a list of bytes is", () => {
    const bytes = Buffer.from(JSON.stringify({ output: LONG, unused: [LONG], text: LONG }));
    expect(JSON.parse(briefBytes(bytes, CUT).toString())).toEqual(briefJson(bytes, CUT));
  });

  it.each(['{"text":"', '{"unused":"', '{"unused":["', '{"unused":{"a":1', "{", '{"output"', '"'])(
    "is none if it is incomplete: %s",
    (beginning) => {
      expect(() => briefJson(Buffer.from(beginning + "x".repeat(1_000)), CUT)).toThrow(SyntaxError);
    },
  );
});
