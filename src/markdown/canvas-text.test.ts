import { describe, expect, it } from "vitest";
import { canvasText } from "./canvas-text.ts";

describe("the text of a canvas", () => {
  it("is that of its cards, the names of what others show, and the labels of groups and edges", () => {
    const canvas = {
      nodes: [
        { id: "a", type: "text", text: 'Say "hello"\n\nto all', x: 0, color: "1" },
        { id: "b", type: "file", file: "Projects/Garden plan.md", subpath: "#Beds" },
        { id: "c", type: "file", file: "map.png" },
        { id: "d", type: "link", url: "https://example.org/peas" },
        { id: "e", type: "group", label: "Later", background: "wood.png" },
      ],
      edges: [{ id: "f", fromNode: "a", toNode: "b", label: "leads to" }],
      metadata: { text: "nobody reads this" },
    };
    for (const space of [undefined, "\t"])
      expect(canvasText(JSON.stringify(canvas, undefined, space))).toBe(
        'Say "hello"\n\nto all\n\nProjects/Garden plan\n\nmap.png\n\nhttps://example.org/peas\n\nLater\n\nleads to',
      );
  });

  it("is what could be read if the file ends too early, and empty for anything but a canvas", () => {
    expect(canvasText('{"nodes":[{"text":"one"},{"text":"tw')).toBe("one");
    for (const source of ["", "{}", "[1, 2", '{"nodes":{"text":"no list"}}', '"text"'])
      expect(canvasText(source)).toBe("");
  });
});
