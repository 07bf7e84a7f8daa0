// The rules of .gitignore and .gitattributes files: which paths are ignored, and
// which are marked as generated or vendored. Patterns are matched by the package
// `ignore` within bounds: a hostile repository may have any number of patterns,
// of any shape. Used by listing.ts, file-kinds.ts and project.ts.
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { parseJson } from "../kernel/kernel.ts";
import { readBeginning } from "./project-files.ts";

/** Across all ignore files that apply to a folder; what comes later is left out. */
const MAX_PATTERNS = 1000;
const MAX_PATTERN_LENGTH = 500;
/**
 * `**` before the end of a pattern. With two of them the cost of a match grows
 * with the square of the path's depth (up to 3 ms), so there may be few of these.
 */
const MAX_GLOBSTARS = 2;
const MAX_COSTLY_PATTERNS = 20;
/** Path segments; deeper paths are not ignored. */
const MAX_DEPTH = 100;

const OPTIONS = { ignoreCase: false };

/** The ignore files that apply to a folder, from the root of the project down to it. */
export class IgnoreRules {
  static readonly NONE = new IgnoreRules([]);

  /** From the project's root, whichever file they are from. */
  readonly #patterns: readonly string[];
  readonly #ignore: Ignore;

  private constructor(patterns: readonly string[]) {
    this.#patterns = patterns;
    this.#ignore = ignore(OPTIONS).add(patterns.map(asBytes));
  }

