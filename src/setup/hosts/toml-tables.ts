// Edits one table of a TOML file as text and leaves every other character as it
// is. configuration.ts uses it for the files of other programs.
//
// smol-toml is the only judge of what the text means, before and after an edit.
// Since it reports no offsets, they are found by asking whether a part of the
// file is valid: lines from the start of a statement form whole statements
// exactly if they parse, because a string or list that is still open does not.
import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { lineEndingOf } from "../../markdown/markdown.ts";
import { Problem } from "../../kernel/kernel.ts";

type Path = readonly string[];
type Table = Readonly<Record<string, unknown>>;
/** The values that connect writes: a command, its arguments, environment variables. */
export type EntryValue = string | readonly string[] | Readonly<Record<string, string>>;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A header and the lines below it, up to the next header. */
interface Section extends Span {
  readonly path: Path;
  readonly isArrayItem: boolean;
}

/** The value of the whole file. Throws a Problem that names the line if it is not TOML. */
export function parseToml(text: string): Table {
  try {
    return parsed(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n")[0]!.replace(/^Invalid TOML document: /, "");
    throw new Problem("invalid", `Invalid TOML in line ${error.line}: ${reason}.`);
  }
}

/** The table at this path, in whichever form it is written; undefined if it does not exist. */
export function getTable(text: string, path: Path): Table | undefined {
  let value: unknown = parseToml(text);
  for (const key of path) {
    if (!isTable(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return isTable(value) ? value : undefined;
}

/** Sets these keys of the table and keeps its other keys. A new table is appended to the file. */
export function setTable(text: string, path: Path, values: Readonly<Record<string, EntryValue>>): string {
  const existing = getTable(text, path);
  if (existing !== undefined && sectionAt(text, path) === undefined) throw otherForm(text, path);
  const result =
    existing === undefined
      ? appended(text, path, values)
      : Object.entries(values).reduce((edited, [key, value]) => withKey(edited, path, key, value), text);
  // Invalid if the table's parent is an inline table, or if one of the keys is written in a form not handled here.
  if (tryParse(result) === undefined) throw otherForm(text, path);
  return result;
}

/** Replaces the table, with its subtables, by the source of the same table of another text, at the end of the file. */
export function copyTable(text: string, path: Path, other: string): string {
  const eol = lineEndingOf(text) ?? "\n";
  const sources = sectionsIn(other, path).map((section) => other.slice(section.start, contentEnd(other, section)));
  const lines = sources.map((source) => (source.endsWith("\n") ? source : source + eol));
  return withEmptyLine(removeTable(text, path), eol) + lines.join(eol);
}

/** Removes the table, its subtables, and the empty line above each. */
export function removeTable(text: string, path: Path): string {
  const existing = getTable(text, path);
  const section = sectionsIn(text, path).at(-1);
  if (section === undefined) {
    if (existing !== undefined) throw otherForm(text, path);
    return text;
  }
  const before = text.slice(0, section.start).replace(/(^|\n)\r?\n$/, "$1");
  const after = text.slice(contentEnd(text, section));
  return removeTable(before === "" ? after.replace(/^\r?\n/, "") : before + after, path);
}

function appended(text: string, path: Path, values: Readonly<Record<string, EntryValue>>): string {
  const eol = lineEndingOf(text) ?? "\n";
  const lines = Object.entries(values).map(([key, value]) => pairSource(key, value));
  return withEmptyLine(text, eol) + [headerSource(path), ...lines, ""].join(eol);
}

/** Ready for another table at the end. */
function withEmptyLine(text: string, eol: string): string {
  return text === "" ? "" : text.endsWith("\n") ? text + eol : text + eol + eol;
}

function withKey(text: string, path: Path, key: string, value: EntryValue): string {
  const section = sectionAt(text, path)!;
  const pair = pairIn(text, section, key);
  if (pair !== undefined) {
    // An inline table of environment variables may contain the user's own.
    const merged = isTable(value) && isTable(pair.value) ? { ...pair.value, ...value } : value;
    if (isDeepStrictEqual(pair.value, merged)) return text;
    if (!isEntryValue(merged)) throw otherForm(text, path);
    return text.slice(0, pair.start) + valueSource(merged) + text.slice(pair.end);
  }
  if (isTable(value) && sectionAt(text, [...path, key]) !== undefined)
    return Object.entries(value).reduce(
      (edited, [innerKey, innerValue]) => withKey(edited, [...path, key], innerKey, innerValue),
      text,
    );
  const eol = lineEndingOf(text) ?? "\n";
  const before = text.slice(0, contentEnd(text, section));
  return `${before}${before.endsWith("\n") ? "" : eol}${pairSource(key, value)}${eol}${text.slice(before.length)}`;
}

function sectionAt(text: string, path: Path): Section | undefined {
  return sectionsOf(text).find((section) => !section.isArrayItem && isDeepStrictEqual(section.path, path));
}

/** The table at this path, if it is written as one, and its subtables. */
function sectionsIn(text: string, path: Path): Section[] {
  return sectionsOf(text).filter(({ path: own }) => path.every((key, i) => own[i] === key));
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let start = 0;
  const starts = [...text.matchAll(/(?<![^\n])[ \t]*\[[^\n]*/g)].filter(({ index }) => {
    // Not a header but a line of a text or list of several lines.
    if (tryParse(text.slice(start, index)) === undefined) return false;
    start = index;
    return true;
  });
  for (const [i, { 0: header, index }] of starts.entries()) {
    const isArrayItem = header.trimStart().startsWith("[[");
    sections.push({ start: index, end: starts[i + 1]?.index ?? text.length, path: headerPath(header), isArrayItem });
  }
  return sections;
}

function headerPath(header: string): string[] {
  const path: string[] = [];
  let value: unknown = parsed(header.trimEnd());
  for (;;) {
    const [entry] = Object.entries((Array.isArray(value) ? value[0] : value) as Table);
    if (entry === undefined) return path;
    path.push(entry[0]);
    value = entry[1];
  }
}

/** Returns the end of the section's last pair. Comments below it belong to the next section. */
function contentEnd(text: string, { start, end }: Section): number {
  const section = text.slice(start, end);
  const whole = parsed(section);
  return start + lineEndsOf(section).find((lineEnd) => isDeepStrictEqual(tryParse(section.slice(0, lineEnd)), whole))!;
}

/** The value of a key that is a pair of this section, and where its source is. */
function pairIn(text: string, section: Section, key: string): (Span & { readonly value: unknown }) | undefined {
  for (const { start, end } of statementsIn(text, section)) {
    const statement = text.slice(start, end);
    // The first equals sign that is not part of a quoted key.
    const equals = offsetsOf(statement, "=").find((at) => tryParse(`${statement.slice(0, at)}= 0`) !== undefined);
    if (equals === undefined || !isDeepStrictEqual(tryParse(`${statement.slice(0, equals)}= ""`), { [key]: "" }))
      continue;
    // The first number sign that is not part of the value.
    const comment = offsetsOf(statement, "#").find(
      (at) => at > equals && tryParse(statement.slice(0, at)) !== undefined,
    );
    const source = statement.slice(equals + 1, comment);
    const valueStart = start + equals + 1 + (source.length - source.trimStart().length);
    return { start: valueStart, end: valueStart + source.trim().length, value: parsed(statement)[key] };
  }
  return undefined;
}

/** The statements below the section's header; lines with a comment or nothing count as one each. */
function statementsIn(text: string, { start, end }: Section): Span[] {
  const [headerEnd, ...lineEnds] = lineEndsOf(text.slice(start, end)).map((lineEnd) => start + lineEnd);
  const statements: Span[] = [];
  let at = headerEnd!;
  for (const lineEnd of lineEnds) {
    if (tryParse(text.slice(at, lineEnd)) === undefined) continue;
    statements.push({ start: at, end: lineEnd });
    at = lineEnd;
  }
  return statements;
}

/** The offsets behind each line, line break included. */
function lineEndsOf(text: string): number[] {
  const ends = offsetsOf(text, "\n").map((offset) => offset + 1);
  return text.endsWith("\n") ? ends : [...ends, text.length];
}

function offsetsOf(text: string, character: string): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) offsets.push(at);
  return offsets;
}

/** The parser's objects have no prototype; these compare equal to object literals. */
function parsed(text: string): Table {
  return structuredClone(parse(text, { integersAsBigInt: true }));
}

function tryParse(text: string): Table | undefined {
  try {
    return parsed(text);
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function isEntryValue(value: EntryValue | Table): value is EntryValue {
  return !isTable(value) || Object.values(value).every((each) => typeof each === "string");
}

function otherForm(text: string, path: Path): Problem {
  const list = path.slice(0, -1);
  const isOpen = tryParse(`${text}\n${headerSource([...list, "a name that no table has"])}\n`) !== undefined;
  if (isOpen)
    return new Problem(
      "invalid",
      `${path.join(".")} is not written as a separate table.`,
      `Write it as ${headerSource(path)}, or remove it by hand.`,
    );
  const form = getTable(text, list) === undefined ? "not a table" : "an inline table, to which no other can be added";
  return new Problem(
    "invalid",
    `${list.join(".")} is ${form}.`,
    `Write each server as a separate table, such as ${headerSource(path)}.`,
  );
}

function headerSource(path: Path): string {
  return `[${path.map(keySource).join(".")}]`;
}

function pairSource(key: string, value: EntryValue): string {
  return `${keySource(key)} = ${valueSource(value)}`;
}

function keySource(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : valueSource(key);
}

/** The library's `stringify` would put blanks inside the brackets of every list. */
function valueSource(value: EntryValue): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007F", "\\u007F");
  if (Array.isArray(value)) return `[${value.map(valueSource).join(", ")}]`;
  const pairs = Object.entries(value as Readonly<Record<string, string>>);
  return `{ ${pairs.map(([key, inner]) => pairSource(key, inner)).join(", ")} }`;
}
