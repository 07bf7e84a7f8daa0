import { describe, expect, it } from "vitest";
import { describeCanvas } from "./canvas-words.ts";

const at = (x: number, y: number, width = 10, height = 10) => ({ x, y, width, height });

describe("a canvas in words", () => {
  it("has its groups, cards and connections, in the order in which they are read", () => {
    const canvas = {
      nodes: [
        { id: "c", type: "link", url: "https://example.org", ...at(60, 0) },
        { id: "b", type: "text", text: "# Second\nwith a line", color: "4", ...at(5, 20) },
        { id: "a", type: "text", text: "First", ...at(5, 5) },
        { id: "g", type: "group", label: "Ideas", ...at(0, 0, 50, 50) },
        { id: "inner", type: "group", label: "Best", ...at(0, 15, 30, 30) },
        { id: "f", type: "file", file: "Trips/Kyoto.md", subpath: "#Food", ...at(60, 40) },
      ],
      edges: [
        { id: "1", fromNode: "a", toNode: "b", label: "leads to" },
        { id: "2", fromNode: "b", toNode: "f", fromEnd: "arrow", color: "#ff0000" },
        { id: "3", fromNode: "c", toNode: "a", toEnd: "none" },
        { id: "4", fromNode: "c", toNode: "gone", fromEnd: "arrow", toEnd: "none" },
        { id: "5", fromNode: "g", toNode: "a" },
      ],
    };
    expect(describeCanvas(JSON.stringify(canvas))).toBe(`A canvas with 4 cards, 2 groups and 5 connections.

Group "Ideas":
- First

Group "Best", in the group "Ideas":
- # Second
  with a line (green)

Cards outside of groups:
- https://example.org
- [[Trips/Kyoto.md#Food]]

Connections:
- "First" → "Second": leads to
- "Second" ↔ "Trips/Kyoto.md" (#ff0000)
- "https://example.org" — "First"
- "https://example.org" ← a card that is missing (gone)
- "Ideas" → "First"`);
  });

  it.each([
    ["", "A canvas with no cards, no groups and no connections."],
    ["{}", "A canvas with no cards, no groups and no connections."],
    ['{"nodes":[],"edges":[]}', "A canvas with no cards, no groups and no connections."],
    [
      '{"nodes":[null,5,{"type":"text"}],"edges":"x"}',
      "A canvas with one card, no groups and no connections.\n\nCards:\n- (empty)",
    ],
    [
      '{"nodes":[{"type":"odd"}],"edges":[{}]}',
      "A canvas with one card, no groups and one connection.\n\nCards:\n- (odd)\n\nConnections:\n- a card that is missing (undefined) → a card that is missing (undefined)",
    ],
  ])("%s is: %s", (source, words) => {
    expect(describeCanvas(source)).toBe(words);
  });

  it.each(["{", "[]", "null", "text"])("is refused for %s, which is not a canvas", (source) => {
    expect(() => describeCanvas(source)).toThrow();
  });

  it("shortens the names of cards in connections, and never cuts a character", () => {
    const text = "😀".repeat(100);
    const words = describeCanvas(
      JSON.stringify({ nodes: [{ id: "a", type: "text", text }], edges: [{ fromNode: "a", toNode: "a" }] }),
    );
    expect(words).toContain(`"${"😀".repeat(30)}…" → `);
    expect(words.isWellFormed()).toBe(true);
  });
});
