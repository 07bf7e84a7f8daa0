// A second reader of every outline format, for tests that must not trust the
// first: it builds trees of objects and uses nothing of src/. Slow, and only for
// well-formed files.
import { gunzipSync, inflateRawSync } from "node:zlib";

export interface ReadRow {
  /** Undefined if the format has none. */
  readonly id: string | undefined;
  readonly topic: string;
  readonly note: string;
  /** As stored, not combined. */
  readonly state: "checked" | "unchecked" | "mixed" | "none";
  readonly children: readonly ReadRow[];
  /** In Markdown, a heading: it cannot have a state. */
  readonly isHeading?: boolean;
}

/** The text of an outline, unpacked. */
export function contentsOf(bytes: Buffer): Buffer {
  if (bytes.toString("latin1", 0, 2) === "PK") return membersOf(bytes).get("contents.xml")!.contents;
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

export function readRows(bytes: Buffer): ReadRow[] {
  const text = contentsOf(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  if (!/^\s*<(?:\?xml|opml|outline)/.test(text)) return markdownRows(text);
  const root = parse(text);
  if (root.name === "opml") return child(root, "body")!.elements.map(opmlRow);
  return root.attributes["xmlns"]!.endsWith("v3") ? rowsOfV3(root) : rowsOfV5(root);
}

/** The members of a zip archive, read from the local headers in order. */
export function membersOf(zip: Buffer): Map<string, { packed: Buffer; contents: Buffer; header: Buffer }> {
  const members = new Map<string, { packed: Buffer; contents: Buffer; header: Buffer }>();
  let at = 0;
  while (zip.readUInt32LE(at) === 0x04034b50) {
    const [method, size] = [zip.readUInt16LE(at + 8), zip.readUInt32LE(at + 18)];
    const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    const packed = zip.subarray(start, start + size);
    const name = zip.toString("utf8", at + 30, at + 30 + zip.readUInt16LE(at + 26));
    const contents = method === 8 ? inflateRawSync(packed) : packed;
    members.set(name, { packed, contents, header: zip.subarray(at, start) });
    at = start + size;
  }
  return members;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
  readonly elements: Element[];
}

const TOKEN =
  /<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^>]*>|<!\[CDATA\[([^]*?)\]\]>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;

function parse(text: string): Element {
  const top: Element = { name: "", attributes: {}, children: [], elements: [] };
  const open = [top];
  let end = 0;
  for (const { 0: whole, 1: cdata, 2: closing, 3: name, 4: attributes, 5: empty, 6: plain, index } of text.matchAll(
    TOKEN,
  )) {
    if (index !== end) throw new Error(`No XML at ${end}: ${text.slice(end, end + 40)}`);
    end = index + whole.length;
    const around = open.at(-1)!;
    if (cdata !== undefined) around.children.push(cdata);
    else if (plain !== undefined) around.children.push(decoded(plain));
    else if (name !== undefined && closing === "/") {
      if (open.pop()!.name !== name) throw new Error(`</${name}> closes another element`);
    } else if (name !== undefined) {
      const element: Element = { name, attributes: attributesOf(attributes!), children: [], elements: [] };
      around.children.push(element);
      around.elements.push(element);
      if (empty === "") open.push(element);
    }
  }
  if (end !== text.length || open.length !== 1 || top.elements.length !== 1) throw new Error("Not one whole element");
  return top.elements[0]!;
}

function attributesOf(source: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name, double, single] of source.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    found[name!] = decoded((double ?? single)!.replace(/[\t\r\n]/g, " "));
  return found;
}

function decoded(source: string): string {
  const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return source.replace(/&(#x?)?(\w+);/g, (whole, number: string | undefined, name: string) => {
    if (number === undefined) return names[name] ?? whole;
    return String.fromCodePoint(Number.parseInt(name, number === "#x" ? 16 : 10));
  });
}

