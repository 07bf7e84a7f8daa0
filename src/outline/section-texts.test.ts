import { describe, expect, it } from "vitest";
import { outlineOf } from "../../test/fixtures/outlines.ts";
import { markdownText, plainText, sectionOf } from "./section-texts.ts";

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
