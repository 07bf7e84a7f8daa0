// An OmniOutliner 5 document for tests, made without anything of src/: the XML
// of a real one in its shape, in a zip whose members are stored.
import { writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";

/** From lines as `asLines` gives them. */
export function writeOoutline(path: string, lines: readonly string[]): void {
  const parents: string[] = [];
  const counts = new Map<string, number>();
  const items = lines.map((line, i) => {
    const [, indent = "", mark, topic = "", note] = /^( *)(?:\[([ x])\] )?(.*?)(?: \| (.*))?$/.exec(line)!;
    const id = `b${String(i).padStart(10, "0")}`;
    const parent = parents[indent.length / 2 - 1];
    parents[indent.length / 2] = id;
    const rank = counts.get(parent ?? "") ?? 0;
    counts.set(parent ?? "", rank + 1);
    return itemXml({ id, parent, rank, topic, note, mark });
  });
  writeFileSync(path, zipOf({ "contents.xml": contents(items.join("")), "editors.xml": "<editors/>\n" }));
}

interface Item {
  readonly id: string;
  readonly parent: string | undefined;
  readonly rank: number;
  readonly topic: string;
  readonly note: string | undefined;
  readonly mark: string | undefined;
}

function itemXml({ id, parent, rank, topic, note, mark }: Item): string {
  const place = `${parent === undefined ? "" : ` parent-id="${parent}"`} rank="${rank === 0 ? "" : `00${rank.toString(16).padStart(2, "0")}`}"`;
  const status = mark === undefined ? "<entry/>" : `<checkbox>${mark === "x" ? "checked" : "unchecked"}</checkbox>`;
  const cells = [status, note === undefined ? "<entry/>" : textXml(note), textXml(topic)];
  return `    <item id="${id}"${place}>\n${cells.map((cell) => `      ${cell}\n`).join("")}    </item>\n`;
}

function textXml(text: string): string {
  return `<text>\n        <p>\n          <run>\n            <lit>${text}</lit>\n          </run>\n        </p>\n      </text>`;
}

const contents = (items: string) => `<?xml version="1.0" encoding="UTF-8"?>
<?xml-model href="http://www.omnigroup.com/namespace/OmniOutliner/xmloutline-v5.rng" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0?>
<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v5" type-of-file-on-disk="flat">
  <columns id="csZ4IYIb5kL" is-base-schema="yes" outline-column="jFqHUGd_Dg1" status-column="i1FNOQRpPxk" note-column="dTpN3JwYpBn">
    <column id="i1FNOQRpPxk" type="checkbox" minimum-width="13" maximum-width="1000000"/>
    <column id="dTpN3JwYpBn" type="text" minimum-width="18" maximum-width="18"/>
    <column id="jFqHUGd_Dg1" type="text" minimum-width="13" maximum-width="1000000"/>
  </columns>
  <items>
    <item rank="" is-root="yes" schema="csZ4IYIb5kL">
      <entry/>
      <entry/>
      <entry/>
    </item>
${items}  </items>
</outline>
`;

function zipOf(members: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(members)) {
    const data = Buffer.from(text);
    // Version, flags, method, time, date, checksum, both sizes, the length of the name, no extra field.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x21, 8);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), facts, Buffer.from(name), data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\0"), facts, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(locals.length, 4);
  end.writeUInt16LE(locals.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from("PK\u0005\u0006"), end]);
}
