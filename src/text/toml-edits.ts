// Changes to one table of a TOML file: comments, order and every other table
// stay. What is set and then removed leaves the text as it was. Used by
// connect, for the configuration of other programs.
import { isDeepStrictEqual } from "node:util";
import { lineEndingOf } from "./note-text.ts";
import { Problem } from "./problem.ts";
import { parseToml } from "./toml.ts";
import { tableOf } from "./toml-tables.ts";
import {
  isTable,
  TomlScalar,
  type TomlHeader,
  type TomlPair,
  type TomlStatement,
  type TomlTable,
  type TomlValue,
} from "./toml-values.ts";

type Path = readonly string[];

/** The table at this path, in whatever form it is written; undefined where there is none. */
export function getTable(text: string, path: Path): TomlTable | undefined {
  let value: TomlValue = tableOf(parseToml(text));
  for (const key of path) {
    if (!isTable(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key]!;
  }
  return isTable(value) ? value : undefined;
}

/** Gives the table these values; its other keys stay as they are. A new table goes to the end of the file. */
export function setTable(text: string, path: Path, values: Readonly<Record<string, TomlValue>>): string {
  const statements = parseToml(text);
  if (headerOf(statements, path) !== undefined)
    return Object.entries(values).reduce((result, [key, value]) => setPair(result, path, key, value), text);
  refuseOtherForms(text, statements, path);
  const eol = lineEndingOf(text) ?? "\n";
  const block = [
    `[${path.map(keySource).join(".")}]`,
    ...Object.entries(values).map(([key, value]) => pairSource(key, value)),
    "",
  ];
  const before = text === "" ? "" : text.endsWith("\n") ? text + eol : text + eol + eol;
  return before + block.join(eol);
}

/** Takes out the table, those within it, and the empty line that set it apart. */
export function removeTable(text: string, path: Path): string {
  const statements = parseToml(text);
  const at = statements.findLastIndex((each) => each.kind === "table" && startsWith(each.path, path));
  if (at === -1) {
    if (getTable(text, path) !== undefined) throw otherForm(path);
    return text;
  }
  let last = at;
  while (statements[last + 1]?.kind === "pair") last++;
  const start = text.lastIndexOf("\n", statements[at]!.start - 1) + 1;
  const lineEnd = text.indexOf("\n", statements[last]!.end);
  const before = text.slice(0, start).replace(/(^|\n)\r?\n$/, "$1");
  const after = lineEnd === -1 ? "" : text.slice(lineEnd + 1);
  return removeTable(before === "" ? after.replace(/^\r?\n/, "") : before + after, path);
}

function setPair(text: string, table: Path, key: string, value: TomlValue): string {
  const statements = parseToml(text);
  const own = [...table, key];
  const pair = statements.find((each): each is TomlPair => each.kind === "pair" && isDeepStrictEqual(each.path, own));
  if (pair !== undefined) {
    if (isDeepStrictEqual(pair.value, value)) return text;
    return text.slice(0, pair.valueStart) + valueSource(value) + text.slice(pair.end);
  }
  if (isTable(value) && headerOf(statements, own) !== undefined)
    return Object.entries(value).reduce(
      (result, [innerKey, innerValue]) => setPair(result, own, innerKey, innerValue),
      text,
    );
  let last = statements.indexOf(headerOf(statements, table)!);
  while (statements[last + 1]?.kind === "pair") last++;
  const eol = lineEndingOf(text) ?? "\n";
  const lineEnd = text.indexOf("\n", statements[last]!.end);
  const line = pairSource(key, value) + eol;
  return lineEnd === -1 ? text + eol + line : text.slice(0, lineEnd + 1) + line + text.slice(lineEnd + 1);
}

function headerOf(statements: readonly TomlStatement[], path: Path): TomlHeader | undefined {
  return statements.find((each): each is TomlHeader => each.kind === "table" && isDeepStrictEqual(each.path, path));
}

/** A table that is written in braces cannot be added to by another one. */
function refuseOtherForms(text: string, statements: readonly TomlStatement[], path: Path): void {
  const isClosed = statements.some(
    ({ kind, path: own, ...rest }) =>
      kind === "pair" && own.length <= path.length && startsWith(path, own) && "value" in rest,
  );
  if (isClosed || getTable(text, path) !== undefined) throw otherForm(path);
}

function otherForm(path: Path): Problem {
  return new Problem(
    "invalid",
    `${path.join(".")} is not written as a table of its own.`,
    `Write it as [${path.map(keySource).join(".")}], or take it out by hand.`,
  );
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((key, i) => path[i] === key);
}

function pairSource(key: string, value: TomlValue): string {
  return `${keySource(key)} = ${valueSource(value)}`;
}

function keySource(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : valueSource(key);
}

function valueSource(value: TomlValue): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007F", "\\u007F");
  if (typeof value === "boolean") return String(value);
  if (value instanceof TomlScalar) return value.source;
  if (Array.isArray(value)) return `[${value.map(valueSource).join(", ")}]`;
  return `{ ${Object.entries(value)
    .map(([key, inner]) => pairSource(key, inner))
    .join(", ")} }`;
}
