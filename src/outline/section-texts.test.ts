import { describe, expect, it } from "vitest";
import { outlineOf } from "../../test/fixtures/outlines.ts";
import { rowsOfContent } from "./inserted-content.ts";
import type { NewRow } from "./model.ts";
import { rowsBelow } from "./rows.ts";
import { markdownText, markdownWithIds, plainText, sectionOf } from "./section-texts.ts";

describe("a section as text", () => {
  const outline = outlineOf([
    { topic: "Before" },
    {
      topic: "Section Title",
      note: "attached note content",
      children: [{ topic: "Item 1", children: [{ topic: "Sub-item" }] }, { topic: "Item 2" }],
    },
  ]);

  it("matches the contract's Markdown", () => {
    expect(markdownText(sectionOf(outline, "Section Title"))).toBe(
      "# Section Title\n\n- Item 1\n  - Sub-item\n- Item 2\n\n> Note: attached note content",
    );
  });

  it("comes back as it was when it is inserted, with notes, boxes and topics that look like Markdown", () => {
    const odd = [
      { topic: "- dash", note: "> quoted\n\n- x", children: [{ topic: "# hash", state: "checked" as const }] },
      { topic: "1. one", children: [{ topic: "[ ] box" }, { topic: "---" }] },
    ];
    const rows = [{ topic: "Part", note: "of the part\nin two lines", children: odd }];
    const text = markdownText(sectionOf(outlineOf(rows), "Part"));
    const plain = ({ topic, note = "", state, children = [] }: NewRow): object => ({
      topic,
      note,
      state: state ?? "none",
      children: children.map(plain),
    });
    expect(rowsOfContent(text, "markdown").map(plain)).toEqual(rows.map(plain));
  });

  it("has the id of each row, for an outline as a whole", () => {
    const rows = [...rowsBelow(outline, null)];
    expect(markdownWithIds(rows).split("\n")).toEqual([
      `- Before {${rows[0]!.id}}`,
      `- Section Title {${rows[1]!.id}}`,
      "  > Note: attached note content",
      `  - Item 1 {${rows[2]!.id}}`,
      `    - Sub-item {${rows[3]!.id}}`,
      `  - Item 2 {${rows[4]!.id}}`,
    ]);
  });

  it("matches the contract's plain text", () => {
    expect(plainText(sectionOf(outline, "Section Title"))).toBe("Section Title\n  Item 1\n    Sub-item\n  Item 2");
  });

  it("is the whole document under its name if no row is given", () => {
    expect(plainText(sectionOf(outline))).toBe(
      "Test.opml\n  Before\n  Section Title\n    Item 1\n      Sub-item\n    Item 2",
    );
    expect(markdownText(sectionOf(outlineOf([])))).toBe("# Test.opml");
  });

  it("has checkboxes, notes below their rows, and texts of several lines", () => {
    const rows = outlineOf([
      {
        topic: "S",
        children: [
          { topic: "done", state: "checked", note: "one\n\ntwo" },
          { topic: "open", state: "unchecked", children: [{ topic: "first\nsecond", note: "n" }] },
          { topic: "half", state: "mixed" },
          { topic: "" },
        ],
      },
    ]);
    expect(markdownText(sectionOf(rows, "S"))).toBe(
      [
        "# S",
        "",
        "- [x] done",
        "  > Note: one",
        "  >",
        "  > two",
        "- [ ] open",
        "  - first",
        "    second",
        "    > Note: n",
        "- [ ] half",
        "-",
      ].join("\n"),
    );
    expect(plainText(sectionOf(rows, "S"))).toBe("S\n  done\n  open\n    first\n    second\n  half\n  ");
  });

  it("throws for a row that does not exist", () => {
    expect(() => sectionOf(outline, "z")).toThrow(expect.objectContaining({ code: "row_not_found" }));
  });
});
