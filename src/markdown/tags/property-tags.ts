// The tags in a note's properties `tags` and `tag`: a list, or one text with
// commas or spaces between them. Renames them where they are written, so that
// quotes, comments and indentation stay as they are. Used for the facts of notes
// and to rename tags.
//
// The result is parsed before it is returned: an edit that would change anything
// else, such as a value that another property repeats by an alias, is not made.
import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, isSeq, parseDocument, type Pair, type Scalar, type YAMLSeq } from "yaml";
import { unquote } from "../links/quoted-text.ts";
import { frontmatterRange, readProperties, readYaml } from "../properties/frontmatter.ts";
import { listedValues, type PropertyValues } from "../properties/listed-values.ts";
import type { Span } from "../scanner/scanner.ts";
import { foldedTag, renamedTag, type TagRename } from "./tag-name.ts";
import { type TextEdit, withEdits } from "./text-edit.ts";

const NAMES = ["tags", "tag"];
const SEPARATOR = /[\s,]+/;
/** One tag in a text of several. */
const TOKEN = /[^\s,]+/g;

export interface PropertyRename {
  /** In order. */
  readonly edits: readonly TextEdit[];
  /** How many tags were renamed, including those that were there already under the new name and are removed. */
  readonly places: number;
  /** Why the tags of these properties stay as they are. */
  readonly fault?: string;
}

const NOTHING: PropertyRename = { edits: [], places: 0 };

export function propertyTags(properties: PropertyValues): string[] {
  return listedValues(properties, NAMES, SEPARATOR).map(unmarked);
}

export function renameInProperties(text: string, rename: TagRename): PropertyRename {
  const range = frontmatterRange(text);
  if (range === undefined) return NOTHING;
  const { properties, broken } = readProperties(text);
  if (broken !== undefined) {
    const mayHold = foldedTag(text.slice(range.contentStart, range.contentEnd)).includes(foldedTag(rename.from));
    return mayHold ? { ...NOTHING, fault: broken } : NOTHING;
  }
  const expected = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, isTagName(name) ? renamedValue(value, rename) : value]),
  );
  if (isDeepStrictEqual(expected, properties)) return NOTHING;
  const yaml = text.slice(range.contentStart, range.contentEnd);
  const found = editsIn(yaml, rename);
  const edits = found.edits
    .map((edit) => ({ ...edit, start: edit.start + range.contentStart, end: edit.end + range.contentStart }))
    .toSorted((a, b) => a.start - b.start);
  const after = readProperties(withEdits(text, edits));
  if (after.broken === undefined && isDeepStrictEqual(after.properties, expected)) return { ...found, edits };
  return {
    ...NOTHING,
    fault: "Its tags cannot be renamed without changing other properties (anchors, aliases or rare forms of YAML).",
  };
}

function isTagName(name: string): boolean {
  return NAMES.includes(name.toLowerCase());
}

