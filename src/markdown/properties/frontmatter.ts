// The frontmatter of a note: where it lies, and the properties it holds. Used
// by everything that reads notes, and by everything that inserts text below it. The
// edits are in property-edits.ts.
import { CORE_SCHEMA, load, YAMLException } from "js-yaml";
import { isRecord } from "../../kernel/kernel.ts";
import { findFrontmatter } from "../scanner/scanner.ts";
import { lineNumberAt } from "../note-text.ts";

export interface FrontmatterRange {
  /** The YAML between the two lines of dashes, its last line break included. */
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Where the body of the note begins. */
  readonly end: number;
}

/** What a note says of itself. `broken` is a sentence where the YAML cannot be read; the properties are empty then. */
export interface Properties {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly broken: string | undefined;
}

/** Aliases let a few lines stand for millions of values; nobody's properties have as many as this. */
const MOST_VALUES = 20_000;
const DEEPEST = 100;

/** As Obsidian has it: dashes on the very first line, up to the next line of three dashes. Unclosed is no frontmatter. */
export function frontmatterRange(text: string): FrontmatterRange | undefined {
  const found = findFrontmatter(text);
  return found && { contentStart: found.yaml.start, contentEnd: found.yaml.end, end: found.end };
}

/** Dates stay the strings that they are written as. */
export function readProperties(text: string): Properties {
  const range = frontmatterRange(text);
  if (range === undefined) return { properties: {}, broken: undefined };
  const read = readYaml(text.slice(range.contentStart, range.contentEnd));
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

function readYaml(source: string): { value: unknown } | { fault: string; offset: number | undefined } {
  try {
    return { value: load(source, { schema: CORE_SCHEMA }) };
  } catch (error) {
    if (error instanceof YAMLException) {
      return { fault: error.reason, offset: error.mark?.position };
    }
    // Thousands of nested brackets end in a stack overflow.
    return { fault: "nested too deeply", offset: undefined };
  }
}

function broken(sentence: string): Properties {
  return { properties: {}, broken: sentence };
}

function isBounded(root: unknown): boolean {
  let left = MOST_VALUES;
  const fits = (value: unknown, depth: number): boolean => {
    if (--left < 0 || depth > DEEPEST) return false;
    if (typeof value !== "object" || value === null) return true;
    return Object.values(value).every((inner) => fits(inner, depth + 1));
  };
  return fits(root, 0);
}
