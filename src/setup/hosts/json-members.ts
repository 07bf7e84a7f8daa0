// Edits one member of a JSON file with comments and leaves every other character
// as it is. configuration.ts and removal.ts use it for the files of other programs.
//
// jsonc-parser reads the file and applies the edits. Its own `modify` is not
// used: it reformats the whole line that it edits, and on removal deletes the
// comments between two members.
import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  createScanner,
  getNodeValue,
  parseTree,
  type Edit,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { lineEndingOf, lineNumberAt } from "../../markdown/markdown.ts";
import { Problem } from "../../kernel/kernel.ts";

type Keys = readonly [string, ...string[]];

/** A key with its value and the comma behind it, as offsets. */
interface Member {
  readonly start: number;
  readonly end: number;
  readonly value: Node;
  /** Offset of the comma; undefined for a last member without one. */
  readonly comma: number | undefined;
}

/** The value of the whole file. If a key is repeated, the last one counts, as in JSON.parse. */
export function parseJson(text: string): unknown {
  return valueOf(rootOf(text));
}

/** The value at this path of keys; undefined if it does not exist. */
export function getMember(text: string, keys: Keys): unknown {
  const { missing, found } = find(text, keys);
  return missing.length === 0 && found !== undefined ? valueOf(found.value) : undefined;
}

/** Returns whether the member is an object that contains nothing, not even a comment. */
export function isBareObject(text: string, keys: Keys): boolean {
  const { missing, found } = find(text, keys);
  if (missing.length > 0 || found?.value.type !== "object") return false;
  return text.slice(found.value.offset + 1, endOf(found.value) - 1).trim() === "";
}

/** Sets the member to a value and creates the objects that lead to it. An empty text becomes an object. */
export function setMember(text: string, keys: Keys, value: unknown): string {
  if (text.trim() === "") return `${JSON.stringify(nested(keys, value), null, 2)}\n`;
  const { object, missing, found } = find(text, keys);
  const [key, ...inner] = missing;
  if (key !== undefined) return applyEdits(text, insertion(text, object, key, nested(inner, value)));
  const { offset, length } = found!.value;
  if (isDeepStrictEqual(valueOf(found!.value), value)) return text;
  const isOneLine = !text.slice(offset, offset + length).includes("\n") && isInline(text, object);
  const content = isOneLine ? JSON.stringify(value) : render(text, value, lineIndent(text, offset));
  return applyEdits(text, [{ offset, length, content }]);
}

/** Replaces the member's value by the source of the same member of another text. Both must have it. */
export function copyMember(text: string, keys: Keys, other: string): string {
  const { offset, length } = find(text, keys).found!.value;
  const copied = find(other, keys).found!.value;
  return applyEdits(text, [{ offset, length, content: other.slice(copied.offset, endOf(copied)) }]);
}

/** Removes the member, with its duplicates. The object that contained it stays. */
export function removeMember(text: string, keys: Keys): string {
  if (text.trim() === "") return text;
  const { object, missing, found } = find(text, keys);
  if (missing.length > 0 || found === undefined) return text;
  return removeMember(applyEdits(text, removal(text, object, found)), keys);
}

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser is recursive: the call stack ends before a file that consists of brackets does.
    if (error instanceof RangeError) throw new Problem("invalid", "It is nested too deeply.");
    throw error;
  }
  const [error] = errors;
  if (root !== undefined && error === undefined) return root;
  const offset = error?.offset ?? text.length;
  if (offset >= text.length) throw new Problem("invalid", "Unexpected end of file.");
  const character = String.fromCodePoint(text.codePointAt(offset)!);
  throw new Problem("invalid", `Unexpected ${JSON.stringify(character)} in line ${lineNumberAt(text, offset)}.`);
}

/** The parser's objects have no prototype; these compare equal to object literals. */
function valueOf(node: Node): unknown {
  return structuredClone(getNodeValue(node));
}

/** Follows the keys as far as there are objects. */
function find(text: string, keys: Keys): { object: Node; missing: string[]; found: Member | undefined } {
  let object = asObject(rootOf(text), "The file");
  const missing: string[] = [...keys];
  for (;;) {
    const property = propertiesOf(object).findLast(({ children }) => children![0]!.value === missing[0]);
    if (property === undefined) return { object, missing, found: undefined };
    const found = memberOf(text, property);
    const key = missing.shift()!;
    if (missing.length === 0) return { object, missing, found };
    object = asObject(found.value, `"${key}"`);
  }
}