function unmarked(tag: string): string {
  return tag.replace(/^#+/, "");
}

/** Returns the value of a property after the rename. */
function renamedValue(value: unknown, rename: TagRename): unknown {
  if (typeof value === "string") return withEdits(value, editsOfTokens(tokensIn(value), rename));
  if (Array.isArray(value)) {
    const plan = planFor(value.map(tagIn), rename);
    return value.flatMap((item: unknown, i) => {
      const change = plan[i]!;
      if (change === "removed") return [];
      return change === "kept" ? [item] : [asItem(item, change.name)];
    });
  }
  const [change = "kept"] = planFor([tagIn(value)], rename);
  return typeof change === "string" ? value : asItem(value, change.name);
}

/** The tag of a list's item as it is written; undefined if the item cannot be one. */
function tagIn(item: unknown): string | undefined {
  return typeof item === "string" || typeof item === "number" ? String(item).trim() : undefined;
}

function asItem(item: unknown, name: string): string {
  const written = String(item);
  const tag = written.trim();
  return written.replace(tag, () => "#".repeat(marksOf(tag)) + name);
}

function marksOf(tag: string): number {
  return tag.length - unmarked(tag).length;
}

type TagChange = "kept" | "removed" | { readonly name: string };

/** A renamed tag is removed if the property has it under the new name already. */
function planFor(tags: readonly (string | undefined)[], rename: TagRename): TagChange[] {
  const names = tags.map((tag) => (tag === undefined ? undefined : unmarked(tag)));
  const renamed = names.map((name) => (name === undefined ? undefined : renamedTag(name, rename)));
  const present = new Set(
    names.flatMap((name, i) => (name === undefined || renamed[i] !== undefined ? [] : [foldedTag(name)])),
  );
  return renamed.map((name) => {
    if (name === undefined) return "kept";
    const folded = foldedTag(name);
    if (present.has(folded)) return "removed";
    present.add(folded);
    return { name };
  });
}

interface FoundEdits {
  readonly edits: readonly TextEdit[];
  readonly places: number;
}

function editsIn(yaml: string, rename: TagRename): FoundEdits {
  const { contents, errors } = parseDocument(yaml, { prettyErrors: false, logLevel: "error" });
  if (errors.length > 0 || !isMap(contents)) return { edits: [], places: 0 };
  const found = (contents.items as Pair[])
    .filter(({ key }) => isScalar(key) && isTagName(String(key.value)))
    .map(({ value }) => {
      if (isSeq(value)) return editsOfList(yaml, value, rename);
      return isScalar(value) ? editsOfText(yaml, value, rename) : { edits: [], places: 0 };
    });
  return {
    edits: found.flatMap(({ edits }) => edits),
    places: found.reduce((sum, { places }) => sum + places, 0),
  };
}

function editsOfList(yaml: string, list: YAMLSeq, rename: TagRename): FoundEdits {
  const plan = planFor(
    list.items.map((item) => (isScalar(item) ? tagIn(item.value) : undefined)),
    rename,
  );
  const spans = list.items.map((item) => rangeOf(item as Scalar));
  const lastKept = plan.findLastIndex((change) => change !== "removed");
  const edits = plan.flatMap((change, i): TextEdit[] => {
    if (change === "kept") return [];
    if (change !== "removed") return [renamedScalar(yaml, list.items[i] as Scalar, change.name)];
    const span = list.flow ? removalWithComma(spans, i, lastKept) : removalOfLine(yaml, spans[i]!);
    return [{ ...span, replacement: "" }];
  });
  return { edits, places: edits.length };
}

/** With what separates it from an item that stays. */
function removalWithComma(spans: readonly Span[], i: number, lastKept: number): Span {
  return i < lastKept
    ? { start: spans[i]!.start, end: spans[i + 1]!.start }
    : { start: spans[i - 1]!.end, end: spans[i]!.end };
}

/** The line of an item, with its dash and the comment beside it. */
function removalOfLine(yaml: string, { start, end }: Span): Span {
  const lineEnd = yaml.indexOf("\n", end);
  return { start: yaml.lastIndexOf("\n", start) + 1, end: lineEnd === -1 ? yaml.length : lineEnd + 1 };
}

/** An item whose whole value is a tag. */
function renamedScalar(yaml: string, scalar: Scalar, name: string): TextEdit {
  const { start, end } = contentOf(yaml, scalar);
  const { text, sourceAt } = unquote(yaml, start, end, quotingOf(scalar));
  const tag = text.trim();
  const at = text.indexOf(tag) + marksOf(tag);
  const edit = { start: sourceAt(at), end: sourceAt(text.indexOf(tag) + tag.length), replacement: name };
  if (scalar.type !== "PLAIN" || isString(name)) return edit;
  return { start, end, replacement: `"${name}"` };
}

/** One text with several tags. */
function editsOfText(yaml: string, scalar: Scalar, rename: TagRename): FoundEdits {
  const { start, end } = contentOf(yaml, scalar);
  const { text, sourceAt } = unquote(yaml, start, end, quotingOf(scalar));
  const tokens = tokensIn(text);
  const found = editsOfTokens(tokens, rename);
  // The only one is the whole value, which may need quotes.
  const edits =
    tokens.length === 1
      ? found.map(() => renamedScalar(yaml, scalar, renamedTag(unmarked(tokens[0]!.tag), rename)!))
      : found.map((edit) => ({ ...edit, start: sourceAt(edit.start), end: sourceAt(edit.end) }));
  return { edits, places: edits.length };
}

interface Token extends Span {
  readonly tag: string;
}

function tokensIn(text: string): Token[] {
  return Array.from(text.matchAll(TOKEN), ({ 0: tag, index }) => ({ tag, start: index, end: index + tag.length }));
}

function editsOfTokens(tokens: readonly Token[], rename: TagRename): TextEdit[] {
  const plan = planFor(
    tokens.map(({ tag }) => tag),
    rename,
  );
  const lastKept = plan.findLastIndex((change) => change !== "removed");
  return plan.flatMap((change, i): TextEdit[] => {
    if (change === "kept") return [];
    if (change === "removed") return [{ ...removalWithComma(tokens, i, lastKept), replacement: "" }];
    const { tag, start, end } = tokens[i]!;
    return [{ start: start + marksOf(tag), end, replacement: change.name }];
  });
}

function isString(name: string): boolean {
  const read = readYaml(name);
  // YAML 1.1, which most site generators read, has further words for true and false.
  return "value" in read && read.value === name && !/^(?:yes|no|on|off|y|n|\d{4}-\d\d?-\d\d?)$/i.test(name);
}

function rangeOf({ range }: Scalar): Span {
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
}

/** Without the quotes, or below the header of a block. */
function contentOf(yaml: string, scalar: Scalar): Span {
  const { start, end } = rangeOf(scalar);
  if (quotingOf(scalar) !== "yaml-plain") return { start: start + 1, end: end - 1 };
  const isBlock = scalar.type === "BLOCK_LITERAL" || scalar.type === "BLOCK_FOLDED";
  return isBlock ? { start: Math.min(yaml.indexOf("\n", start) + 1, end), end } : { start, end };
}

function quotingOf({ type }: Scalar): "yaml-double" | "yaml-single" | "yaml-plain" {
  return type === "QUOTE_DOUBLE" ? "yaml-double" : type === "QUOTE_SINGLE" ? "yaml-single" : "yaml-plain";
}
