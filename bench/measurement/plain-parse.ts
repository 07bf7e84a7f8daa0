// The simplest reader of other programs' files: parses every JSON document, line
// and column, and keeps nothing. What an index costs is compared to it.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";

/** All files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

export const bytesOf = (files: readonly string[]): number => files.reduce((sum, file) => sum + statSync(file).size, 0);

export function parsePlainly(files: readonly string[]): void {
  for (const file of files) {
    if (/\.(?:db|vscdb)$/.test(file)) parseRows(file);
    else if (file.endsWith(".jsonl")) parseLines(readFileSync(file));
    else if (file.endsWith(".json")) JSON.parse(readFileSync(file, "utf8"));
    // A log in Markdown, or facts in YAML.
    else if (!/-(?:wal|shm)$/.test(file)) readFileSync(file, "utf8").split("\n");
  }
}

function parseLines(bytes: Buffer): void {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(10, start);
    const end = found === -1 ? bytes.length : found;
    JSON.parse(bytes.toString("utf8", start, end));
    start = end + 1;
  }
}

function parseRows(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables)
    for (const row of database.prepare(`SELECT * FROM "${String(name)}"`).iterate())
      for (const value of Object.values(row)) parseValue(value);
  database.close();
}

const ZSTD = 0xfd2fb528;

function parseValue(value: unknown): void {
  if (typeof value === "string" && /^[[{]/.test(value)) JSON.parse(value);
  if (!(value instanceof Uint8Array) || value.length < 4) return;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.readUInt32LE(0) === ZSTD) JSON.parse(zstdDecompressSync(bytes).toString("utf8"));
}
