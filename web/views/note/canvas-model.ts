// Reads the JSON of a canvas (JSON Canvas 1.0), and computes what is drawn: boxes,
// curves between them, and the bounds of all. What is not understood is left out.
// Pure; used by the drawing of a canvas.
import { isRecord } from "../../../src/kernel/kernel.ts";
import type { Box } from "./pan-zoom.ts";

export interface CanvasNode extends Box {
  readonly id: string;
  readonly type: "text" | "file" | "link" | "group";
  /** Markdown, the path of a file, an address, or the label of a group. */
  readonly content: string;
  /** Of a file: `#Heading` or `#^block`. */
  readonly subpath: string;
  readonly colour: string | undefined;
}

export interface CanvasEdge {
  readonly id: string;
  readonly from: CanvasNode;
  readonly to: CanvasNode;
  readonly fromSide: Side;
  readonly toSide: Side;
  readonly startsWithArrow: boolean;
  readonly endsWithArrow: boolean;
  readonly label: string;
  readonly colour: string | undefined;
}

export interface Canvas {
  /** Groups first: they are behind what is in them. */
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly CanvasEdge[];
  readonly bounds: Box;
}

export type Side = "top" | "right" | "bottom" | "left";

const TYPES = { text: "text", file: "file", link: "url", group: "label" } as const;
const EMPTY: Box = { x: 0, y: 0, width: 1, height: 1 };

/** Undefined if the text is not a canvas. */
export function readCanvas(text: string): Canvas | undefined {
  let read: unknown;
  try {
    // Obsidian creates an empty file for an empty canvas.
    read = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(read)) return undefined;
  const nodes = recordsIn(read["nodes"]).flatMap(nodeOf);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const edges = recordsIn(read["edges"]).flatMap((edge, i) => edgeOf(edge, i, byId));
  const sorted = nodes.toSorted((a, b) => Number(b.type === "group") - Number(a.type === "group"));
  return { nodes: sorted, edges, bounds: boundsOf(nodes) };
}

function recordsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function nodeOf(node: Record<string, unknown>): CanvasNode[] {
  const [x, y, width, height] = [node["x"], node["y"], node["width"], node["height"]].map(Number);
  const type = node["type"];
  if (![x, y, width, height].every(Number.isFinite) || typeof type !== "string" || !Object.hasOwn(TYPES, type))
    return [];
  return [
    {
      id: textIn(node["id"]),
      type: type as CanvasNode["type"],
      x: x!,
      y: y!,
      width: Math.max(1, width!),
      height: Math.max(1, height!),
      content: textIn(node[TYPES[type as CanvasNode["type"]]]),
      subpath: textIn(node["subpath"]),
      colour: colourOf(node["color"]),
    },
  ];
}

function edgeOf(edge: Record<string, unknown>, i: number, nodes: ReadonlyMap<string, CanvasNode>): CanvasEdge[] {
  const from = nodes.get(textIn(edge["fromNode"]));
  const to = nodes.get(textIn(edge["toNode"]));
  if (from === undefined || to === undefined) return [];
  return [
    {
      id: textIn(edge["id"]) || String(i),
      from,
      to,
      fromSide: sideOf(edge["fromSide"]) ?? nearestSide(from, to),
      toSide: sideOf(edge["toSide"]) ?? nearestSide(to, from),
      startsWithArrow: edge["fromEnd"] === "arrow",
      endsWithArrow: edge["toEnd"] !== "none",
      label: textIn(edge["label"]),
      colour: colourOf(edge["color"]),
    },
  ];
}

function sideOf(side: unknown): Side | undefined {
  return side === "top" || side === "right" || side === "bottom" || side === "left" ? side : undefined;
}

function nearestSide(of: Box, other: Box): Side {
  const right = other.x + other.width / 2 - (of.x + of.width / 2);
  const down = other.y + other.height / 2 - (of.y + of.height / 2);
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "right" : "left";
  return down > 0 ? "bottom" : "top";
}

/** A preset (1 to 6), or a colour in hexadecimal; anything else is none. */
function colourOf(colour: unknown): string | undefined {
  return typeof colour === "string" && /^(?:[1-6]|#[\da-f]{3}(?:[\da-f]{3})?)$/i.test(colour) ? colour : undefined;
}

function boundsOf(nodes: readonly Box[]): Box {
  if (nodes.length === 0) return EMPTY;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of nodes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const DIRECTIONS: Readonly<Record<Side, Point>> = {
  top: { x: 0, y: -1 },
  right: { x: 1, y: 0 },
  bottom: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
};

function middleOf({ x, y, width, height }: Box, side: Side): Point {
  const direction = DIRECTIONS[side];
  return { x: x + (width / 2) * (1 + direction.x), y: y + (height / 2) * (1 + direction.y) };
}

/** The path of an edge, and where its label goes. */
export function curveOf({ from, to, fromSide, toSide }: CanvasEdge): { readonly path: string; readonly middle: Point } {
  const [start, end] = [middleOf(from, fromSide), middleOf(to, toSide)];
  const reach = Math.max(40, Math.hypot(end.x - start.x, end.y - start.y) / 3);
  const [a, b] = [DIRECTIONS[fromSide], DIRECTIONS[toSide]];
  const first = { x: start.x + a.x * reach, y: start.y + a.y * reach };
  const second = { x: end.x + b.x * reach, y: end.y + b.y * reach };
  const middle = {
    x: (start.x + 3 * first.x + 3 * second.x + end.x) / 8,
    y: (start.y + 3 * first.y + 3 * second.y + end.y) / 8,
  };
  return { path: `M${start.x} ${start.y}C${first.x} ${first.y} ${second.x} ${second.y} ${end.x} ${end.y}`, middle };
}
