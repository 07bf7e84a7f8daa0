// Outlines of any size for the benchmark, and the plain way to edit one: read,
// parse into objects, change, write all of it again.
import { readFileSync } from "node:fs";
import { crc32, deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import { promisify } from "node:util";
import { SaxesParser } from "saxes";
import { randomNumbers, randomWord } from "./words.ts";

export type Kind = "ooutline" | "opml";

const CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

/** Ten rows below each row of the top, and a note for every fifth. */
export function outlineText(kind: Kind, rows: number): string {
  const random = randomNumbers(rows);
  const topic = (row: number) => `${Array.from({ length: 7 }, () => randomWord(random)).join(" ")} ${row}`;
  return kind === "opml" ? opml(rows, topic) : ooutline(rows, topic, random);
}

function opml(rows: number, topic: (row: number) => string): string {
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    const note = row % 5 === 0 ? ` _note="${topic(row)}"` : "";
    const isTop = row % 11 === 0;
    if (isTop && row > 0) lines.push("    </outline>");
    lines.push(
      isTop
        ? `    <outline text="${topic(row)}"${note}>`
        : `      <outline text="${topic(row)}"${note} _status="unchecked"/>`,
    );
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n  <head>\n    <title>Bench</title>\n  </head>\n  <body>\n${lines.join("\n")}\n    </outline>\n  </body>\n</opml>\n`;
}

function cell(text: string): string {
  return `<text>
        <p>
          <run>
            <lit>${text}</lit>
          </run>
        </p>
      </text>`;
}

function rank(index: number): string {
  return Buffer.from(index === 0 ? [] : [index >> 7, index & 127]).toString("hex");
}

function ooutline(rows: number, topic: (row: number) => string, random: () => number): string {
  const ids = Array.from({ length: rows }, (_, row) => {
    const tail = Array.from({ length: 6 }, () => CHARACTERS[Math.floor(random() * 64)]).join("");
    return `${CHARACTERS[Math.floor(random() * 16)]}${tail}${row.toString(36).padStart(4, "0")}`;
  });
  const items = ids.map((id, row) => {
    const index = row % 11;
    const parent = index === 0 ? "" : ` parent-id="${ids[row - index]}"`;
    return {
      id,
      source: `    <item id="${id}"${parent} rank="${rank(index === 0 ? row / 11 : index - 1)}">
      <checkbox>unchecked</checkbox>
      ${row % 5 === 0 ? cell(topic(row)) : "<entry/>"}
      ${cell(topic(row))}
    </item>`,
    };
  });
  items.sort((a, b) => (a.id < b.id ? -1 : 1));
  return `<?xml version="1.0" encoding="UTF-8"?>
<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v5">
  <columns id="pULZH7FeeKD" is-base-schema="yes" outline-column="jFqHUGd_Dg1" status-column="n83L1Mnvt1Z" note-column="dTpN3JwYpBn">
    <column id="n83L1Mnvt1Z" type="checkbox"/>
    <column id="dTpN3JwYpBn" type="text"/>
    <column id="jFqHUGd_Dg1" type="text"/>
  </columns>
  <items>
    <item rank="" is-root="yes">
      <entry/>
      <entry/>
      <entry/>
    </item>
${items.map(({ source }) => source).join("\n")}
  </items>
</outline>
`;
}

/** The bytes of the file. */
export function fileOf(kind: Kind, text: string): Buffer {
  return kind === "opml" ? Buffer.from(text) : zipOf(Buffer.from(text), deflateRawSync(text));
}

/** In an archive, as a plain program makes one. */
export async function compressed(text: Buffer): Promise<Buffer> {
  return zipOf(text, (await promisify(deflateRaw)(text)) as Buffer);
}

/** An archive of one member, `contents.xml`. */
function zipOf(contents: Buffer, deflated: Buffer): Buffer {
  const name = Buffer.from("contents.xml");
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(contents), 10);
  common.writeUInt32LE(deflated.length, 14);
  common.writeUInt32LE(contents.length, 18);
  common.writeUInt16LE(name.length, 22);
  const header = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, deflated]);
  const entry = Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), common, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(header.length, 16);
  return Buffer.concat([header, entry, end]);
}

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: (Element | string)[];
}

/** Into objects, with a strict parser. */
export function parsed(text: string): Element {
  const top: Element = { name: "", attributes: {}, children: [] };
  const open = [top];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes as Record<string, string>, children: [] };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => open.pop());
  parser.on("text", (content) => open.at(-1)!.children.push(content));
  parser.write(text).close();
  return top.children.find((child) => typeof child !== "string") as Element;
}

/** Only parses: the time of a parser that builds no objects. */
export function parseOnly(text: string): void {
  const parser = new SaxesParser();
  parser.on("opentag", () => {});
  parser.write(text).close();
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function written({ name, attributes, children }: Element): string {
  const tag = `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join("")}`;
  if (children.length === 0) return `${tag}/>`;
  return `${tag}>${children.map((child) => (typeof child === "string" ? escaped(child) : written(child))).join("")}</${name}>`;
}

/** Reads, parses, adds a row at the end, and makes the whole file again. */
export async function plainEdit(kind: Kind, path: string): Promise<Buffer> {
  const bytes = readFileSync(path);
  const start = kind === "opml" ? 0 : 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  const text = kind === "opml" ? bytes : inflateRawSync(bytes.subarray(start, start + bytes.readUInt32LE(18)));
  const root = parsed(text.toString("utf8"));
  const list = root.children.findLast((child) => typeof child !== "string") as Element;
  const row: Element =
    kind === "opml"
      ? { name: "outline", attributes: { text: "New" }, children: [] }
      : {
          name: "item",
          attributes: { id: "zzzzzzzzzzz", rank: "7f7f" },
          children: ["entry", "entry", "entry"].map((name) => ({ name, attributes: {}, children: [] })),
        };
  list.children.push(row);
  const changed = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${written(root)}`);
  return kind === "opml" ? changed : compressed(changed);
}
