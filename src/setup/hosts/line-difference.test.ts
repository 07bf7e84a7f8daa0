import { expect, it } from "vitest";
import { differenceOf } from "./line-difference.ts";

it("shows removed and added lines with two lines of context", () => {
  expect(differenceOf("1\n2\n3\n4\n5\n6\n", "1\n2\n3\nx\n5\n6\n")).toBe("  2\n  3\n- 4\n+ x\n  5\n  6");
  expect(differenceOf("", "a\nb\n")).toBe("+ a\n+ b");
  expect(differenceOf("a\r\nb\r\n", "a\r\nc\r\nb\r\n")).toBe("  a\n+ c\n  b");
});

it("shows unchanged lines between two changes", () => {
  expect(differenceOf("a\nb\nc", "x\nb\ny")).toBe("- a\n+ x\n  b\n- c\n+ y");
});

it("is empty if the texts are equal", () => {
  expect(differenceOf("a\nb", "a\nb")).toBe("");
});

it("shows the part of a long line that changes", () => {
  const many = Array.from({ length: 200 }, (_, i) => `"key${i}":${i}`);
  const [before, after] = [many, many.toSpliced(150, 0, '"new":{"command":"node"}')].map((each) => `{${each.join()}}`);
  const [removed, added, ...rest] = differenceOf(before!, after!).split("\n");
  expect(rest).toEqual([]);
  expect(added).toMatch(/^\+ ….*"key149":149,"new":\{"command":"node"\},"key150":150.*…$/);
  expect(removed).toMatch(/^- ….*"key149":149,"key150":150.*…$/);
  expect(Math.max(removed!.length, added!.length)).toBeLessThan(200);
  expect(differenceOf(`${"x".repeat(900)}a`, `${"x".repeat(900)}b`)).toBe(
    `- …${"x".repeat(50)}a\n+ …${"x".repeat(50)}b`,
  );
});

it("cuts long lines", () => {
  expect(differenceOf("", "x".repeat(5000)).length).toBe(160);
});
