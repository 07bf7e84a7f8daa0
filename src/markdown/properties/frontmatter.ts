// Finds the frontmatter of a note and parses its properties. Used by everything
// that reads notes, and by edits below the frontmatter. edits.ts changes
// properties.
import { CORE_SCHEMA, load, YAMLException } from "js-yaml";
import { isRecord } from "../../kernel/kernel.ts";
import { findFrontmatter } from "../scanner/scanner.ts";
import { lineNumberAt } from "../note-text.ts";

export interface FrontmatterRange {
  /** The YAML between the two lines of dashes, including its last line break. */
  readonly contentStart: number;
  readonly contentEnd: number;
  /** The offset of the body. */
  readonly end: number;
}

/** `broken` is a sentence if the YAML cannot be parsed; the properties are then empty. */
export interface Properties {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly broken: string | undefined;
}

/** With aliases, a few lines can expand to millions of values; nobody writes this many properties. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 100;

/** As in Obsidian: from dashes on the first line to the next line of three dashes. Without that, there is none. */
export function frontmatterRange(text: string): FrontmatterRange | undefined {
  const found = findFrontmatter(text);
  return found && { contentStart: found.yaml.start, contentEnd: found.yaml.end, end: found.end };
}

/** Dates are kept as strings, as written. */
export function readProperties(text: string): Properties {
  const range = frontmatterRange(text);
  if (range === undefined) return { properties: {}, broken: undefined };
  const read = loadYaml(text.slice(range.contentStart, range.contentEnd));
  if ("fault" in read) {
    // Counted in the note, where the dashes are line 1.
    const place = read.offset === undefined ? "" : `line ${lineNumberAt(text, range.contentStart + read.offset)}: `;
    return broken(`The frontmatter is not valid YAML (${place}${read.fault}).`);
  }
  const { value } = read;
  if (value === null || value === undefined) return { properties: {}, broken: undefined };
  if (!isRecord(value)) return broken("The frontmatter is not a list of properties (name: value).");
  if (!isBounded(value)) return broken("The frontmatter holds too many values, or values inside themselves.");
  return { properties: value, broken: undefined };
}

/** Any YAML of a vault, such as a base; dates are kept as strings. */
export function readYaml(source: string): { readonly value: unknown } | { readonly fault: string } {
  const read = loadYaml(source);
  if ("fault" in read || isBounded(read.value)) return read;
  return { fault: "it holds too many values, or values inside themselves" };
}

function loadYaml(source: string): { value: unknown } | { fault: string; offset: number | undefined } {
  try {
    return { value: load(source, { schema: CORE_SCHEMA }) };
  } catch (error) {
    if (error instanceof YAMLException) {
      return { fault: error.reason, offset: error.mark?.position };
    }
    // Thousands of nested brackets overflow the stack.
    return { fault: "nested too deeply", offset: undefined };
  }
}

function broken(sentence: string): Properties {
  return { properties: {}, broken: sentence };
}

function isBounded(root: unknown): boolean {
  let left = MAX_VALUES;
  const fits = (value: unknown, depth: number): boolean => {
    if (--left < 0 || depth > MAX_DEPTH) return false;
    if (typeof value !== "object" || value === null) return true;
    return Object.values(value).every((inner) => fits(inner, depth + 1));
  };
  return fits(root, 0);
}
