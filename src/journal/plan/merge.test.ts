import { describe, expect, test } from "vitest";
import { merge } from "./merge.ts";

const merged = (base: string, ours: string, theirs: string) =>
  merge(...([base, ours, theirs].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]))?.toString("utf8");

describe("two changes of one text", () => {
  test.each([
    ["an append and another text", "a\n", "a\nours\n", "b\nc\n", "b\nc\nours\n"],
    ["an append and more at the end", "a\n", "a\nours\n", "a\ntheirs\n", "a\ntheirs\nours\n"],
    ["an append to the beginning of what was being written", "a", "a\nours\n", "a\nb\n", "a\nb\nours\n"],
    ["an append to nothing", "", "ours\n", "theirs", "theirs\nours\n"],
    ["an append without a newline at the end", "a", "a\nours", "theirs", "theirs\nours"],
    ["a change above and one below", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"],
    ["a change below and one above", "a\nb\nc\n", "a\nb\nC\n", "A\nb\nc\n", "A\nb\nC\n"],
    ["no change of ours", "a\n", "a\n", "b\n", "b\n"],
    ["an append, and nothing left of theirs", "a\n", "a\nours\n", "", "ours\n"],
  ])("are both made: %s", (_, base, ours, theirs, both) => {
    expect(merged(base, ours, theirs)).toBe(both);
  });

  test.each([
    ["the same line", "a\n", "ours\n", "theirs\n"],
    ["the same place", "a\nb\n", "a\nours\nb\n", "a\ntheirs\nb\n"],
    ["properties of an emptied note", "", "---\nours: 1\n---\n", "---\ntheirs: 1\n---\n"],
    ["bytes that are no text", "a\0", "a\0ours", "b\0"],
  ])("are not, where they meet: %s", (_, base, ours, theirs) => {
    expect(merged(base, ours, theirs)).toBeUndefined();
  });

  test("are not, if half a character would be left", () => {
    expect(merge(Buffer.from("é"), Buffer.from("é!"), Buffer.from([0xc3]))).toBeUndefined();
  });
});
