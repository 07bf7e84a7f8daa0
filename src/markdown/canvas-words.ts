// Describes a canvas in words: its groups with their cards, the other cards, and
// the connections. Pure; used by readContent.
import { isRecord, parseJson, Problem } from "../kernel/kernel.ts";

interface Card {
  readonly id: string;
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly node: Readonly<Record<string, unknown>>;
}

/** The names of Obsidian's preset colours. */
const COLOURS: Readonly<Record<string, string>> = {
  "1": "red",
  "2": "orange",
  "3": "yellow",
  "4": "green",
  "5": "cyan",
  "6": "purple",
};

/** The longest name of a card in a connection. */
const MAX_NAME_LENGTH = 60;

/** Throws if it is not a canvas. */
export function describeCanvas(source: string): string {
  const canvas = source.trim() === "" ? {} : parseJson(source);
  if (!isRecord(canvas)) throw new Problem("invalid", "It is not valid JSON.");
  const all = recordsIn(canvas["nodes"]).map(cardOf);
  const edges = recordsIn(canvas["edges"]);
  const groups = inReadingOrder(all.filter(({ type }) => type === "group"));
  const cards = inReadingOrder(all.filter(({ type }) => type !== "group"));
  const groupOf = new Map(all.map((card) => [card, smallestAround(card, groups)]));
  const listed = (group: Card | undefined) => cards.filter((card) => groupOf.get(card) === group).map(lineOf);
  const within = groups.map((group) => {
    const outer = groupOf.get(group);
    const where = outer === undefined ? "" : `, in the group ${nameOf(outer)}`;
    return [`Group ${nameOf(group)}${where}${colourOf(group.node)}:`, ...orNone(listed(group))].join("\n");
  });
  const outside = listed(undefined);
  const heading = groups.length === 0 ? "Cards:" : "Cards outside of groups:";
  const byId = new Map(all.map((card) => [card.id, card]));
  return [
    `A canvas with ${count(cards.length, "card")}, ${count(groups.length, "group")} and ${count(edges.length, "connection")}.`,
    ...within,
    ...(outside.length === 0 ? [] : [[heading, ...outside].join("\n")]),
    ...(edges.length === 0 ? [] : [["Connections:", ...edges.map((edge) => edgeLine(edge, byId))].join("\n")]),
  ].join("\n\n");
}

function cardOf(node: Readonly<Record<string, unknown>>): Card {
  const number = (name: string) => (typeof node[name] === "number" ? node[name] : 0);
  return {
    id: String(node["id"] ?? ""),
    type: String(node["type"] ?? "card"),
    x: number("x"),
    y: number("y"),
    width: number("width"),
    height: number("height"),
    node,
  };
}

function inReadingOrder(cards: readonly Card[]): Card[] {
  return cards.toSorted((a, b) => a.y - b.y || a.x - b.x);
}

/** Obsidian moves a card with the group that it lies in entirely. */
function smallestAround(card: Card, groups: readonly Card[]): Card | undefined {
  const around = groups.filter(
    (group) =>
      group !== card &&
      group.x <= card.x &&
      group.y <= card.y &&
      group.x + group.width >= card.x + card.width &&
      group.y + group.height >= card.y + card.height &&
      areaOf(group) > areaOf(card),
  );
  return around.toSorted((a, b) => areaOf(a) - areaOf(b))[0];
}

function areaOf({ width, height }: Card): number {
  return width * height;
}

function lineOf(card: Card): string {
  const { type, node } = card;
  const textOf = (name: string) => String(node[name] ?? "");
  const said: Record<string, () => string> = {
    text: () => textOf("text").trim().replaceAll("\n", "\n  ") || "(empty)",
    file: () => `[[${textOf("file")}${textOf("subpath")}]]`,
    link: () => textOf("url"),
  };
  return `- ${said[type]?.() ?? `(${type})`}${colourOf(node)}`;
}

function colourOf({ color }: Readonly<Record<string, unknown>>): string {
  return typeof color === "string" && color !== "" ? ` (${COLOURS[color] ?? color})` : "";
}

/** How a card is called in a connection: the first line of its text, its file, its address. */
function nameOf({ type, id, node }: Card): string {
  const named = [node["label"], node["text"], node["file"], node["url"]].find((one) => typeof one === "string") ?? "";
  const line = String(named)
    .split("\n")
    .map((one) => one.replace(/^[#>\s*-]+/, "").trim())
    .find((one) => one !== "");
  if (line === undefined) return `without a name (${type} ${id})`;
  return `"${line.length > MAX_NAME_LENGTH ? `${line.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : line}"`;
}

/** By default a connection has an arrow at its end, and none at its beginning. */
function edgeLine(edge: Readonly<Record<string, unknown>>, cards: ReadonlyMap<string, Card>): string {
  const end = (key: string) => {
    const card = cards.get(String(edge[key]));
    return card === undefined ? `a card that is missing (${String(edge[key])})` : nameOf(card);
  };
  const [isFrom, isTo] = [edge["fromEnd"] === "arrow", edge["toEnd"] !== "none"];
  const arrow = isFrom && isTo ? "↔" : isTo ? "→" : isFrom ? "←" : "—";
  const label = typeof edge["label"] === "string" && edge["label"] !== "" ? `: ${edge["label"]}` : "";
  return `- ${end("fromNode")} ${arrow} ${end("toNode")}${label}${colourOf(edge)}`;
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ["- (empty)"] : lines;
}

function count(number: number, what: string): string {
  return number === 0 ? `no ${what}s` : number === 1 ? `one ${what}` : `${number} ${what}s`;
}

function recordsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
