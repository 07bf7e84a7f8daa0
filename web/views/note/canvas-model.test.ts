import { describe, expect, it } from "vitest";
import { curveOf, readCanvas } from "./canvas-model.ts";

const text = (id: string, x: number, y: number, more: object = {}) => ({
  id,
  type: "text",
  text: id,
  x,
  y,
  width: 100,
  height: 50,
  ...more,
});
const canvas = (nodes: readonly object[], edges: readonly object[] = []) =>
  readCanvas(JSON.stringify({ nodes, edges }))!;

describe("a canvas", () => {
  it("has groups before what is in them, and bounds around everything", () => {
    const { nodes, bounds } = canvas([
      text("a", 10, 20),
      { ...text("g", -30, -40), type: "group", label: "Group", width: 500 },
    ]);
    expect(nodes.map(({ id, content }) => [id, content])).toEqual([
      ["g", "Group"],
      ["a", "a"],
    ]);
    expect(bounds).toEqual({ x: -30, y: -40, width: 500, height: 110 });
  });

  it("takes the nearest sides for a line that names none, and an arrow at its end", () => {
    const { edges } = canvas([text("a", 0, 0), text("b", 400, 0)], [{ fromNode: "a", toNode: "b" }]);
    expect(edges).toMatchObject([{ fromSide: "right", toSide: "left", startsWithArrow: false, endsWithArrow: true }]);
    expect(curveOf(edges[0]!).path).toBe("M100 25C200 25 300 25 400 25");
    expect(curveOf(edges[0]!).middle).toEqual({ x: 250, y: 25 });
  });

  it.each(["", "{}", '{"nodes": null, "edges": 3}', '{"nodes": [1, null, {}, {"type": "text", "x": "wide"}]}'])(
    "is empty for %j",
    (json) => {
      expect(readCanvas(json)).toMatchObject({ nodes: [], edges: [] });
    },
  );

  it.each(["[", "[]", "3", "null"])("is undefined for %j", (json) => {
    expect(readCanvas(json)).toBeUndefined();
  });

  it("leaves out lines to cards that do not exist, types and colours that it does not know", () => {
    const { nodes, edges } = canvas(
      [
        text("a", 0, 0, { color: "red; background: url(https://evil.example)" }),
        text("b", 0, 0, { color: "#aB3" }),
        { ...text("c", 0, 0), type: "constructor" },
      ],
      [
        { fromNode: "a", toNode: "gone" },
        { fromNode: "a", toNode: "b", color: "7" },
      ],
    );
    expect(nodes.map(({ id, colour }) => [id, colour])).toEqual([
      ["a", undefined],
      ["b", "#aB3"],
    ]);
    expect(edges.map(({ colour }) => colour)).toEqual([undefined]);
  });
});
