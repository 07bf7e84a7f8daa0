// The author of each line, by the replacements of edits.
import { describe, expect, it } from "vitest";
import { editsIn } from "./file-edits.ts";
import { explain, type TimedEdit } from "./line-owners.ts";

const edit = (name: string, time: number, removed: string, added: string, isWhole = false) => ({
  name,
  time,
  removed,
  added,
  isWhole,
});

const explained = (text: string, edits: readonly (TimedEdit & { name: string })[]) =>
  explain(text, edits).map(({ edit: { name }, lines }) => `${name}: ${lines.join(",")}`);

describe("a line belongs to", () => {
  it("the edit that wrote it last", () => {
    const text = "one\nprice = round(total)\nthree\n";
    expect(
      explained(text, [
        edit("whole", 1, "", "one\nprice = total\nthree\n", true),
        edit("rounding", 2, "price = total", "price = round(total)"),
      ]),
    ).toEqual(["rounding: 2", "whole: 3"]);
  });

  it("the lines that differ, not to those that were sent to find the place", () => {
    expect(
      explained("first line\nadded line\nlast line", [
        edit("insertion", 1, "first line\nlast line", "first line\nadded line\nlast line"),
      ]),
    ).toEqual(["insertion: 2"]);
  });

  it("an earlier edit through all later ones of the same line", () => {
    expect(
      explained("const limit = 30;", [
        edit("ten", 1, "const limit = 5;", "const limit = 10;"),
        edit("twenty", 2, "limit = 10;", "limit = 20;"),
        edit("thirty", 3, "limit = 20;", "limit = 30;"),
      ]),
    ).toEqual(["thirty: 1", "twenty: ", "ten: "]);
  });
});

describe("a look-alike is no author", () => {
  const text = "alpha();\nretry(5);\nomega();\n";
  const real = edit("real", 5, "retry(3);", "retry(5);");

  it("if its call failed before the real one, or after", () => {
    expect(explained(text, [real, edit("later repeat", 9, "retry(3);", "retry(5);")])).toEqual(["real: 2"]);
    expect(explained(text, [real, edit("other text", 3, "retry(2);", "retry(4);")])).toEqual(["real: 2"]);
  });

  it("if it was taken back", () => {
    expect(
      explained(text, [
        edit("tried", 1, "retry(3);", "retryForever();"),
        edit("taken back", 2, "retryForever();", "retry(3);"),
        real,
      ]),
    ).toEqual(["real: 2", "taken back: ", "tried: "]);
    expect(explained(text, [real, edit("never there", 7, "alpha();", "beta();")])).toEqual(["real: 2"]);
  });

  it("if somebody has made another word of its own", () => {
    expect(explained("uv add shopkeeper\n", [edit("shop", 1, "pip install shop", "uv add shop")])).toEqual([]);
  });

  it("if its text is in several places", () => {
    expect(explained("log(x);\nlog(x);\n", [edit("one of them", 1, "", "log(x);")])).toEqual([]);
  });

  it("if the file was written again and little of its text is left", () => {
    expect(
      explained(text, [edit("old file", 1, "", "other();\nlines();\nentirely();\nalpha();\n", true), real]),
    ).toEqual(["real: 2"]);
  });
});

describe("the edits of a call", () => {
  it.each([
    ["Edit", 'Edit {"file_path":"/a/x.ts","old_string":"a","new_string":"b"}', [["/a/x.ts", "a", "b", false]]],
    [
      "MultiEdit",
      'MultiEdit {"file_path":"/a/x.ts","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}',
      [
        ["/a/x.ts", "a", "b", false],
        ["/a/x.ts", "c", "d", false],
      ],
    ],
    ["Write", 'Write {"file_path":"/a/x.ts","content":"all"}', [["/a/x.ts", "", "all", true]]],
    [
      "edit",
      'edit {"filePath":"x.ts","oldString":"a","newString":"b"}\nEdit applied successfully.',
      [["x.ts", "a", "b", false]],
    ],
    [
      "replace",
      'replace {"file_path":"x.ts","old_string":"a","new_string":"b","instruction":"rename"}',
      [["x.ts", "a", "b", false]],
    ],
    [
      "mcp__commonplace__contentManager_appendContent",
      '… {"filePath":"Log.md","content":"- done"}',
      [["Log.md", "", "- done", false]],
    ],
    [
      "apply_patch",
      "apply_patch *** Begin Patch\n*** Update File: src/x.ts\n@@ fn\n keep\n-old\n+new\n*** Add File: y.ts\n+line\n*** End Patch",
      [
        ["src/x.ts", "keep\nold", "keep\nnew", false],
        ["y.ts", "", "line", true],
      ],
    ],
    [
      "shell",
      `shell ${JSON.stringify({ command: ["apply_patch", "*** Begin Patch\n*** Update File: x.ts\n@@\n-old\n+new\n*** End Patch"] })}`,
      [["x.ts", "old", "new", false]],
    ],
    [
      "diff",
      'diff {"diff":"--- a/x.ts\\n+++ b/x.ts\\n@@ -1,2 +1,2 @@\\n keep\\n-old\\n+new\\n"}',
      [["x.ts", "keep\nold", "keep\nnew", false]],
    ],
    ["Read", 'Read {"file_path":"/a/x.ts"}', []],
    ["Bash", 'Bash {"command":"cat x.ts"}', []],
    ["grep", 'grep {"path":"x.ts","pattern":"{"}', []],
    ["odd", "odd {not json", []],
  ])("%s", (tool, text, edits) => {
    const found = (of: string) =>
      editsIn(tool, of).map(({ file, removed, added, isWhole }) => [file, removed, added, isWhole]);
    expect(found(text)).toEqual(edits);
    // Programs write null for arguments that were not given, at any depth.
    const nulls = '{"before":null,"list":[null,[null],{"in":null}],';
    expect(found(text.replaceAll(/\{(?=")/g, nulls))).toEqual(edits);
  });
});
