// Splits code into parts that get a colour, by what most languages share:
// comments, strings, numbers, keywords, calls. A highlighter that knows each
// language would be ten times as large. Pure; used by code blocks.

export type PartType = "comment" | "string" | "number" | "keyword" | "call" | "type" | "added" | "removed";

export interface CodePart {
  readonly text: string;
  readonly type: PartType | undefined;
}

interface Family {
  readonly comments: readonly string[];
  readonly strings: readonly string[];
  readonly keywords: string;
}

const DOUBLE = String.raw`"(?:[^"\\\n]|\\.)*"?`;
const SINGLE = String.raw`'(?:[^'\\\n]|\\.)*'?`;
const BACKTICK = "`(?:[^`\\\\]|\\\\[^])*`?";
const TRIPLE = `"""|'''`;
const SLASHES = String.raw`\/\/.*|\/\*`;
const HASH = "#.*";
const DASHES = "--.*";

/** The ends of comments and strings that may have several lines. Searched for: an expression would need a stack of its length. */
const ENDS: Readonly<Record<string, string>> = { "/*": "*/", '"""': '"""', "'''": "'''", "<!--": "-->" };

const CURLY: Family = {
  comments: [SLASHES],
  strings: [DOUBLE, SINGLE, BACKTICK],
  keywords:
    "abstract as async await break case catch class const constexpr continue crate debugger declare default defer delete do dyn else enum export extends extern false final finally fn for foreach from func function get go goto if impl implements import in inline instanceof interface internal is keyof lateinit let loop match mod module move mut namespace new nil null nullptr object of operator out override package private protected pub public range readonly ref return satisfies sealed select self set signed sizeof static struct super switch template this throw throws trait true try type typedef typename typeof undefined union unsafe unsigned use using val var virtual void volatile when where while with yield",
};
const PYTHON: Family = {
  comments: [HASH],
  strings: [TRIPLE, DOUBLE, SINGLE],
  keywords:
    "and as assert async await begin break case class continue def del do elif else elsif end ensure except False finally for from global if import in is lambda match module next nil None nonlocal not or pass raise require rescue return self then True try unless until when while with yield",
};
const SHELL: Family = {
  comments: ["(?<=^|\\s)#.*"],
  strings: [DOUBLE, SINGLE],
  keywords:
    "alias case cd do done echo elif else esac eval exec exit export fi for function if in local return set shift source sudo then unset until while",
};
const SQL: Family = {
  comments: [DASHES, SLASHES],
  strings: [SINGLE, DOUBLE],
  keywords:
    "add all alter and as asc begin between by case check column commit constraint create default delete desc distinct drop else end exists explain foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references replace right rollback select set table then union unique update using values view when where with",
};
const DATA: Family = {
  comments: [HASH, SLASHES],
  strings: [DOUBLE, SINGLE],
  keywords: "true false null yes no on off",
};
const MARKUP: Family = {
  comments: ["<!--"],
  strings: [DOUBLE, SINGLE],
  keywords: "",
};

const FAMILIES: Readonly<Record<string, Family>> = {
  ...named(
    CURLY,
    "js jsx ts tsx javascript typescript mjs cjs java kotlin kt swift c h cpp cc hpp cs csharp go rust rs php dart scala groovy zig glsl css scss less solidity jsonc",
  ),
  ...named(PYTHON, "py python rb ruby elixir ex julia nim r"),
  ...named(SHELL, "sh bash zsh fish shell console terminal powershell ps1 dockerfile makefile make"),
  ...named(SQL, "sql sqlite postgres mysql lua haskell hs"),
  ...named(DATA, "json yaml yml toml ini conf env properties hcl terraform nix"),
  ...named(MARKUP, "html xml svg vue svelte opml"),
};

function named(family: Family, names: string): Record<string, Family> {
  return Object.fromEntries(names.split(" ").map((name) => [name, family]));
}

export function colourCode(text: string, language: string): CodePart[] {
  const name = language.toLowerCase();
  if (name === "diff" || name === "patch") return diffParts(text);
  const family = Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : undefined;
  return family === undefined ? [{ text, type: undefined }] : partsOf(text, patternOf(family), family === SQL);
}

const patterns = new Map<Family, { readonly pattern: RegExp; readonly keywords: ReadonlySet<string> }>();

function patternOf(family: Family) {
  let known = patterns.get(family);
  if (known === undefined) {
    const source = [
      `(?<comment>${family.comments.join("|")})`,
      `(?<string>${family.strings.join("|")})`,
      String.raw`(?<number>\b(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\b)`,
      String.raw`(?<word>[\p{L}_$][\p{L}\p{N}_$]*)`,
    ];
    known = { pattern: new RegExp(source.join("|"), "gmu"), keywords: new Set(family.keywords.split(" ")) };
    patterns.set(family, known);
  }
  return known;
}

function partsOf(text: string, { pattern, keywords }: ReturnType<typeof patternOf>, ignoresCase: boolean): CodePart[] {
  const parts: CodePart[] = [];
  let plain = "";
  const add = (part: string, type: PartType | undefined) => {
    if (type === undefined) {
      plain += part;
      return;
    }
    if (plain !== "") parts.push({ text: plain, type: undefined });
    plain = "";
    parts.push({ text: part, type });
  };
  let from = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    add(text.slice(from, match.index), undefined);
    from = endOf(text, match[0], pattern.lastIndex);
    pattern.lastIndex = from;
    add(text.slice(match.index, from), typeOf(match.groups!, text[from] === "(", keywords, ignoresCase));
  }
  add(text.slice(from), undefined);
  return plain === "" ? parts : [...parts, { text: plain, type: undefined }];
}

/** @param at behind the word */
function endOf(text: string, word: string, at: number): number {
  const end = ENDS[word];
  if (end === undefined) return at;
  const found = text.indexOf(end, at);
  return found === -1 ? text.length : found + end.length;
}

function typeOf(
  { comment, string, number, word = "" }: Readonly<Record<string, string | undefined>>,
  isCalled: boolean,
  keywords: ReadonlySet<string>,
  ignoresCase: boolean,
): PartType | undefined {
  if (comment !== undefined) return "comment";
  if (string !== undefined) return "string";
  if (number !== undefined) return "number";
  if (keywords.has(ignoresCase ? word.toLowerCase() : word)) return "keyword";
  if (isCalled) return "call";
  return /^\p{Lu}\p{Ll}/u.test(word) ? "type" : undefined;
}

function diffParts(text: string): CodePart[] {
  return text.split(/(?<=\n)/).map((line) => {
    if (line.startsWith("+")) return { text: line, type: "added" };
    if (line.startsWith("-")) return { text: line, type: "removed" };
    return { text: line, type: line.startsWith("@@") ? "comment" : undefined };
  });
}
