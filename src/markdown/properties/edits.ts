// Changes a note's properties without changing the rest of its frontmatter: only
// the source of a changed value is replaced, so that comments, order, quoting and
// indentation elsewhere are kept byte for byte. Used by updateProperties.
//
// In a changed list or map, unchanged items keep their quoting and comments, but are
// written again. The result is parsed before it is returned: an edit that would
// change anything else is refused.
import { isDeepStrictEqual } from "node:util";
import {
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Pair,
  parseDocument,
  Scalar,
  type Document,
  type Node,
  type YAMLMap,
} from "yaml";
import { frontmatterRange, readProperties } from "./frontmatter.ts";
import { lineEndingOf, lineNumberAt, withLineEndingsOf, type LineEnding } from "../note-text.ts";
import { Problem } from "../../kernel/kernel.ts";
import { nameOf, nodeFor, quoteStrings, rendered, type SourcePair, type Style } from "./yaml-values.ts";

export interface PropertyUpdate {
  readonly text: string;
  /** The names whose value changed; without those that had the value already. */
  readonly set: readonly string[];
  /** The names that were removed; without those that did not exist. */
  readonly unset: readonly string[];
}

/** The new values by name; undefined removes the property. */
type Changes = ReadonlyMap<string, unknown>;

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Sets and removes properties. New ones are added at the end. A note without
 * frontmatter gets one, and an empty frontmatter is removed with its dashes, as in
 * Obsidian: setting a property and removing it again restores the note.
 */
export function updateProperties(
  text: string,
  set: Readonly<Record<string, unknown>>,
  unset: readonly string[],
): PropertyUpdate {
  const { properties, broken } = readProperties(text);
  if (broken !== undefined) throw new Problem("invalid", `${broken} Repair it first: nothing was changed.`);

  const current = new Map(Object.entries(properties));
  const changes = new Map<string, unknown>();
  for (const [name, value] of Object.entries(set)) {
    const wanted = checkedValue(checkedName(name), value);
    if (!current.has(name) || !isDeepStrictEqual(current.get(name), wanted)) changes.set(name, wanted);
  }
  for (const name of unset) {
    if (Object.hasOwn(set, name)) throw new Problem("invalid", `"${name}" is both in set and in unset. Choose one.`);
    if (current.has(name)) changes.set(name, undefined);
  }
  if (changes.size === 0) return { text, set: [], unset: [] };

  const result = withFrontmatter(text, (source, lineEnding) => edited(source, changes, lineEnding));
  for (const [name, value] of changes) {
    if (value === undefined) current.delete(name);
    else current.set(name, value);
  }
  const after = readProperties(result);
  if (after.broken !== undefined || !isDeepStrictEqual(after.properties, Object.fromEntries(current))) {
    throw new Problem(
      "invalid",
      "This frontmatter cannot be changed here without changing other properties with it (anchors and aliases, or characters that YAML cannot hold). Nothing was changed.",
      "Edit the lines of the frontmatter by line number instead.",
    );
  }
  const names = [...changes.keys()];
  return {
    text: result,
    set: names.filter((name) => changes.get(name) !== undefined),
    unset: names.filter((name) => changes.get(name) === undefined),
  };
}

function withFrontmatter(text: string, edit: (source: string, lineEnding: LineEnding) => string): string {
  const range = frontmatterRange(text);
  const lineEnding = lineEndingOf(text) ?? "\n";
  if (range === undefined) return `---${lineEnding}${edit("", lineEnding)}---${lineEnding}${text}`;
  const source = text.slice(range.contentStart, range.contentEnd);
  const result = edit(source, lineEndingOf(source) ?? lineEnding);
  if (result.trim() === "") return text.slice(range.end);
  return text.slice(0, range.contentStart) + result + text.slice(range.contentEnd);
}

