// A second reader of outline files, for tests that must not trust the first:
// regular expressions over the text, and nothing of src/. It knows no more than
// the files that the tests write need.
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

export interface NaiveRow {
  readonly topic: string;
  readonly note: string | null;
  /** As the file has it: no roll-up. */
  readonly state: "checked" | "unchecked" | "none";
  readonly children: NaiveRow[];
}

export function readNaively(path: string): NaiveRow[] {
  const bytes = readFileSync(path);
  if (path.endsWith(".ooutline")) return ooutlineRows(memberOf(bytes, "contents.xml").toString("utf8"));
  return path.endsWith(".opml") ? opmlRows(bytes.toString("utf8")) : markdownRows(bytes.toString("utf8"));
}

/** The rows as lines: two spaces a level, `[x]` or `[ ]`, the topic, and the note behind a bar. */
export function asLines(rows: readonly NaiveRow[], indent = ""): string[] {
  return rows.flatMap(({ topic, note, state, children }) => {
    const mark = state === "none" ? "" : state === "checked" ? "[x] " : "[ ] ";
    return [`${indent}${mark}${topic}${note === null ? "" : ` | ${note}`}`, ...asLines(children, `${indent}  `)];
  });
}

/** Found by the zip's directory, at its end. */
export function memberOf(zip: Buffer, name: string): Buffer {
  const end = zip.lastIndexOf("PK\u0005\u0006");
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (zip.toString("utf8", at + 46, at + 46 + nameLength) === name) {
      const header = zip.readUInt32LE(at + 42);
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      const data = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data);
    }
    at += 46 + nameLength + extra + comment;
  }
  throw new Error(`There is no ${name} in the archive.`);
}

function unescaped(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}

function opmlRows(text: string): NaiveRow[] {
  const top: NaiveRow[] = [];
  const open: NaiveRow[][] = [top];
  for (const [, closing, attributes = "", isEmpty] of text.matchAll(
    /<(\/)?outline((?:\s+[\w.:-]+="[^"]*")*)\s*(\/)?>/g,
  )) {
    if (closing !== undefined) {
      open.pop();
      continue;
    }
    const value = (name: string) => {
      const found = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
      return found === undefined ? undefined : unescaped(found);
    };
    const status = value("_status");
    const row: NaiveRow = {
      topic: value("text") ?? "",
      note: value("_note") || null,
      state: status === "checked" ? "checked" : status === "unchecked" ? "unchecked" : "none",
      children: [],
    };
    open.at(-1)!.push(row);
    if (isEmpty === undefined) open.push(row.children);
  }
  return top;
}

function ooutlineRows(xml: string): NaiveRow[] {
  const columns = /<columns[^>]*>/.exec(xml)![0];
  const names = [...xml.matchAll(/<column id="([^"]+)"/g)].map((match) => match[1]);
  const cellOf = (role: string) => names.indexOf(new RegExp(`${role}-column="([^"]+)"`).exec(columns)![1]);
  const items = [...xml.matchAll(/<item (id="[^"]*"[^>]*)>([\s\S]*?)<\/item>/g)].map(
    ([, attributes = "", body = ""]) => {
      const attribute = (name: string) => new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
      const cells =
        body
          .replace(/^\s*<style>[\s\S]*?<\/style>(?=\s*<(?:entry|checkbox|text))/, "")
          .match(/<entry\/>|<checkbox>\w+<\/checkbox>|<text>[\s\S]*?<\/text>/g) ?? [];
      const status = /<checkbox>(\w+)</.exec(cells[cellOf("status")] ?? "")?.[1];
      const note = textOf(cells[cellOf("note")] ?? "");
      const row: NaiveRow = {
        topic: textOf(cells[cellOf("outline")] ?? ""),
        note: note === "" ? null : note,
        state: status === "checked" ? "checked" : status === "unchecked" ? "unchecked" : "none",
        children: [],
      };
      return {
        id: attribute("id")!,
        parent: attribute("parent-id"),
        rank: Buffer.from(attribute("rank")!, "hex"),
        row,
      };
    },
  );
  const below = (parent: string | undefined): NaiveRow[] =>
    items
      .filter((item) => item.parent === parent)
      .toSorted((a, b) => compareRanks(a.rank, b.rank))
      .map(({ id, row }) => ({ ...row, children: below(id) }));
  return below(undefined);
}

/** Signed bytes; a missing one counts as 0. */
function compareRanks(a: Buffer, b: Buffer): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = signedAt(a, i) - signedAt(b, i);
    if (difference !== 0) return difference;
  }
  return 0;
}

function signedAt(bytes: Buffer, i: number): number {
  return i < bytes.length ? bytes.readInt8(i) : 0;
}

function textOf(cell: string): string {
  return [...cell.matchAll(/<p>([\s\S]*?)<\/p>|<p\/>/g)]
    .map(([, body = ""]) => [...body.matchAll(/<lit>([\s\S]*?)<\/lit>/g)].map((lit) => unescaped(lit[1]!)).join(""))
    .join("\n");
}

/** Lists of `-` with two spaces a level; what is indented below an item is its note. */
function markdownRows(text: string): NaiveRow[] {
  const top: NaiveRow[] = [];
  const open: { indent: number; row: { -readonly [K in keyof NaiveRow]: NaiveRow[K] } }[] = [];
  for (const line of text.split("\n")) {
    const item = /^( *)- (?:\[([ x])\] )?(.*)$/.exec(line) ?? /^( *)-()()$/.exec(line);
    if (item === null) {
      const last = open.at(-1)?.row;
      if (line.trim() !== "" && last !== undefined)
        last.note = [...(last.note === null ? [] : [last.note]), line.trim()].join("\n");
      continue;
    }
    const [, indent = "", mark, topic = ""] = item;
    while (open.length > 0 && open.at(-1)!.indent >= indent.length) open.pop();
    const state = mark === undefined || mark === "" ? "none" : mark === "x" ? "checked" : "unchecked";
    const row = { topic, note: null, state, children: [] } satisfies NaiveRow;
    (open.at(-1)?.row.children ?? top).push(row);
    open.push({ indent: indent.length, row });
  }
  return top;
}
