import { describe, expect, it } from "vitest";
import { layOut } from "./graph-layout.ts";

describe("the graph of a note", () => {
  it("has the note in the middle, and two steps around it, in both directions of links", () => {
    const { notes, links } = layOut("a", [
      { from: "a", to: "b" },
      { from: "c", to: "a" },
      { from: "c", to: "d" },
      { from: "d", to: "e" },
    ]);
    expect(notes.map(({ path, steps }) => [path, steps])).toEqual([
      ["a", 0],
      ["c", 1],
      ["b", 1],
      ["d", 2],
    ]);
    expect(notes[0]).toMatchObject({ x: 0, y: 0 });
    expect(links.map(({ from, to }) => from.path + to.path)).toEqual(["ab", "ca", "cd"]);
  });

  it("keeps notes apart, within its bounds, and is the same each time", () => {
    const links = Array.from({ length: 40 }, (_, i) => ({ from: "a", to: `note ${i}` }));
    const { notes, bounds } = layOut("a", links);
    for (const [i, note] of notes.entries()) {
      expect(note.x).toBeGreaterThan(bounds.x);
      expect(note.y).toBeLessThan(bounds.y + bounds.height);
      for (const other of notes.slice(i + 1))
        expect(Math.hypot(note.x - other.x, note.y - other.y)).toBeGreaterThan(15);
    }
    expect(layOut("a", links)).toEqual(layOut("a", links));
  });

  it("shows a few of the notes behind one that has very many", () => {
    const links = [{ from: "a", to: "hub" }, ...Array.from({ length: 300 }, (_, i) => ({ from: "hub", to: `${i}` }))];
    expect(layOut("a", links).notes).toHaveLength(8);
  });

  it("of a note without links is the note alone", () => {
    expect(layOut("a", []).notes.map(({ path }) => path)).toEqual(["a"]);
  });
});