/** The changed YAML. */
function edited(source: string, changes: Changes, lineEnding: LineEnding): string {
  // That no name comes twice is known: the parser would compare each with each.
  const document = parseDocument(source, {
    keepSourceTokens: true,
    prettyErrors: false,
    logLevel: "error",
    uniqueKeys: false,
  });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const line = lineNumberAt(source, fault.pos[0]) + 1;
    throw new Problem(
      "invalid",
      `The frontmatter is not valid YAML (line ${line}: ${fault.message}). Repair it first.`,
    );
  }
  const map = document.contents;
  if (map !== null && !isMap(map)) {
    throw new Problem("invalid", "The frontmatter is not a list of properties (name: value). Repair it first.");
  }
  const pairs: readonly SourcePair[] = map?.items ?? [];
  if (map !== null && (map.flow || pairs.some(isExplicit))) {
    return withLineEndingsOf({ lineEnding }, renderedWhole(document, map, source, changes));
  }
  const margin = " ".repeat(columnOf(source, pairs[0]));
  const placed = (rendered: string): string =>
    withLineEndingsOf({ lineEnding }, rendered.replaceAll("\r", "").replace(/\n(?=[^\n])/g, `\n${margin}`));

  const splices: Splice[] = [];
  let added = "";
  for (const [name, value] of changes) {
    const pair = pairs.find((candidate) => nameOf(candidate) === name);
    if (value === undefined) {
      if (pair !== undefined) splices.push(removal(source, pair));
    } else if (pair === undefined) {
      added += placed(margin + rendered(name, nodeFor(undefined, value), value, styleOf(source, pairs)));
    } else {
      splices.push(replacement(source, pair, value, styleOf(source, [pair, ...pairs]), placed));
    }
  }
  splices.push({ start: source.length, end: source.length, text: added });
  return applied(source, splices);
}

