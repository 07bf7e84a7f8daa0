import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, editBetween, inverseEdits } from "./splice.ts";

const content = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes.map((byte) => byte % 3)));

test("an edit between any two contents leads from one to the other and back", () => {
  fc.assert(
    fc.property(content, content, (before, after) => {
      const made = applyEdits(before, [editBetween(before, after)]);
      expect(made.after).toEqual(after);
      expect(applyEdits(after, inverseEdits(made.splices)).after).toEqual(before);
    }),
  );
});

test("any sorted edits can be reversed at once", () => {
  const edits = fc.array(fc.tuple(fc.nat(9), fc.nat(9), content), { maxLength: 6 });
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 120, maxLength: 120 }), edits, (before, drawn) => {
      let offset = 0;
      const list = drawn.map(([gap, length, bytes]) => {
        const edit = { offset: offset + gap, length, bytes };
        offset += gap + length;
        return edit;
      });
      const made = applyEdits(before, list);
      expect([...applyEdits(made.after, inverseEdits(made.splices)).after]).toEqual([...before]);
    }),
  );
});

test("an append to a long file is stored without removed bytes", () => {
  const before = Buffer.alloc(10_000_000, "abc\n");
  const edit = editBetween(before, Buffer.concat([before, Buffer.from("more")]));
  expect(edit).toMatchObject({ offset: before.length, length: 0 });
  const inMiddle = Buffer.from(before);
  inMiddle.write("XY", 5_000_000);
  expect(editBetween(before, inMiddle)).toMatchObject({ offset: 5_000_000, length: 2 });
});

test("edits that overlap or lie outside are refused", () => {
  const bytes = Buffer.from("abc");
  const empty = Buffer.alloc(0);
  expect(() => applyEdits(bytes, [{ offset: 2, length: 2, bytes: empty }])).toThrow(RangeError);
  expect(() =>
    applyEdits(bytes, [
      { offset: 1, length: 1, bytes: empty },
      { offset: 0, length: 1, bytes: empty },
    ]),
  ).toThrow(RangeError);
});
