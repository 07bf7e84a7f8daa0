// Ignore files as git reads them (gitignore(5)), for projects that git cannot
// list. Pure; walk.ts reads the files. The test compares it with git itself.
//
// A package for it exists (`ignore`), but makes regular expressions, which a
// hostile pattern can keep busy for minutes; this matches in the time of
// pattern times name.

type Token =
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly isNegated: boolean; readonly ranges: readonly (readonly [number, number])[] };

/** A part of a path between slashes, or any number of such parts. */
type Segment = readonly Token[] | "**";

interface Rule {
  /** What the path begins with, letter by letter, up to the first wildcard of the pattern. */
  readonly prefix: string;
  /** The rest of the pattern. */
  readonly segments: readonly Segment[];
  /** Matches a path from the ignore file's folder on; else a name in any folder below. */
  readonly isAnchored: boolean;
  readonly foldersOnly: boolean;
  readonly isNegated: boolean;
}

/** The rules of one ignore file, in their order. */
export type IgnoreRules = readonly Rule[];

export function parseIgnoreRules(text: string): IgnoreRules {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((line) => parseRule(line.replace(/\r$/, "")))
    .filter((rule) => rule !== undefined);
}

/**
 * What the rules say about a path below the folder of their file: ignored,
 * taken back by a `!`, or nothing. The last rule that matches decides.
 */
export function verdictOf(rules: IgnoreRules, path: string, isFolder: boolean): "ignored" | "kept" | undefined {
  if (rules.length === 0) return undefined;
  const whole = asBytes(path);
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  const rule = rules.findLast(({ prefix, segments, isAnchored, foldersOnly }) => {
    const tested = isAnchored ? whole : name;
    return (
      (isFolder || !foldersOnly) &&
      tested.startsWith(prefix) &&
      matchesPath(segments, tested.slice(prefix.length).split("/"))
    );
  });
  if (rule === undefined) return undefined;
  return rule.isNegated ? "kept" : "ignored";
}

function parseRule(line: string): Rule | undefined {
  let pattern = withoutTrailingSpaces(line);
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const isNegated = pattern.startsWith("!");
  if (isNegated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const isAnchored = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  if (pattern === "") return undefined;
  const bytes = asBytes(pattern);
  const prefix = /^[^*?[\\]*/.exec(bytes)![0];
  // git cuts the prefix off first: so in `a**/b` the stars stand at the beginning, and reach across folders.
  const segments = parseSegments(bytes.slice(prefix.length), isAnchored);
  return segments && { prefix, segments, isAnchored, foldersOnly, isNegated };
}

/** Spaces at the end are nothing, unless a backslash stands before them. */
function withoutTrailingSpaces(line: string): string {
  const kept = line.replace(/ +$/, "");
  if (kept.length === line.length) return line;
  const backslashes = /\\*$/.exec(kept)![0].length;
  return backslashes % 2 === 1 ? `${kept} ` : kept;
}

/** git compares bytes: what is no ASCII becomes several characters, as it is several bytes. */
function asBytes(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007F]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** Undefined where git holds that the pattern matches nothing: a class without an end, a backslash at the end. */
function parseSegments(pattern: string, isPath: boolean): Segment[] | undefined {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  let from = 0;
  const finish = (to: number): void => {
    segments.push(isPath && /^\*{2,}$/.test(pattern.slice(from, to)) ? "**" : tokens);
    tokens = [];
    from = to + 1;
  };
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!;
    if (character === "/") finish(i);
    else if (character === "\\" && pattern[i + 1] === "/") {
      finish(i);
      from = ++i + 1;
    } else if (character === "*") tokens.push({ kind: "star" });
    else if (character === "?") tokens.push({ kind: "any" });
    else if (character === "[") {
      const found = parseClass(pattern, i);
      if (found === undefined) return undefined;
      tokens.push(found.token);
      i = found.end;
    } else {
      if (character === "\\") i++;
      if (i === pattern.length) return undefined;
      tokens.push({ kind: "character", code: pattern.charCodeAt(i) });
    }
  }
  finish(pattern.length);
  return segments;
}

const NAMED_CLASSES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  alnum: ranges("09AZaz"),
  alpha: ranges("AZaz"),
  blank: ranges("  \t\t"),
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: ranges("09"),
  graph: ranges("!~"),
  lower: ranges("az"),
  print: ranges(" ~"),
  punct: ranges("!/:@[`{~"),
  space: [
    [9, 13],
    [32, 32],
  ],
  upper: ranges("AZ"),
  xdigit: ranges("09AFaf"),
};

