// Changes to one member of a JSON file with comments: everything else keeps its
// place, its comments, its indentation and its line endings. What is set and
// then removed leaves the text as it was. Used by connect, for the
// configuration of other programs.
import { isDeepStrictEqual } from "node:util";
import { memberOf, parseJsonc, valueOf, type JsonMember, type JsonNode, type JsonObject } from "./jsonc.ts";
import { lineEndingOf } from "./note-text.ts";
import { Problem } from "./problem.ts";

type Keys = readonly [string, ...string[]];

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The value at these keys, each within the one before; undefined where there is none. */
export function getMember(text: string, keys: Keys): unknown {
  const { rest, found } = walk(text, keys);
  return rest.length === 0 && found !== undefined ? valueOf(found.value) : undefined;
}

/** Whether the member is an object with nothing in it, not even a comment. */
export function isBareObject(text: string, keys: Keys): boolean {
  const { rest, found } = walk(text, keys);
  if (rest.length > 0 || found?.value.kind !== "object") return false;
  return text.slice(found.value.start + 1, found.value.end - 1).trim() === "";
}

/** Gives the member a value; objects on the way to it are made. A text without anything becomes an object. */
export function setMember(text: string, keys: Keys, value: unknown): string {
  if (text.trim() === "") return `${JSON.stringify(nested(keys, value), null, 2)}\n`;
  const { object, rest, found } = walk(text, keys);
  const [key, ...inner] = rest;
  if (key !== undefined) return insertMember(text, object, key, inner.length === 0 ? value : nested(inner, value));
  const node = found!.value;
  if (isDeepStrictEqual(valueOf(node), value)) return text;
  const isOneLine = !text.slice(node.start, node.end).includes("\n") && isInline(text, object);
  return spliced(text, [
    { ...node, text: isOneLine ? JSON.stringify(value) : render(text, value, lineIndent(text, node.start)) },
  ]);
}

/** Takes the member out, wherever it is there twice too. The object that held it stays. */
export function removeMember(text: string, keys: Keys): string {
  if (text.trim() === "") return text;
  const { object, rest, found } = walk(text, keys);
  if (rest.length > 0 || found === undefined) return text;
  return removeMember(spliced(text, removal(text, object, found)), keys);
}

/** Follows the keys as far as there are objects. */
function walk(text: string, keys: Keys): { object: JsonObject; rest: string[]; found: JsonMember | undefined } {
  let object = asObject(parseJsonc(text), "The file");
  const rest: string[] = [...keys];
  for (;;) {
    const found = memberOf(object, rest[0]!);
    if (found === undefined) return { object, rest, found };
    const key = rest.shift()!;
    if (rest.length === 0) return { object, rest, found };
    object = asObject(found.value, `"${key}"`);
  }
}

function asObject(node: JsonNode, name: string): JsonObject {
  if (node.kind === "object") return node;
  throw new Problem("invalid", `${name} does not hold an object.`);
}

function nested(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function insertMember(text: string, object: JsonObject, key: string, value: unknown): string {
  const last = object.members.at(-1);
  const after = last?.comma === undefined ? "" : ",";
  const separator = last === undefined || last.comma !== undefined ? [] : [comma(last.value.end)];
  if (isInline(text, object)) {
    const at = last!.comma === undefined ? last!.value.end : last!.comma + 1;
    const member = `${after === "" ? "," : ""} ${JSON.stringify(key)}: ${JSON.stringify(value)}${after}`;
    return spliced(text, [{ start: at, end: at, text: member }]);
  }
  const eol = lineEndingOf(text) ?? "\n";
  const indent = memberIndent(text, object);
  const member = `${eol}${indent}${JSON.stringify(key)}: ${render(text, value, indent)}${after}`;
  const close = object.end - 1;
  const content = text.slice(0, close).trimEnd().length;
  const lineEnd = content + /^[^\r\n]*/.exec(text.slice(content, close))![0].length;
  // Behind a comment that ends the last line; before the brace, which gets a line of its own.
  const place =
    lineEnd < close
      ? { start: lineEnd, end: lineEnd, text: member }
      : { start: content, end: close, text: `${member}${eol}${lineIndent(text, object.start)}` };
  return spliced(text, [...separator, place]);
}

function removal(text: string, object: JsonObject, member: JsonMember): Splice[] {
  const index = object.members.indexOf(member);
  const previous = object.members[index - 1];
  const next = object.members[index + 1];
  const start = member.start;
  const end = member.comma === undefined ? member.value.end : member.comma + 1;
  const inside = text.slice(object.start + 1, start) + text.slice(end, object.end - 1);
  if (previous === undefined && next === undefined && inside.trim() === "")
    return [{ start: object.start + 1, end: object.end - 1, text: "" }];
  if (isInline(text, object)) {
    if (next !== undefined) return [{ start, end: next.start, text: "" }];
    return [{ start: previous === undefined ? start : previous.comma!, end: member.value.end, text: "" }];
  }
  // A last member without a comma leaves none behind the one before it.
  const separator =
    member.comma === undefined && previous !== undefined
      ? [{ start: previous.comma!, end: previous.comma! + 1, text: "" }]
      : [];
  const lineStart = start - lineIndent(text, start).length;
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  const isAlone = startsItsLine(text, start) && rest !== null;
  const place = isAlone
    ? { start: lineStart, end: end + rest[0].length, text: "" }
    : { start, end: end + /^[ \t]*/.exec(text.slice(end))![0].length, text: "" };
  return [...separator, place];
}

function comma(at: number): Splice {
  return { start: at, end: at, text: "," };
}

/** Whether members stand in one line with their brace. An empty object never does: it is opened up. */
function isInline(text: string, { members: [first] }: JsonObject): boolean {
  return first !== undefined && !startsItsLine(text, first.start);
}

function startsItsLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, text.lastIndexOf("\n", at - 1)), at)) && at > 0;
}

/** The blanks at the beginning of the line that has this offset in it. */
function lineIndent(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))![0];
}

function memberIndent(text: string, object: JsonObject): string {
  const [first] = object.members;
  return first === undefined ? lineIndent(text, object.start) + indentUnit(text) : lineIndent(text, first.start);
}

/** What one level is indented by: as the first indented line has it. */
function indentUnit(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
}

function render(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, indentUnit(text)).replaceAll("\n", `${lineEndingOf(text) ?? "\n"}${indent}`);
}

/** Two at the same place come in their order. */
function spliced(text: string, splices: readonly Splice[]): string {
  let result = text;
  for (const { start, end, text: part } of splices.toReversed().toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + part + result.slice(end);
  return result;
}
