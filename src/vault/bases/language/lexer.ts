// Splits an expression into tokens. Used by parser.ts.
import { ExpressionFault } from "./problems.ts";

export type Token =
  | { readonly kind: "number"; readonly at: number; readonly value: number }
  | { readonly kind: "string"; readonly at: number; readonly value: string }
  | { readonly kind: "pattern"; readonly at: number; readonly source: string; readonly flags: string }
  | { readonly kind: "name"; readonly at: number; readonly value: string }
  | { readonly kind: "mark"; readonly at: number; readonly value: string }
  | { readonly kind: "end"; readonly at: number };

/** Characters; nobody writes a longer formula. */
const MAX_EXPRESSION_LENGTH = 10_000;

const SPACE = /\s+/y;
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?/iy;
/** Letters of any script, and what Obsidian's own formulas use in names of properties. */
const NAME = /[\p{L}\p{Nl}\p{Extended_Pictographic}_$][\p{L}\p{M}\p{N}\p{Extended_Pictographic}_$]*/uy;
const MARK = /===|!==|==|!=|>=|<=|&&|\|\||[-+*/%<>!()[\]{},.:?]/y;

/** Operators of other languages. */
const MEANT: Readonly<Record<string, string>> = { "=": "==", "&": "&&", "|": "||", and: "&&", or: "||", is: "==" };

/** The end of a sentence about something unexpected. */
export function meantBy(unexpected: string): string {
  const word = unexpected.toLowerCase();
  return Object.hasOwn(MEANT, word) ? `: use ${MEANT[word]}` : "";
}

export function tokensOf(source: string): Token[] {
  if (source.length > MAX_EXPRESSION_LENGTH)
    throw new ExpressionFault(`The expression is longer than ${MAX_EXPRESSION_LENGTH} characters.`);
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  while (at < source.length) {
    const space = take(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const unit = source.charAt(at);
    if (unit === '"' || unit === "'") {
      const { value, end } = stringAt(source, at);
      tokens.push({ kind: "string", at, value });
      at = end;
      continue;
    }
    if (unit === "/" && !endsValue(tokens.at(-1))) {
      const { end, ...pattern } = patternAt(source, at);
      tokens.push({ kind: "pattern", at, ...pattern });
      at = end;
      continue;
    }
    const name = take(NAME);
    if (name !== undefined) {
      tokens.push({ kind: "name", at, value: name });
      at += name.length;
      continue;
    }
    // `5.isEmpty()`: the dot belongs to the method.
    const digits = take(NUMBER);
    if (digits !== undefined) {
      tokens.push({ kind: "number", at, value: Number(digits) });
      at += digits.length;
      continue;
    }
    const mark = take(MARK);
    if (mark === undefined) {
      const unknown = String.fromCodePoint(source.codePointAt(at)!);
      throw new ExpressionFault(
        `Unexpected character ${JSON.stringify(unknown)} at position ${at + 1}${meantBy(unknown)}.`,
      );
    }
    tokens.push({ kind: "mark", at, value: mark });
    at += mark.length;
  }
  tokens.push({ kind: "end", at });
  return tokens;
}

/** Returns whether a slash after this token divides; otherwise it opens a pattern. */
function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.kind === "mark" ? /^[)\]}]$/.test(token.value) : true;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" };

function stringAt(source: string, opening: number): { value: string; end: number } {
  const quote = source.charAt(opening);
  let value = "";
  for (let at = opening + 1; at < source.length; at++) {
    const unit = source.charAt(at);
    if (unit === quote) return { value, end: at + 1 };
    if (unit !== "\\") {
      value += unit;
      continue;
    }
    at++;
    const escaped = source.charAt(at);
    const code = /^u([\dA-Fa-f]{4})/.exec(source.slice(at, at + 5))?.[1];
    if (code === undefined) value += ESCAPES[escaped] ?? escaped;
    else {
      value += String.fromCharCode(Number.parseInt(code, 16));
      at += 4;
    }
  }
  throw new ExpressionFault(`The text that begins at position ${opening + 1} has no closing ${quote}.`);
}

function patternAt(source: string, opening: number): { source: string; flags: string; end: number } {
  let isInClass = false;
  for (let at = opening + 1; at < source.length; at++) {
    const unit = source.charAt(at);
    if (unit === "\\") at++;
    else if (unit === "[") isInClass = true;
    else if (unit === "]") isInClass = false;
    else if (unit === "/" && !isInClass) {
      const flags = /^[a-z]*/.exec(source.slice(at + 1))![0];
      return { source: source.slice(opening + 1, at), flags, end: at + 1 + flags.length };
    }
  }
  throw new ExpressionFault(`The pattern that begins at position ${opening + 1} has no closing /.`);
}