function ranges(ends: string): (readonly [number, number])[] {
  return Array.from({ length: ends.length / 2 }, (_, i) => [ends.charCodeAt(2 * i), ends.charCodeAt(2 * i + 1)]);
}

function parseClass(pattern: string, start: number): { readonly token: Token; readonly end: number } | undefined {
  let i = start + 1;
  const isNegated = pattern[i] === "!" || pattern[i] === "^";
  if (isNegated) i++;
  const found: (readonly [number, number])[] = [];
  /** The character before a `-`, where it can begin a range. */
  let previous: number | undefined;
  for (let isFirst = true; isFirst || pattern[i] !== "]"; isFirst = false, i++) {
    if (i >= pattern.length) return undefined;
    const named = pattern[i] === "[" && pattern[i + 1] === ":" ? pattern.indexOf("]", i + 2) : -2;
    if (named === -1) return undefined;
    if (named >= 0 && pattern[named - 1] === ":" && named - 1 >= i + 2) {
      const members = NAMED_CLASSES[pattern.slice(i + 2, named - 1)];
      if (members === undefined) return undefined;
      found.push(...members);
      previous = undefined;
      i = named;
      continue;
    }
    if (pattern[i] === "-" && previous !== undefined && i + 1 < pattern.length && pattern[i + 1] !== "]") {
      i++;
      if (pattern[i] === "\\") i++;
      if (i >= pattern.length) return undefined;
      found.push([previous, pattern.charCodeAt(i)]);
      previous = undefined;
      continue;
    }
    if (pattern[i] === "\\") i++;
    if (i >= pattern.length) return undefined;
    previous = pattern.charCodeAt(i);
    found.push([previous, previous]);
  }
  return { token: { kind: "class", isNegated, ranges: found }, end: i };
}

/** Greedy, going back only to the last `**`: what matched before it need not be tried again. */
function matchesPath(segments: readonly Segment[], parts: readonly string[]): boolean {
  let s = 0;
  let p = 0;
  let retry: { s: number; p: number } | undefined;
  while (p < parts.length) {
    const segment = segments[s];
    if (segment === "**") {
      // At the end it stands for everything below, and not for nothing.
      if (s === segments.length - 1) return true;
      retry = { s: ++s, p };
    } else if (segment !== undefined && matchesName(segment, parts[p]!)) {
      s++;
      p++;
    } else if (retry !== undefined) {
      retry = { s: retry.s, p: retry.p + 1 };
      ({ s, p } = retry);
    } else return false;
  }
  return s === segments.length;
}

/** The same within a name, for `*`. */
function matchesName(tokens: readonly Token[], name: string): boolean {
  let t = 0;
  let n = 0;
  let retry: { t: number; n: number } | undefined;
  while (n < name.length) {
    const token = tokens[t];
    if (token?.kind === "star") retry = { t: ++t, n };
    else if (token !== undefined && matchesCharacter(token, name.charCodeAt(n))) {
      t++;
      n++;
    } else if (retry !== undefined) {
      retry = { t: retry.t, n: retry.n + 1 };
      ({ t, n } = retry);
    } else return false;
  }
  while (tokens[t]?.kind === "star") t++;
  return t === tokens.length;
}

function matchesCharacter(token: Token, code: number): boolean {
  if (token.kind === "any") return true;
  if (token.kind === "character") return token.code === code;
  return token.kind === "class" && token.ranges.some(([from, to]) => from <= code && code <= to) !== token.isNegated;
}
