import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  lineEndingOf,
  lineNumberAt,
  lineStartsOf,
  readNoteText,
  withLineEndingsOf,
  writeNoteText,
} from "./note-text.ts";
import { Problem } from "../kernel/problem.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("reading a note", () => {
  it("keeps every character, and takes the byte order mark off", () => {
    const note = readNoteText(encode("\uFEFFa\r\nb\r\n"));
    expect(note).toEqual({ text: "a\r\nb\r\n", hasByteOrderMark: true, lineEnding: "\r\n" });
  });

  it("takes off one byte order mark only", () => {
    const note = readNoteText(encode("\uFEFF\uFEFFa"));
    expect(note.text).toBe("\uFEFFa");
    expect(writeNoteText(note, note.text)).toEqual(encode("\uFEFF\uFEFFa"));
  });

  it.each([
    ["a stray continuation byte", bytes(0x61, 0x80)],
    ["a character cut off at the end", bytes(0xe2, 0x82)],
    ["an encoded surrogate", bytes(0xed, 0xa0, 0x80)],
    ["an overlong slash", bytes(0xc0, 0xaf)],
    ["UTF-16 with its mark", bytes(0xff, 0xfe, 0x61, 0x00)],
    ["a NUL", bytes(0x61, 0x00, 0x62)],
  ])("refuses %s instead of repairing it", (_, input) => {
    expect(() => readNoteText(input)).toThrow(Problem);
  });

  it.each([
    ["binary", "an image", bytes(0x89, 0x50, 0x4e, 0x47, 0x00, 0x00)],
    ["binary", "a NUL", bytes(0x61, 0x00, 0x62)],
    ["not valid UTF-8", "Latin-1", bytes(0x63, 0x61, 0x66, 0xe9)],
    ["not valid UTF-8", "UTF-16 with its mark", bytes(0xff, 0xfe, 0x61, 0x00)],
    ["not valid UTF-8", "UTF-16 with the other mark", bytes(0xfe, 0xff, 0x00, 0x61)],
  ])("says that it is %s: %s", (sentence, _, input) => {
    expect(() => readNoteText(input)).toThrow(sentence);
  });

  it("says of an empty file that it has no line ending and no final newline", () => {
    expect(readNoteText(bytes())).toEqual({
      text: "",
      hasByteOrderMark: false,
      lineEnding: undefined,
    });
  });
});

describe("writing a note", () => {
  it("returns the same bytes for the same text, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.boolean(), (text, mark) => {
        fc.pre(!text.includes("\0") && !text.startsWith("\uFEFF"));
        const before = encode((mark ? "\uFEFF" : "") + text);
        const note = readNoteText(before);
        expect(writeNoteText(note, note.text)).toEqual(before);
      }),
    );
  });

  it("refuses half a surrogate pair, which would come back as another character", () => {
    expect(() => writeNoteText({ hasByteOrderMark: false }, "a\uD800b")).toThrow(Problem);
  });

  it("refuses a NUL, which would make the note unreadable", () => {
    expect(() => writeNoteText({ hasByteOrderMark: false }, "a\0b")).toThrow(Problem);
  });
});

describe("line endings", () => {
  it.each([
    ["", undefined],
    ["a", undefined],
    ["a\rb", undefined],
    ["a\nb", "\n"],
    ["a\r\nb", "\r\n"],
    ["a\r\nb\r\nc\nd", "\r\n"],
    ["a\r\nb\nc", "\n"],
  ])("of %j: the ones that most lines have (%j)", (text, expected) => {
    expect(lineEndingOf(text)).toBe(expected);
  });

  it("an insertion takes on those of the note", () => {
    expect(withLineEndingsOf({ lineEnding: "\r\n" }, "a\nb\r\nc")).toBe("a\r\nb\r\nc");
    expect(withLineEndingsOf({ lineEnding: "\n" }, "a\nb\r\nc\rd")).toBe("a\nb\nc\rd");
  });

  it("an insertion into a note of one line stays as it is", () => {
    expect(withLineEndingsOf({ lineEnding: undefined }, "a\nb\r\nc")).toBe("a\nb\r\nc");
  });
});

describe("lines", () => {
  it.each([
    ["", [0]],
    ["\n", [0]],
    ["a", [0]],
    ["a\n", [0]],
    ["a\nb", [0, 2]],
    ["a\r\n\r\n", [0, 3]],
  ])("of %j start at %j: a final newline starts no further one", (text, starts) => {
    expect(lineStartsOf(text)).toEqual(starts);
  });

  it("are counted from 1, and a line break belongs to the line that it ends", () => {
    expect([0, 1, 2, 3].map((offset) => lineNumberAt("a\nb\n", offset))).toEqual([1, 1, 2, 2]);
  });
});