function asObject(node: Node, name: string): Node {
  if (node.type === "object") return node;
  throw new Problem("invalid", `${name} is not an object.`);
}

function propertiesOf(object: Node): readonly Node[] {
  return object.children ?? [];
}

function memberOf(text: string, property: Node): Member {
  const end = endOf(property);
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return { start: property.offset, end, value: property.children![1]!, comma: text[next] === "," ? next : undefined };
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function nested(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function insertion(text: string, object: Node, key: string, value: unknown): Edit[] {
  const property = propertiesOf(object).at(-1);
  const last = property === undefined ? undefined : memberOf(text, property);
  const after = last?.comma === undefined ? "" : ",";
  if (last !== undefined && isInline(text, object)) {
    const content = `${after === "" ? "," : ""} ${JSON.stringify(key)}: ${JSON.stringify(value)}${after}`;
    return [{ offset: last.comma === undefined ? last.end : last.comma + 1, length: 0, content }];
  }
  const separator =
    last === undefined || last.comma !== undefined ? [] : [{ offset: last.end, length: 0, content: "," }];
  const eol = lineEndingOf(text) ?? "\n";
  const indent = memberIndent(text, object);
  const member = `${eol}${indent}${JSON.stringify(key)}: ${render(text, value, indent)}${after}`;
  const close = endOf(object) - 1;
  const contentEnd = text.slice(0, close).trimEnd().length;
  const lineEnd = contentEnd + /^[^\r\n]*/.exec(text.slice(contentEnd, close))![0].length;
  // Below a comment that ends the last line. If the closing brace shares that line, it gets a new one.
  const place =
    lineEnd < close
      ? { offset: lineEnd, length: 0, content: member }
      : {
          offset: contentEnd,
          length: close - contentEnd,
          content: `${member}${eol}${lineIndent(text, object.offset)}`,
        };
  return [...separator, place];
}

function removal(text: string, object: Node, { start, end: valueEnd, comma }: Member): Edit[] {
  const properties = propertiesOf(object);
  const index = properties.findIndex(({ offset }) => offset === start);
  const previous = index === 0 ? undefined : memberOf(text, properties[index - 1]!);
  const next = properties[index + 1];
  const end = comma === undefined ? valueEnd : comma + 1;
  const inside = text.slice(object.offset + 1, start) + text.slice(end, endOf(object) - 1);
  if (previous === undefined && next === undefined && inside.trim() === "")
    return [deletion(object.offset + 1, endOf(object) - 1)];
  if (isInline(text, object)) {
    if (next !== undefined) return [deletion(start, next.offset)];
    return [deletion(previous?.comma ?? start, valueEnd)];
  }
  // A last member without a comma takes the comma of the member before it along.
  const separator =
    comma === undefined && previous?.comma !== undefined ? [deletion(previous.comma, previous.comma + 1)] : [];
  const lineRest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  const place =
    startsItsLine(text, start) && lineRest !== null
      ? deletion(start - lineIndent(text, start).length, end + lineRest[0].length)
      : deletion(start, end + /^[ \t]*/.exec(text.slice(end))![0].length);
  return [...separator, place];
}

function deletion(start: number, end: number): Edit {
  return { offset: start, length: end - start, content: "" };
}

/** Returns whether the first member is on the line of the opening brace. An empty object is expanded instead. */
function isInline(text: string, object: Node): boolean {
  const [first] = propertiesOf(object);
  return first !== undefined && !startsItsLine(text, first.offset);
}

function startsItsLine(text: string, offset: number): boolean {
  return offset > 0 && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, text.lastIndexOf("\n", offset - 1)), offset));
}

/** The indentation of the line that contains this offset. */
function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset))![0];
}

function memberIndent(text: string, object: Node): string {
  const [first] = propertiesOf(object);
  return first === undefined ? lineIndent(text, object.offset) + indentUnit(text) : lineIndent(text, first.offset);
}

/** The indentation of one level, taken from the first indented line. */
function indentUnit(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
}

function render(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, indentUnit(text)).replaceAll("\n", `${lineEndingOf(text) ?? "\n"}${indent}`);
}
