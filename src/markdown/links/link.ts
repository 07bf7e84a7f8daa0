// A link in a file, and how to write another target into it. Used by everything
// that finds links.
import { quote, type Quoting } from "./quoted-text.ts";

/**
 * - wiki: `[[target]]`, `![[target]]`
 * - markdown: `[text](target)`, `![text](target)`
 * - definition: `[label]: target`
 * - path: a whole vault path (`nodes[].file` of a canvas, `file.path == "…"` of a base)
 * - call: an argument of a base's function, `link("target")`
 * - folder: the path of a folder, `file.inFolder("…")` of a base
 */
export type LinkForm = "wiki" | "markdown" | "definition" | "path" | "call" | "folder";

export interface Link {
  readonly form: LinkForm;
  readonly isEmbed: boolean;
  /** The span of the target alone, without heading, alias or brackets: what a move replaces. UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The source between start and end. */
  readonly raw: string;
  /** The decoded `raw`. */
  readonly target: string;
  /** `#heading`, `#^block`, decoded; empty if there is none. */
  readonly subpath: string;
  /** True if a Markdown destination is inside `<…>`. */
  readonly isAngled: boolean;
  /** The kinds of quoted text that the link is in, outermost first. */
  readonly quoting: readonly Quoting[];
}

/** The text for another target, to be written between start and end; undefined if the form cannot express it. */
export function writeTarget(link: Link, target: string): string | undefined {
  let written: string | undefined;
  switch (link.form) {
    case "wiki":
      written = fitsWikilink(target, link.raw) ? target : undefined;
      break;
    case "markdown":
    case "definition":
      written = writeDestination(link, target);
      break;
    case "call":
      written = /[#\n\r]/.test(target) || SCHEME.test(target) || target.trim() !== target ? undefined : target;
      break;
    case "path":
    case "folder":
      written = target;
  }
  for (const quoting of link.quoting.toReversed()) {
    if (written === undefined) return undefined;
    written = quote(written, quoting);
  }
  return written;
}

/**
 * A wikilink has no escapes, so a target cannot contain its own marks, nor marks
 * that may open or close code or a comment around it. (Backticks are allowed if the
 * old target had them: they were read as part of a name before.)
 */
function fitsWikilink(target: string, raw: string): boolean {
  if (/[#|\n\r]|\[\[|\]\]|^\[|[\]\\]$|<!--|-->/.test(target)) return false;
  return target !== "" && target.trim() === target && (!target.includes("`") || raw.includes("`"));
}

/**
 * Percent-encodes what a destination cannot contain. Inside `<…>` spaces are kept,
 * unless the old target encoded them; non-ASCII letters are encoded if the old
 * target encoded them.
 */
function writeDestination(link: Link, target: string): string {
  const encodesSpaces = !link.isAngled || /%20/.test(link.raw);
  const encodesLetters = /%[89A-F][\dA-F]/i.test(link.raw);
  const balanced = hasBalancedParentheses(target);
  const written = target.replace(/[^\w/.-]/gu, (character) => {
    if (character === " ") return encodesSpaces ? "%20" : character;
    if (character === "(" || character === ")") return balanced || link.isAngled ? character : percent(character);
    if (/[%#?<>|\\`$&\s\p{Cc}]/u.test(character)) return percent(character);
    return encodesLetters && character > "\u007F" ? percent(character) : character;
  });
  // "a:b.md" would be read as a URL.
  return SCHEME.test(written) ? written.replace(":", "%3A") : written;
}

/** The beginning of a URL, which is not a path of the vault. */
export const SCHEME = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i;

function percent(character: string): string {
  // A lone surrogate cannot be encoded, and no file name contains one.
  return encodeURIComponent(character.toWellFormed()).replace(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29"));
}

function hasBalancedParentheses(target: string): boolean {
  let depth = 0;
  for (const character of target) {
    if (character === "(") depth++;
    else if (character === ")") depth--;
    if (depth < 0 || depth > 30) return false;
  }
  return depth === 0;
}
