import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkName, NameTable } from "./resolution.ts";

const vault = NameTable.of([
  "note.md",
  "Work/note.md",
  "Work/Deep/note.md",
  "Work/other.md",
  "Home/other.md",
  "Home/Deep/plan.md",
  "Archive/Home/Deep/plan.md",
  "Images/photo.png",
  "v1.2 plan.md",
  "Café.md",
  "photo.png.md",
]);

describe("what a wikilink means", () => {
  it.each([
    ["the exact path first", "note", "Work/x.md", "note.md"],
    ["the exact path with extension", "Work/note.md", "x.md", "Work/note.md"],
    ["then the note's own folder", "other", "Work/x.md", "Work/other.md"],
    ["below the note's own folder", "Deep/plan", "Home/x.md", "Home/Deep/plan.md"],
    ["then the shortest path", "other", "x.md", "Home/other.md"],
    ["the shortest path that ends with the target", "Deep/plan", "x.md", "Home/Deep/plan.md"],
    ["whole segments only", "eep/plan", "x.md", undefined],
    ["whatever the case", "WORK/NOTE", "x.md", "Work/note.md"],
    ["a dot that is no extension", "v1.2 plan", "x.md", "v1.2 plan.md"],
    ["an attachment, before a note that is called like it", "photo.png", "x.md", "Images/photo.png"],
    ["no attachment without its extension", "photo", "x.md", undefined],
    ["composed and decomposed letters", "Cafe\u0301", "x.md", "Café.md"],
    ["relative to the note", "./note", "Work/x.md", "Work/note.md"],
    ["relative to the note, upwards", "../note", "Work/Deep/x.md", "Work/note.md"],
    ["relative to the note, and nowhere else", "./plan", "Work/x.md", undefined],
    ["never out of the vault", "../note", "x.md", undefined],
    ["from the root, and nowhere else", "/note", "Work/x.md", "note.md"],
    ["from the root, and nowhere else", "/other", "Work/x.md", undefined],
    ["no folder", "Work/", "x.md", undefined],
    ["no folder", "..", "Work/x.md", undefined],
    ["nothing for an unknown name", "nobody", "x.md", undefined],
  ])("%s: [[%s]] in %s", (_rule, target, source, meaning) => {
    expect(vault.resolve(target, source)).toBe(meaning);
  });

  it("breaks a tie between paths of one length by their order", () => {
    const table = NameTable.of(["b/n.md", "a/n.md", "c/n.md"]);
    expect(table.resolve("n", "x.md")).toBe("a/n.md");
  });

  it("prefers the same spelling if files differ in nothing else", () => {
    const table = NameTable.of(["a/note.md", "a/Note.md", "a/NOTE.md"]);
    expect(table.resolve("note", "x.md")).toBe("a/note.md");
    expect(table.resolve("Note", "x.md")).toBe("a/Note.md");
    expect(table.resolve("./NOTE.md", "a/x.md")).toBe("a/NOTE.md");
    expect(table.resolve("nOTE", "x.md")).toBe("a/NOTE.md");
  });
});

describe("what a Markdown destination means", () => {
  it("looks beside the note before the root, and then everywhere", () => {
    expect(vault.resolve("note.md", "Work/x.md", "markdown")).toBe("Work/note.md");
    expect(vault.resolve("note.md", "Home/x.md", "markdown")).toBe("note.md");
    expect(vault.resolve("Deep/plan.md", "Home/x.md", "markdown")).toBe("Home/Deep/plan.md");
    expect(vault.resolve("plan.md", "x.md", "markdown")).toBe("Home/Deep/plan.md");
    expect(vault.resolve("Home/./Deep/../other", "x.md", "markdown")).toBe("Home/other.md");
  });
});

describe("a table after changes", () => {
  it("equals a newly made one, and leaves the old one unchanged", () => {
    const path = fc
      .tuple(fc.constantFrom("", "a/", "a/b/", "c/"), fc.constantFrom("x.md", "X.md", "y.md", "z.png", "y"))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(path), fc.array(fc.tuple(fc.array(path), fc.array(path))), (start, changes) => {
        let table = NameTable.of(start);
        const paths = new Set(start);
        for (const [removed, added] of changes) {
          table = table.with({ removed, added });
          for (const gone of removed) paths.delete(gone);
          for (const come of added) paths.add(come);
        }
        const fresh = NameTable.of(paths);
        for (const target of ["x", "X.md", "y", "a/x", "b/y", "../z.png", "y.md", "b/x.md"]) {
          expect(table.resolve(target, "a/n.md")).toBe(fresh.resolve(target, "a/n.md"));
          expect(table.count(target)).toBe(fresh.count(target));
        }
        for (const one of paths) expect(table.has(one)).toBe(true);
      }),
    );
  });

  it("lets two files change places", () => {
    const swapped = NameTable.of(["a.md", "b/a.md"]).renamed(
      new Map([
        ["a.md", "b/a.md"],
        ["b/a.md", "a.md"],
      ]),
    );
    expect([swapped.has("a.md"), swapped.has("b/a.md"), swapped.count("a.md")]).toEqual([true, true, 2]);
  });
});

it("is quick with a hundred thousand files, thousands of them of one name", () => {
  const paths = Array.from(
    { length: 100_000 },
    (_, i) => `Folder ${i % 5_000}/${i % 3 ? `Note ${i}` : "README"} ${i % 7}.md`,
  );
  const table = NameTable.of(paths);
  let resolved = 0;
  for (let i = 0; i < 100_000; i++)
    if (table.resolve(i % 2 ? `Note ${i} ${i % 7}` : `README ${i % 7}`, paths[i]!) !== undefined) resolved++;
  // All of README; of the notes those whose number three does not divide.
  expect(resolved).toBe(50_000 + 33_333);
  for (let i = 0; i < 1_000; i++) table.renamed(new Map([[paths[i * 3 + 1]!, `New/${i}.md`]]));
});

it("gives a target and every file that it may mean the same link name", () => {
  for (const name of ["Work/Note", "note.md", "../NOTE.MD", "note.md.md", "/note"]) expect(linkName(name)).toBe("note");
  expect(linkName("a/photo.png")).toBe("photo.png");
});
