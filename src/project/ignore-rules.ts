// The rules of .gitignore files. Patterns are matched by the package `ignore` within
// bounds: a hostile project may have any number of patterns, of any shape. Used by
// listing.ts.
import ignore, { type Ignore } from "ignore";

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
