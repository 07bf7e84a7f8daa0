import { expect, test } from "vitest";
import { BareValues, type ValueContext } from "./bare-values.ts";

const PLAIN: ValueContext = { isElement: false, isCell: false, isWhole: false, isLineStart: false };
const ELEMENT = { ...PLAIN, isElement: true };
const CELL = { ...PLAIN, isCell: true };
const WHOLE = { ...PLAIN, isWhole: true };
const LINE = { ...WHOLE, isLineStart: true };

/** Longer than what is examined of a value. */
const LONG = "s3".repeat(300);

test.each<[context: ValueContext, value: string, behind: string]>([
  [PLAIN, "s3cret", ""],
  [PLAIN, "s3cret", " and more"],
  [PLAIN, "s3cret", "\nnext line"],
  [PLAIN, "s3cret", '"'],
  [PLAIN, "s3cret", "\\n"],
  [PLAIN, "s3cret", "&quot;"],
  [PLAIN, "s3cret", "%22, x"],
  [PLAIN, "s3cret", "&#34; x"],
  [PLAIN, "s3cret", "\\u0022 x"],
  [PLAIN, "s3cret", "\u001B[0m x"],
  [PLAIN, "s3,c)r]e}t", " x"],
  [PLAIN, "s3cret", ", and more"],
  [PLAIN, "s3cret", "), and more"],
  [PLAIN, "s3cret", "],"],
  [PLAIN, "s3cret", "&user=anna"],
  [PLAIN, "s3cret", ";user name=anna"],
  [PLAIN, "s3cret", "%26user%3Danna"],
  [PLAIN, "s3cret", ",user:anna"],
  [PLAIN, LONG, " x"],
  [ELEMENT, "s3,cret&x=1", "</key> x"],
  [ELEMENT, "s3cret", " x"],
  [CELL, "s3,cret", "|other| x"],
  [CELL, "s3,cret", " | x"],
  [WHOLE, "s3,c)ret", " x"],
  [WHOLE, "s3cret", ", x"],
  [WHOLE, "s3cret", "), x"],
  [WHOLE, "s3,cret", ";"],
  [WHOLE, `${LONG.slice(0, 511)},x`, " y"],
  [WHOLE, LONG, " x"],
  [WHOLE, `${LONG},`, " x"],
  [WHOLE, "s3cret", "&user=anna"],
  [LINE, "s3,c)ret),", "\nnext"],
  [LINE, "s3cret", "&user=anna"],
  [LINE, `${LONG},`, "\nnext"],
])("in the context %j the value %s ends before %j", (context, value, behind) => {
  const before = "key=";
  const bare = new BareValues(before + value + behind);
  expect(bare.endFrom(before.length, context)).toBe(before.length + value.length);
});

test("values of one text are found in any order", () => {
  const text = "a=one1 b=two2,c=three3 d=four4";
  const bare = new BareValues(text);
  for (const value of ["two2", "one1", "four4", "three3", "two2"])
    expect(bare.endFrom(text.indexOf(value), PLAIN)).toBe(text.indexOf(value) + value.length);
});
