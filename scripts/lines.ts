// npm run lines: how much code there is. Counts the lines of TypeScript and
// JavaScript that are neither blank nor comment, without tests, for each room of
// src/ and each other folder, and the names at the door of each room.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const OTHERS = ["web", "bench", "scripts", "eval", "bin"];

function codeFilesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:tsx?|m?js)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(ROOT, folder, name));
}

/** Counts a line with code and a comment behind it as code. */
function codeLinesIn(text: string): number {
  let count = 0;
  let isInComment = false;
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (!isInComment && /^\{?\/\*/.test(line)) isInComment = true;
    if (isInComment) isInComment = !line.includes("*/");
    else if (line !== "" && !line.startsWith("//")) count++;
  }
  return count;
}

const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + codeLinesIn(readFileSync(file, "utf8")), 0);

/** Counts what a room exports to the others, by the file that is named like it. */
function namesAtDoor(room: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(join(ROOT, "src", room, `${room}.ts`), "utf8");
  } catch {
    return undefined;
  }
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) => names!.split(","));
  const declared =
    text.match(/^export (?:async |abstract )*(?:function|class|const|let|interface|type|enum) \w/gm) ?? [];
  return lists.filter((name) => name.trim() !== "").length + declared.length;
}

const rooms = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const rows = rooms
  .map(({ name }) => ({ name, lines: linesOf(codeFilesBelow(`src/${name}`)), door: namesAtDoor(name) }))
  .toSorted((a, b) => b.lines - a.lines);
for (const { name, lines, door } of rows)
  console.log(
    `${`src/${name}`.padEnd(20)} ${String(lines).padStart(6)}  ${door === undefined ? "" : `${door} names at the door`}`,
  );
console.log(`${"src".padEnd(20)} ${String(linesOf(codeFilesBelow("src"))).padStart(6)}`);
for (const folder of OTHERS) console.log(`${folder.padEnd(20)} ${String(linesOf(codeFilesBelow(folder))).padStart(6)}`);
