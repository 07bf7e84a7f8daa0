// What .gitattributes files say about who made a file: linguist-generated and
// linguist-vendored, set or taken back. Patterns are those of ignore files,
// without negation. Pure but for reading the files.
import { join } from "node:path";
import { parseIgnoreRules, verdictOf, type IgnoreRules } from "./ignore-rules.ts";
import { readBeginning } from "./plain-file.ts";

/** Whether a path is marked so; undefined where nothing is said. Missing where no file says anything. */
type Verdict = (path: string) => boolean | undefined;

export interface Marked {
  readonly generated?: Verdict;
  readonly vendored?: Verdict;
}

export const NOTHING_MARKED: Marked = {};

interface AttributesFile {
  /** The folder of the file, with `/` at the end; empty for the root. */
  readonly base: string;
  readonly rules: IgnoreRules;
}

/** A hostile project may have any number of rules, each of which is compared with every path. */
const MOST_FILES = 20;
const MOST_BYTES = 64 * 1024;
const MOST_RULES = 500;

const depthOf = (path: string): number => path.split("/").length;

/** The files that are read: those nearest to the root. */
export function attributesFilesIn(files: readonly string[]): readonly string[] {
  return files
    .filter((path) => path.endsWith(".gitattributes") && /(?:^|\/)\.gitattributes$/.test(path))
    .toSorted((a, b) => depthOf(a) - depthOf(b))
    .slice(0, MOST_FILES);
}

export function readAttributes(root: string, paths: readonly string[]): Marked {
  const texts = paths.map((path) => ({
    base: path.slice(0, path.lastIndexOf("/") + 1),
    text: readBeginning(join(root, path), MOST_BYTES) ?? "",
  }));
  return markedBy(texts);
}

/** @param texts of .gitattributes files, those nearest to the root first */
export function markedBy(texts: readonly { readonly base: string; readonly text: string }[]): Marked {
  const verdictFor = (attribute: string): Verdict | undefined => {
    const files = texts
      .map(({ base, text }): AttributesFile => ({ base, rules: rulesOf(text, attribute) }))
      .filter(({ rules }) => rules.length > 0)
      // The file nearest to a path decides.
      .toReversed();
    if (files.length === 0) return undefined;
    return (path) => {
      for (const { base, rules } of files) {
        const verdict = path.startsWith(base) ? verdictOf(rules, path.slice(base.length), false) : undefined;
        if (verdict !== undefined) return verdict === "ignored";
      }
      return undefined;
    };
  };
  const generated = verdictFor("linguist-generated");
  const vendored = verdictFor("linguist-vendored");
  return { ...(generated && { generated }), ...(vendored && { vendored }) };
}

/** As rules of an ignore file: what sets the attribute as a pattern, what takes it back as one with `!`. */
function rulesOf(text: string, attribute: string): IgnoreRules {
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const [, pattern, rest] = /^\s*("(?:[^"\\]|\\.)*"|[^\s"#!]\S*)\s+(.+)$/.exec(line) ?? [];
    if (pattern === undefined || rest === undefined) return [];
    const state = rest
      .trim()
      .split(/\s+/)
      .findLast((word) => word.replace(/^[-!]|=.*$/g, "") === attribute);
    const name = unquoted(pattern);
    if (state === undefined || name === undefined) return [];
    const isSet = state === attribute || state === `${attribute}=true`;
    return [isSet ? name : `!${name}`];
  });
  return parseIgnoreRules(lines.slice(0, MOST_RULES).join("\n"));
}

function unquoted(pattern: string): string | undefined {
  if (!pattern.startsWith('"')) return pattern;
  try {
    const name: unknown = JSON.parse(pattern);
    return typeof name === "string" && !/[\r\n]/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
