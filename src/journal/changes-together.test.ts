// Joins what several entries of the journal made of each file.
import { describe, expect, it } from "vitest";
import type { FileChange } from "./changes.ts";
import { changesTogether } from "./changes-together.ts";

const changed = (path: string, before?: string, after?: string): FileChange => ({
  kind: "changed",
  path,
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});
const together = (...files: FileChange[]) => changesTogether(files.map((file) => ({ files: [file] })));

describe("the changes of several entries", () => {
  it("are those from before the first to after the last, for each file", () => {
    expect(together(changed("A.md", "1", "2"), changed("B.md", "x", "y"), changed("A.md", "2", "3"))).toEqual([
      changed("A.md", "1", "3"),
      changed("B.md", "x", "y"),
    ]);
  });

  it("have no text on a side that is not known", () => {
    expect(together(changed("A.md", "1", "2"), changed("A.md"))).toEqual([changed("A.md", "1")]);
    expect(together(changed("A.md"), changed("A.md", "1", "2"))).toEqual([changed("A.md", undefined, "2")]);
  });

  it("follow a file to where it was moved, by itself and with its folder", () => {
    const moves: FileChange[] = [
      { kind: "moved", path: "A.md", to: "In/B.md" },
      { kind: "moved", path: "In", to: "Out" },
    ];
    expect(together(changed("A.md", "1", "2"), ...moves, changed("Out/B.md", "2", "3"))).toEqual([
      { kind: "moved", path: "In", to: "Out" },
      { kind: "changed", path: "A.md", before: "1", to: "Out/B.md", after: "3" },
    ]);
  });

  it("show a file that was made as made, where it is now, and not one that went again", () => {
    const made: FileChange = { kind: "created", path: "New.md", after: "1" };
    expect(together(made, changed("New.md", "1", "2"), { kind: "moved", path: "New.md", to: "Old.md" })).toEqual([
      { kind: "created", path: "Old.md", after: "2" },
    ]);
    expect(together(made, { kind: "deleted", path: "New.md" })).toEqual([]);
    expect(together(changed("A.md", "1", "2"), { kind: "deleted", path: "A.md" })).toEqual([
      { kind: "deleted", path: "A.md" },
    ]);
  });
});
