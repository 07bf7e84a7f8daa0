import { expect, test } from "vitest";
import { allOf, anyOf, ftsExpression, phrase, prefix } from "./text-query.ts";

test.each([
  [phrase(["note"]), '"note"'],
  [phrase(["two", "words"]), '"two words"'],
  [prefix(["not"]), '"not" *'],
  [anyOf([phrase(["note"])]), '"note"'],
  [allOf([phrase(["note"]), anyOf([prefix(["vaul"]), phrase(["build"])])]), '"note" AND ("vaul" * OR "build")'],
  [anyOf([phrase(["a"]), anyOf([phrase(["b"]), phrase(["c"])])]), '"a" OR ("b" OR "c")'],
  [anyOf([phrase(["a"]), allOf([phrase(["b"]), phrase(["c"])])]), '"a" OR ("b" AND "c")'],
])("a text query is printed to FTS5: %#", (query, expression) => {
  expect(ftsExpression(query)).toBe(expression);
});