function child(element: Element | undefined, name: string): Element | undefined {
  return element?.elements.find((each) => each.name === name);
}

function richText(element: Element | undefined): string {
  if (element?.name !== "text") return "";
  const literal = (lit: Element) =>
    lit.children.map((each) => {
      if (typeof each === "string") return each;
      return each.attributes["href"] === undefined ? "" : (each.attributes["name"] ?? "");
    });
  return element.elements
    .filter(({ name }) => name === "p")
    .map((p) =>
      p.elements.flatMap((run) => run.elements.filter(({ name }) => name === "lit").flatMap(literal)).join(""),
    )
    .join("\n");
}

function stateOf(word: string | undefined): ReadRow["state"] {
  if (word === "checked" || word === "true") return "checked";
  if (word === "unchecked" || word === "false") return "unchecked";
  return word === "indeterminate" ? "mixed" : "none";
}

function opmlRow({ attributes, elements }: Element): ReadRow {
  const state = attributes["_status"] ?? attributes["_complete"] ?? attributes["complete"];
  return {
    id: undefined,
    topic: attributes["text"] ?? "",
    note: attributes["_note"] ?? "",
    state: stateOf(state),
    children: elements.filter(({ name }) => name === "outline").map(opmlRow),
  };
}

function rowsOfV3(root: Element): ReadRow[] {
  const columns = child(root, "columns")!.elements.filter(
    ({ name, attributes }) => name === "column" && attributes["is-note-column"] !== "yes",
  );
  const topic = columns.findIndex(({ attributes }) => attributes["is-outline-column"] === "yes");
  const row = (item: Element): ReadRow => ({
    id: item.attributes["id"],
    topic: richText(child(item, "values")?.elements[topic]),
    note: richText(child(child(item, "note"), "text")),
    state: stateOf(item.attributes["state"] ?? "unchecked"),
    children: items(child(item, "children")),
  });
  const items = (list: Element | undefined) => (list?.elements ?? []).filter(({ name }) => name === "item").map(row);
  return items(child(root, "root"));
}

function rowsOfV5(root: Element): ReadRow[] {
  const columns = child(root, "columns")!;
  const order = columns.elements.filter(({ name }) => name === "column").map(({ attributes }) => attributes["id"]);
  const cell = (item: Element, column: string) =>
    item.elements.filter(({ name }) => name !== "style")[order.indexOf(columns.attributes[column])];
  const items = child(root, "items")!.elements.filter(({ attributes }) => attributes["id"] !== undefined);
  const ids = items.map(({ attributes }) => attributes["id"]!);
  if (ids.some((id, index) => index > 0 && Buffer.compare(Buffer.from(ids[index - 1]!), Buffer.from(id)) >= 0))
    throw new Error("The items are not in the order of their ids");
  const below = (parent: string | undefined): ReadRow[] =>
    items
      .filter(({ attributes }) => attributes["parent-id"] === parent)
      .map((item) => ({
        item,
        rank: [...Buffer.from(item.attributes["rank"]!, "hex")].map((byte) => (byte << 24) >> 24),
      }))
      .toSorted((a, b) => {
        const at = Array.from({ length: Math.max(a.rank.length, b.rank.length) }).findIndex(
          (_, index) => (a.rank[index] ?? 0) !== (b.rank[index] ?? 0),
        );
        return at === -1 ? 0 : (a.rank[at] ?? 0) - (b.rank[at] ?? 0);
      })
      .map(({ item }) => ({
        id: item.attributes["id"],
        topic: richText(cell(item, "outline-column")),
        note: richText(cell(item, "note-column")),
        state:
          cell(item, "status-column")?.name === "checkbox"
            ? stateOf(String(cell(item, "status-column")!.children[0]))
            : "none",
        children: below(item.attributes["id"]),
      }));
  const rows = below(undefined);
  const count = (list: readonly ReadRow[]): number => list.reduce((sum, row) => sum + 1 + count(row.children), 0);
  if (count(rows) !== items.length) throw new Error("A row is below nothing, or below itself");
  return rows;
}

