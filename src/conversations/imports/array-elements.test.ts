import { describe, expect, it } from "vitest";
import { ArrayElements } from "./array-elements.ts";

/** Reads a text that comes in pieces of so many bytes. */
function read(text: string, size: number) {
  const elements = new ArrayElements();
  const bytes = Buffer.from(text);
  const values: unknown[] = [];
  const hashes: string[] = [];
  const piece = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    // The same buffer each time, as readers of files have it.
    const length = bytes.copy(piece, 0, at, at + size);
    for (const { value, hash } of elements.push(piece.subarray(0, length))) {
      values.push(value);
      hashes.push(hash);
    }
  }
  return { values, hashes, isComplete: elements.isComplete };
}

const VALUES = [
  { a: 'quote " backslash \\ brackets ]}[{', b: [{ c: [1, { d: {} }] }] },
  {},
  { "}": "]", größe: "日本語 😀", end: "\\" },
];

describe("the elements of an array", () => {
  it.each([1, 2, 7, 64, 4096])("are the same in pieces of %i bytes", (size) => {
    const { values, isComplete } = read(` \uFEFF${JSON.stringify(VALUES, undefined, 1)}\n`, size);
    expect(values).toEqual(VALUES);
    expect(isComplete).toBe(true);
  });

  it("have a hash of their own bytes, wherever they are", () => {
    const one = read(`[${JSON.stringify(VALUES[0])}]`, 5).hashes;
    expect(read(`[{"x":1},${JSON.stringify(VALUES[0])}]`, 9).hashes[1]).toBe(one[0]);
    expect(read('[{"x":1},{"x":2}]', 9).hashes[0]).not.toBe(one[0]);
  });

  it("are objects only; others are left out", () => {
    expect(read('[1, "{", null, [{"a": 1}], {"b": 2}, true]', 3).values).toEqual([{ b: 2 }]);
  });

  it("may be one object without an array, or one for each line", () => {
    expect(read('{"a": [1]}', 4).values).toEqual([{ a: [1] }]);
    expect(read('{"a": 1}\n{"a": 2}\n', 4).values).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("that are damaged are reported, and do not hide the others", () => {
    const { values, isComplete } = read('[{"a": nonsense}, {"b": 2}]', 4);
    expect(values).toEqual([undefined, { b: 2 }]);
    expect(isComplete).toBe(true);
  });

  it.each(['[{"a": 1}, {"b": ', '[{"a": 1}, {"b": "', '[{"a": 1}', "", "no JSON"])(
    "are incomplete if the file is: %s",
    (text) => {
      const { values, isComplete } = read(text, 3);
      expect(values).toEqual(text.startsWith("[") ? [{ a: 1 }] : []);
      expect(isComplete).toBe(false);
    },
  );

  it("that are very large are read with their long texts cut", () => {
    const elements = new ArrayElements();
    const values: unknown[] = [];
    const push = (text: string) => {
      for (const { value } of elements.push(Buffer.from(text))) values.push(value);
    };
    push('[{"id": "x", "text": "');
    for (let i = 0; i < 40; i++) push("0123456789abcdef".repeat(1 << 16));
    push('", "end": 1}]');
    expect(values).toHaveLength(1);
    expect(values[0]).toMatchObject({ id: "x", end: 1 });
    expect((values[0] as { text: string }).text.length).toBeLessThanOrEqual(4_000_000);
  });
});
