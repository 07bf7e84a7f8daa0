// The names of kinds of files, and how their source is shown.
import { describe, expect, it } from "vitest";
import { fileKind } from "./file-kind.ts";

describe("the kind of a file", () => {
  it.each([
    ["Notes/Kyoto.md", "note", ""],
    ["LICENSE", "text", ""],
    [".gitignore", "text", ""],
    ["a.folder/README", "text", ""],
    ["Data/people.CSV", "text", "csv"],
    ["Notes/todo.txt", "text", ""],
    ["Templates/Books.base", "base", "yaml"],
    ["Plans/Beds.canvas", "canvas", "json"],
    ["Photo.JPEG", "image", ""],
    ["memo.m4a", "audio", ""],
    ["talk.webm", "video", ""],
    ["paper.pdf", "pdf", ""],
    ["archive.zip", "other", ""],
    ["constructor.__proto__", "other", ""],
  ])("of %s is %s", (path, kind, language) => {
    expect(fileKind(path)).toMatchObject({ kind, language });
  });
});