function applied(source: string, splices: readonly Splice[]): string {
  let result = source;
  for (const { start, end, text } of splices.toSorted((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + text + result.slice(end);
  }
  return result;
}

/**
 * The lines of a property, with the comment beside it and the comments indented
 * below it. Comments above it are kept: they may be about what follows.
 */
function removal(source: string, pair: SourcePair): Splice {
  const start = source.lastIndexOf("\n", keyStart(pair)) + 1;
  let end = lineEnd(source, valueEnd(source, pair)) + 1;
  const isBelow = new RegExp(`^[ \\t]{${columnOf(source, pair) + 1},}#`);
  while (isBelow.test(source.slice(end, lineEnd(source, end)))) end = lineEnd(source, end) + 1;
  return { start, end, text: "" };
}

function replacement(
  source: string,
  pair: SourcePair,
  value: unknown,
  style: Style,
  placed: (rendered: string) => string,
): Splice {
  const start = colonEnd(pair);
  const end = valueEnd(source, pair);
  const old = isNode(pair.value) ? pair.value : undefined;
  const node = nodeFor(old, value);
  const header = headerComment(source, start, old, node);
  // An indented comment or blank line that is kept below would become part of a block scalar above it.
  if (/^[^\n]*\n\s*?[ \t]/.test(source.slice(end))) quoteStrings(node, (line) => line.includes("\n"));
  const written = rendered("k", node, value, style);
  // Remove only the final line break: others may belong to a block scalar.
  const [first = "", ...rest] = written.slice(written.indexOf(":") + 1, -1).split("\n");
  const beside = source.slice(end, lineEnd(source, end)).trimEnd();
  const valueStart = old?.range?.[0] ?? start;
  if (rest.length === 0 && header === "" && valueStart < end && /^[ \t]+$/.test(source.slice(start, valueStart))) {
    return { start: valueStart, end, text: first.trimStart() };
  }
  const lines = [first + header + beside, ...rest];
  return { start, end: end + beside.length, text: placed(lines.join("\n")) };
}

/**
 * The comment beside the name of a value of several lines. It stays there, and the
 * new value must not repeat it.
 */
function headerComment(source: string, start: number, old: Node | undefined, node: Node): string {
  if (isScalar(old) && (old.type === Scalar.BLOCK_LITERAL || old.type === Scalar.BLOCK_FOLDED)) {
    return old.comment ? ` #${old.comment.trimEnd()}` : "";
  }
  const comment = /^[ \t]+#.*/.exec(source.slice(start, lineEnd(source, start)))?.[0].trimEnd();
  const isEmpty = !old?.range || old.range[0] === old.range[1];
  if (comment === undefined || isEmpty) return "";
  node.commentBefore = node.commentBefore?.split("\n").slice(1).join("\n") || null;
  return comment;
}

/** Maps in the form `{a: 1}` or `? a` have no separate lines to replace. */
function renderedWhole(document: Document, map: YAMLMap, source: string, changes: Changes): string {
  for (const [name, value] of changes) {
    const pair = map.items.find((candidate) => nameOf(candidate) === name);
    if (value === undefined) map.items = map.items.filter((candidate) => candidate !== pair);
    else if (pair === undefined) map.add(new Pair(name, nodeFor(undefined, value)));
    else pair.value = nodeFor(pair.value, value);
  }
  if (map.items.length === 0) return "";
  const style = { ...styleOf(source, []), flowCollectionPadding: /^\s*\{\s/.test(source) };
  return document.toString(style).replaceAll("\r", "");
}

/** How lists are indented and brackets are spaced: as in the first of these properties that has them. */
function styleOf(source: string, pairs: readonly SourcePair[]): Style {
  const depths = pairs.map((pair) => {
    const { value } = pair;
    if (!isCollection(value) || value.flow || !value.range) return undefined;
    return { isList: isSeq(value), depth: column(source, value.range[0]) - columnOf(source, pair) };
  });
  const list = depths.find((found) => found?.isList);
  const indented = depths.find((found) => found !== undefined && found.depth > 0);
  const brackets = pairs.map(({ value }) => value).find((value) => isCollection(value) && value.flow && value.range);
  return {
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    indent: indented?.depth ?? 2,
    indentSeq: list === undefined || list.depth > 0,
    flowCollectionPadding: isNode(brackets) && /\s/.test(source[brackets.range![0] + 1] ?? ""),
  };
}

function keyStart(pair: SourcePair): number {
  return isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function colonEnd(pair: SourcePair): number {
  const colon = pair.srcToken?.sep?.find((token) => token.type === "map-value-ind");
  return colon === undefined ? keyStart(pair) : colon.offset + 1;
}

/** The offset after the last character of the value that is not white space; after the colon without a value. */
function valueEnd(source: string, pair: SourcePair): number {
  const range = isNode(pair.value) ? pair.value.range : undefined;
  if (range && range[1] > range[0]) return source.slice(0, range[1]).trimEnd().length;
  const marks = pair.srcToken?.sep?.filter(({ type }) => type === "anchor" || type === "tag") ?? [];
  return marks.reduce((end, mark) => Math.max(end, mark.offset + mark.source.length), colonEnd(pair));
}

function isExplicit(pair: SourcePair): boolean {
  return pair.srcToken?.start.some(({ type }) => type === "explicit-key-ind") ?? false;
}

function lineEnd(source: string, offset: number): number {
  const end = source.indexOf("\n", offset);
  return end === -1 ? source.length : end;
}

function column(source: string, offset: number): number {
  return offset - (source.slice(0, offset).lastIndexOf("\n") + 1);
}

function columnOf(source: string, pair: SourcePair | undefined): number {
  return pair === undefined ? 0 : column(source, keyStart(pair));
}

/** A name must be one line, so that `name: value` stays plain. */
function checkedName(name: string): string {
  if (name.trim() !== "" && name.length <= 200 && !/\p{Cc}/u.test(name)) return name;
  throw new Problem("invalid", `A property needs a name of one line and at most 200 characters.`);
}

/** The value as JSON represents it, to be compared with what is read back. */
function checkedValue(name: string, value: unknown): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    json = undefined;
  }
  if (json === undefined) throw new Problem("invalid", `The value of "${name}" is not something that YAML can hold.`);
  return JSON.parse(json);
}