  /**
   * @param folder of the ignore file, with `/` at the end; empty for the root
   * @param text of the ignore file, whose patterns take precedence over those so far
   */
  with(folder: string, text: string): IgnoreRules {
    const added = patternsIn(text).map((pattern) => fromRoot(folder, pattern));
    return new IgnoreRules(withinBounds([...this.#patterns, ...added]));
  }

  /** @param path from the project's root, whose parent folder is not ignored */
  ignores(path: string, isFolder: boolean): boolean {
    if (this.#patterns.length === 0 || isTooDeep(path)) return false;
    return this.#ignore.ignores(asBytes(isFolder ? `${path}/` : path));
  }
}

function patternsIn(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""))
    .filter((line) => !/^#|^!?\/? *$/.test(line));
}

function withinBounds(patterns: readonly string[]): readonly string[] {
  let costly = 0;
  return patterns
    .filter((pattern) => {
      const globstars = globstarsIn(pattern);
      if (globstars === MAX_GLOBSTARS) costly++;
      return isMatchable(pattern) && (globstars < MAX_GLOBSTARS || costly <= MAX_COSTLY_PATTERNS);
    })
    .slice(0, MAX_PATTERNS);
}

function isMatchable(pattern: string): boolean {
  return pattern.length <= MAX_PATTERN_LENGTH && globstarsIn(pattern) <= MAX_GLOBSTARS;
}

function globstarsIn(pattern: string): number {
  return pattern.match(/\*{2,}(?=.*[^*/\s])/g)?.length ?? 0;
}

function isTooDeep(path: string): boolean {
  return path.split("/", MAX_DEPTH + 1).length > MAX_DEPTH;
}

/** git compares bytes: `?` matches one of them, so each byte of a name becomes one character. */
function asBytes(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007F]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** The same pattern for paths from the project's root. */
function fromRoot(folder: string, pattern: string): string {
  if (folder === "") return pattern;
  const negation = pattern.startsWith("!") ? "!" : "";
  const own = pattern.slice(negation.length);
  const isAnchored = /\/(?=.*\S)/.test(own);
  const escaped = folder.replace(/[\\*?[\]!# ]/g, String.raw`\$&`);
  return `${negation}/${escaped}${isAnchored ? own.replace(/^\//, "") : `**/${own}`}`;
}

/** How many paths an instance of `ignore` sees before it is replaced: it remembers each of them. */
const PATHS_PER_INSTANCE = 1000;

/**
 * One pattern of a .gitattributes file. Unlike in an ignore file, it says
 * nothing about what is below a folder that it matches.
 */
export class AttributePattern {
  readonly #isName: boolean;
  readonly #coversAllBelow: boolean;
  readonly #compiled: Ignore;
  #current: Ignore;
  #tested = 0;

  private constructor(pattern: string) {
    this.#isName = !pattern.includes("/");
    this.#coversAllBelow = pattern.endsWith("/**");
    this.#current = this.#compiled = ignore(OPTIONS).add([asBytes(pattern)]);
  }

  /** Undefined for a pattern beyond the bounds, and for one that matches folders only. */
  static parse(pattern: string): AttributePattern | undefined {
    return isMatchable(pattern) && !pattern.endsWith("/") ? new AttributePattern(pattern) : undefined;
  }

  /** @param path from the folder of the file */
  matches(path: string): boolean {
    if (isTooDeep(path)) return false;
    const slash = path.lastIndexOf("/") + 1;
    if (this.#isName) return this.#test(path.slice(slash));
    return this.#test(path) && (this.#coversAllBelow || slash === 0 || !this.#test(path.slice(0, slash)));
  }

  #test(path: string): boolean {
    if (++this.#tested % PATHS_PER_INSTANCE === 0) this.#current = ignore(OPTIONS).add(this.#compiled);
    return this.#current.ignores(asBytes(path));
  }
}

/** Returns whether an attribute is set for a path; undefined if no rule matches it. */
type AttributeOf = (path: string) => boolean | undefined;

/** Attributes linguist-generated and linguist-vendored of .gitattributes; undefined if a path does not have them. */
export interface AttributeMarks {
  readonly generated?: AttributeOf;
  readonly vendored?: AttributeOf;
}

interface AttributesFile {
  /** The folder of the file, with `/` at the end; empty for the root. */
  readonly base: string;
  readonly rules: readonly AttributeRule[];
}

interface AttributeRule {
  readonly pattern: AttributePattern;
  readonly isSet: boolean;
}

/** A hostile project may have any number of rules, and each is compared with every path. */
const MAX_ATTRIBUTES_FILES = 20;
const MAX_ATTRIBUTES_BYTES = 64 * 1024;
const MAX_RULES = 500;

const depthOf = (path: string): number => path.split("/").length;

/** The .gitattributes files that are read: those nearest to the root. */
export function attributesFilesIn(files: readonly string[]): readonly string[] {
  return files
    .filter((path) => path.endsWith(".gitattributes") && /(?:^|\/)\.gitattributes$/.test(path))
    .toSorted((a, b) => depthOf(a) - depthOf(b))
    .slice(0, MAX_ATTRIBUTES_FILES);
}

export function readAttributes(root: string, paths: readonly string[]): AttributeMarks {
  const texts = paths.map((path) => ({
    base: path.slice(0, path.lastIndexOf("/") + 1),
    text: readBeginning(join(root, path), MAX_ATTRIBUTES_BYTES) ?? "",
  }));
  return marksIn(texts);
}

/** @param texts of .gitattributes files, those nearest to the root first */
export function marksIn(texts: readonly { readonly base: string; readonly text: string }[]): AttributeMarks {
  const attributeOf = (attribute: string): AttributeOf | undefined => {
    const files = texts
      .map(({ base, text }): AttributesFile => ({ base, rules: rulesOf(text, attribute) }))
      .filter(({ rules }) => rules.length > 0)
      // The file nearest to a path decides.
      .toReversed();
    if (files.length === 0) return undefined;
    return (path) => {
      for (const { base, rules } of files) {
        if (!path.startsWith(base)) continue;
        const rule = rules.findLast(({ pattern }) => pattern.matches(path.slice(base.length)));
        if (rule !== undefined) return rule.isSet;
      }
      return undefined;
    };
  };
  const generated = attributeOf("linguist-generated");
  const vendored = attributeOf("linguist-vendored");
  return { ...(generated && { generated }), ...(vendored && { vendored }) };
}

function rulesOf(text: string, attribute: string): readonly AttributeRule[] {
  const rules = text.split(/\r?\n/).flatMap((line): AttributeRule[] => {
    const [, quoted, rest] = /^\s*("(?:[^"\\]|\\.)*"|[^\s"#!]\S*)\s+(.+)$/.exec(line) ?? [];
    if (quoted === undefined || rest === undefined) return [];
    const state = rest
      .trim()
      .split(/\s+/)
      .findLast((word) => word.replace(/^[-!]|=.*$/g, "") === attribute);
    const name = state === undefined ? undefined : unquoted(quoted);
    const pattern = name === undefined ? undefined : AttributePattern.parse(name);
    const isSet = state === attribute || state === `${attribute}=true`;
    return pattern === undefined ? [] : [{ pattern, isSet }];
  });
  return rules.slice(0, MAX_RULES);
}

function unquoted(pattern: string): string | undefined {
  if (!pattern.startsWith('"')) return pattern;
  const name = parseJson(pattern);
  return typeof name === "string" && !/[\r\n]/.test(name) ? name : undefined;
}
