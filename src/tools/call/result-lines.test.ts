import { describe, expect, it } from "vitest";
import { asLines } from "./result-lines.ts";

describe("a result as lines", () => {
  it("has a line for each field, without those that say nothing", () => {
    expect(asLines({ success: true, data: { path: "A.md", count: 2, gone: undefined, note: null } })).toBe(
      "path: A.md\ncount: 2\nnote: none",
    );
    expect(asLines({ success: false, message: "Set confirmed=true to proceed." })).toBe(
      "success: false\nmessage: Set confirmed=true to proceed.",
    );
  });

  it("has a line for each item of a list, and names on one line", () => {
    expect(asLines({ tags: [{ tag: "a", count: 1 }, { tag: "b" }], files: ["x", "y"], none: [] })).toBe(
      "tags:\n- tag: a; count: 1\n- tag: b\nfiles: x, y\nnone: none",
    );
  });

  it("leaves what the call says about itself to the end of the text", () => {
    expect(asLines({ data: { path: "A.md", total: 3 }, undoId: "j-1", trashed: ["x"], hint: "More.", total: 9 })).toBe(
      "path: A.md\ntotal: 3",
    );
  });

  it("keeps texts of several lines as they are", () => {
    expect(asLines({ content: "one\n  two" })).toBe("content:\none\n  two");
  });
});
