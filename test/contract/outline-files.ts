// The document of the outline contract as a file of each format, and the rows of
// any file as lines, read by the second reader.
import { readFileSync, writeFileSync } from "node:fs";
import { zipOf } from "../fixtures/outline-files.ts";
import { readRows, type ReadRow } from "../references/outline-reader.ts";

/** Two spaces per level, `[x]` or `[ ]`, the topic, and the note after a bar. */
export function linesIn(file: Uint8Array): string[] {
  return asLines(readRows(Buffer.from(file)), "");
}

export function linesOf(path: string): string[] {
  return linesIn(readFileSync(path));
}

function asLines(rows: readonly ReadRow[], indent: string): string[] {
  return rows.flatMap(({ topic, note, state, children }) => {
    const mark = state === "none" ? "" : state === "checked" ? "[x] " : "[ ] ";
    return [`${indent}${mark}${topic}${note === "" ? "" : ` | ${note}`}`, ...asLines(children, `${indent}  `)];
  });
}

export const WRITERS = {
  ooutline: writeOoutline,
  opml: writeOpml,
  md: writeMarkdown,
} satisfies Record<string, (path: string, lines: readonly string[]) => void>;

interface Line {
  readonly level: number;
  readonly mark: string | undefined;
  readonly topic: string;
  readonly note: string | undefined;
}

/** Parses a line. */
export function parsedLine(line: string): Line {
  const [, indent = "", mark, topic = "", note] = /^( *)(?:\[([ x])\] )?(.*?)(?: \| (.*))?$/.exec(line)!;
  return { level: indent.length / 2, mark, topic, note };
}

function writeMarkdown(path: string, lines: readonly string[]): void {
  const items = lines.map(parsedLine).map(({ level, mark, topic, note }) => {
    const indent = "  ".repeat(level);
    const item = `${indent}- ${mark === undefined ? "" : `[${mark}] `}${topic}\n`;
    return note === undefined ? item : `${item}${indent}  ${note}\n`;
  });
  writeFileSync(path, items.join(""));
}

function writeOpml(path: string, lines: readonly string[]): void {
  const rows = lines.map(parsedLine);
  const tags = rows.map(({ level, mark, topic, note }, i) => {
    const status = mark === undefined ? "" : ` _status="${mark === "x" ? "checked" : "unchecked"}"`;
    const next = rows[i + 1]?.level ?? 0;
    const tag = `<outline text="${topic}"${note === undefined ? "" : ` _note="${note}"`}${status}`;
    const ends = Array.from(
      { length: Math.max(0, level - next) },
      (_, j) => `${"  ".repeat(level - j + 1)}</outline>\n`,
    );
    return `${"  ".repeat(level + 2)}${tag}${next > level ? ">" : "/>"}\n${ends.join("")}`;
  });
  writeFileSync(
    path,
    `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n  <head><title>Plan</title></head>\n  <body>\n${tags.join("")}  </body>\n</opml>\n`,
  );
}

function writeOoutline(path: string, lines: readonly string[]): void {
  const parents: string[] = [];
  const counts = new Map<string, number>();
  const items = lines.map(parsedLine).map(({ level, mark, topic, note }, i) => {
    const id = `b${String(i).padStart(10, "0")}`;
    const parent = parents[level - 1];
    parents[level] = id;
    const rank = counts.get(parent ?? "") ?? 0;
    counts.set(parent ?? "", rank + 1);
    const place = `${parent === undefined ? "" : ` parent-id="${parent}"`} rank="${rank === 0 ? "" : `000${rank}`}"`;
    const status = mark === undefined ? "<entry/>" : `<checkbox>${mark === "x" ? "checked" : "unchecked"}</checkbox>`;
    const cells = [status, note === undefined ? "<entry/>" : textXml(note), textXml(topic)];
    return `    <item id="${id}"${place}>\n${cells.map((cell) => `      ${cell}\n`).join("")}    </item>\n`;
  });
  writeFileSync(path, zipOf({ "contents.xml": contentsXml(items.join("")), "editors.xml": "<editors/>\n" }));
}

function textXml(text: string): string {
  return `<text>\n        <p>\n          <run>\n            <lit>${text}</lit>\n          </run>\n        </p>\n      </text>`;
}

const contentsXml = (items: string) => `<?xml version="1.0" encoding="UTF-8"?>
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
