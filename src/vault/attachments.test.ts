import { describe, expect, it } from "vitest";
import { vaultWith } from "../../test/fixtures/vaults.ts";
import { linksOf } from "./link-report.ts";

const FILES = {
  "Note.md":
    '---\ncover: "[[in a property.png]]"\n---\n![[embedded.png]] [text](Files/in%20markdown.pdf)\n![[gone.png]] [[gone.pdf#page=2]] [[Node.js]] [[Not written]] ![[gone.xyz]] [[gone.canvas]] `![[code.png]]`',
  "Deep/er/Other.md": "![](missing.jpg) ![[Files/elsewhere.png]]",
  "Board.canvas":
    '{"nodes":[{"id":"a","type":"file","file":"Files/in canvas.png"},{"id":"g","type":"group","background":"Files/background.png"}]}',
  "Table.base":
    'filters: file.hasLink("Files/in base.png")\nviews:\n  - type: table\n    filters: \'file == link("Files/in base.png")\'\n',
  "embedded.png": "1",
  "in a property.png": "1",
  "Files/in markdown.pdf": "1",
  "Files/in canvas.png": "1",
  "Files/background.png": "1",
  "Files/in base.png": "1",
  "Files/unused.png": "12345",
  "Files/unused.zip": "123",
  "unused.pdf": "",
  "Notes alone.md": "",
  LICENSE: "a file of a repository, which no note would embed",
  "Files/x.png.part": "temporary",
  ".obsidian/hidden.png": "",
};

async function found(
  vault: ReturnType<typeof vaultWith>["vault"],
  type: "unusedAttachments" | "missingAttachments",
  path = "",
) {
  return (await linksOf(vault, { path, type })).links;
}

describe("attachments", () => {
  const { vault } = vaultWith(FILES);

  it("that no note, property, canvas or base links to are listed with their size", async () => {
    expect(await found(vault, "unusedAttachments")).toEqual([
      { path: "Files/unused.png", size: 5 },
      { path: "Files/unused.zip", size: 3 },
      { path: "unused.pdf", size: 0 },
    ]);
    expect(await found(vault, "unusedAttachments", "Files")).toHaveLength(2);
  });

  it("that HTML in a note or canvas shows are in use", async () => {
    const files = ["a b.png", "b.PNG", "c.png", "d.mp4", "e.pdf", "f.png", "Ü.png", "unused.png"];
    const { vault: own } = vaultWith({
      "Note.md":
        '<img src="Files/a%20b.png" width="3"> <IMG SRC=\'b.png\'> <video poster=../Files/c.png><source src="d.mp4#t=3"></video>\n<a href="Files/e.pdf?x">e</a> <img alt="unused.png" src="%zz">',
      "Board.canvas": JSON.stringify({ nodes: [{ id: "a", type: "text", text: '<img src="Files/f.png">' }] }),
      "Deep/Other.md": `<img src="../Files/U\u0308.png">`,
      ...Object.fromEntries(files.map((name) => [`Files/${name}`, "1"])),
    });
    expect(await found(own, "unusedAttachments")).toEqual([{ path: "Files/unused.png", size: 1 }]);
  });

  it("that are linked and do not exist are listed with the link, and where they would be", async () => {
    expect(await found(vault, "missingAttachments")).toEqual([
      { from: "Deep/er/Other.md", target: "missing.jpg", expected: "missing.jpg" },
      { from: "Deep/er/Other.md", target: "Files/elsewhere.png" },
      { from: "Note.md", target: "gone.png", expected: "gone.png" },
      { from: "Note.md", target: "gone.pdf", expected: "gone.pdf" },
      { from: "Note.md", target: "gone.xyz", expected: "gone.xyz" },
    ]);
    expect(await found(vault, "missingAttachments", "Deep")).toHaveLength(2);
    expect(await found(vault, "missingAttachments", "Notes alone")).toEqual([]);
  });

  it("are expected at the path that a canvas has, or that is relative to the note", async () => {
    const { vault: own } = vaultWith({
      ".obsidian/app.json": '{"attachmentFolderPath": "./att"}',
      "Board.canvas": '{"nodes":[{"id":"a","type":"file","file":"gone.png"}]}',
      "Deep/er/N.md": "![](../z%20w.png) ![[./own.png]] ![](../../../out.png)",
    });
    expect(await found(own, "missingAttachments")).toEqual([
      { from: "Board.canvas", target: "gone.png", expected: "gone.png" },
      { from: "Deep/er/N.md", target: "../z w.png", expected: "Deep/z w.png" },
      { from: "Deep/er/N.md", target: "./own.png", expected: "Deep/er/own.png" },
      { from: "Deep/er/N.md", target: "../../../out.png" },
    ]);
  });

  it.each([
    ["/", "x.png"],
    ["Attachments", "Attachments/x.png"],
    ["Attachments/", "Attachments/x.png"],
    ["./", "A/B/x.png"],
    ["./media", "A/B/media/x.png"],
  ])("would be where Obsidian's setting %s puts them: %s", async (attachmentFolderPath, expected) => {
    const { vault } = vaultWith({
      "A/B/Note.md": "![[x.png]]",
      ".obsidian/app.json": JSON.stringify({ attachmentFolderPath }),
    });
    expect(await found(vault, "missingAttachments")).toEqual([{ from: "A/B/Note.md", target: "x.png", expected }]);
  });
});