type Draft = { -readonly [Key in keyof ReadRow]: Key extends "children" ? Draft[] : ReadRow[Key] };

/** A line without the backslash that escapes markup. */
function unmarked(line: string): string {
  return line
    .replace(/^(\s*)\\(?=\\*(?:[-*+](?:\s|$)|#{1,6}(?:\s|$)))/, "$1")
    .replace(/^(\s*\d+)\\(?=\\*[.)](?:\s|$))/, "$1");
}

/** By indentation alone: every item is inside the heading above it. */
function markdownRows(text: string): ReadRow[] {
  const top: Draft[] = [];
  const open: { readonly depth: number; readonly row: Draft }[] = [];
  const notes = new Map<Draft, readonly string[]>();
  const body = text.replace(/^---\r?\n[^]*?\r?\n---(?:\r?\n|$)/, "");
  let fence: string | undefined;
  let blank = 0;
  const into = (line: string) => {
    const last = open.at(-1);
    if (last === undefined || last.row.children.length > 0) return;
    const lines = notes.get(last.row) ?? [];
    notes.set(last.row, [...lines, ...Array.from({ length: lines.length === 0 ? 0 : blank }, () => ""), line]);
  };
  for (const raw of body.split(/\r?\n/)) {
    const line = raw.replace(/^[ \t]+/, (white) => white.replaceAll("\t", "    "));
    const indent = /^ */.exec(line)![0].length;
    if (line.trim() === "") {
      if (fence === undefined) blank++;
      else into("");
      continue;
    }
    const heading = fence === undefined && indent < 2 ? /^(#{1,6})(?:\s+(.*?))?\s*$/.exec(line) : null;
    const item = fence === undefined ? /^( *)([-*+]|\d+[.)])(?: +(.*)|)$/.exec(line) : null;
    if (heading !== null || item !== null) {
      const depth = heading === null ? indent : heading[1]!.length - 10;
      while (open.length > 0 && open.at(-1)!.depth + (heading === null && open.at(-1)!.depth >= 0 ? 1 : 0) >= depth)
        open.pop();
      const content = heading === null ? (item![3] ?? "") : (heading[2] ?? "");
      const box = heading === null ? /^\[([ xX])\](?: +|$)/.exec(content) : null;
      const topic = content.slice(box?.[0].length ?? 0).trimEnd();
      const row: Draft = {
        id: undefined,
        topic:
          heading === null
            ? topic
                .replace(/^\\(?=\\*(?:[-*+](?:\s|$)|\[[ xX]\](?:\s|$)|#{1,6}(?:\s|$)|```|~~~|>))/, "")
                .replace(/^(\d+)\\(?=\\*[.)](?:\s|$))/, "$1")
            : topic,
        note: "",
        state: box === null ? "none" : box[1] === " " ? "unchecked" : "checked",
        children: [],
        isHeading: heading !== null,
      };
      (open.at(-1)?.row.children ?? top).push(row);
      open.push({ depth, row });
      blank = 0;
      continue;
    }
    if (fence === undefined)
      while (open.length > 0 && open.at(-1)!.depth >= 0 && indent < open.at(-1)!.depth + 2) open.pop();
    const mark = /^(`{3,}|~{3,})/.exec(line.trim())?.[1];
    if (fence !== undefined && mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    else if (fence === undefined) fence = mark;
    into(mark !== undefined || fence !== undefined ? line : unmarked(line));
    blank = 0;
  }
  // What all lines of an item's note begin with is its place, and not the note.
  for (const [row, lines] of notes) {
    const widths = lines.filter((line) => line !== "").map((line) => /^ */.exec(line)![0].length);
    const width = row.isHeading === true ? 0 : Math.min(...widths);
    row.note = lines.map((line) => line.slice(width)).join("\n");
  }
  return top;
}
