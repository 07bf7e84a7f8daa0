// Finds the tokens of patterns/token-formats.ts: distinctive prefixes anywhere,
// others only at the prefix of a word. Used by redaction.ts.
import { escapePattern } from "../../kernel/kernel.ts";
import { LiteralScanner } from "../literal-scanner.ts";
import { isExampleToken } from "../criteria/placeholders.ts";
import type { Span } from "../spans.ts";
import { TOKEN_FORMATS } from "../patterns/token-formats.ts";

interface Prefix {
  readonly literal: string;
  readonly name: string;
  readonly needsBoundary: boolean;
  /** Sticky; matches the whole token. */
  readonly token: RegExp;
}

/** The expressions match at most this many characters; longer tokens are followed to their end. */
const MAX_MATCH_LENGTH = 400;

const PARSED = TOKEN_FORMATS.map(({ name, pattern }) => {
  const space = pattern.indexOf(" ");
  const [, kind, literals] = /^([*^]?)(.*)$/.exec(pattern.slice(0, space))!;
  return { name, kind, literals: literals!.split("|"), expression: pattern.slice(space + 1) };
});

const PREFIXES: readonly Prefix[] = PARSED.filter(({ kind }) => kind !== "*").flatMap(
  ({ name, kind, literals, expression }) =>
    literals.map((literal) => ({
      literal,
      name,
      needsBoundary: kind === "^",
      token: new RegExp(escapePattern(literal) + expression, "y"),
    })),
);

const ANYWHERE = PARSED.filter(({ kind }) => kind === "*").map(({ name, literals, expression }) => ({
  name,
  literal: literals[0]!,
  token: new RegExp(expression, "g"),
}));

/** `%2F` in a URL separates words, though it ends in a letter. */
const ESCAPE_BEFORE_WORD = /%[\dA-Fa-f]{2}(?=\w)/g;

const SCANNER = new LiteralScanner(
  PREFIXES.map((prefix) => ({ literal: prefix.literal, ignoresCase: false, value: prefix })),
);

export function knownTokens(plain: string): Span[] {
  const spans: Span[] = [];
  SCANNER.scan(plain, (at, prefix) => {
    const end = endOfToken(plain, at, prefix);
    if (end === undefined) return undefined;
    if (!isExampleToken(plain.slice(at, Math.min(end, at + MAX_MATCH_LENGTH))))
      spans.push({ start: at, end, name: prefix.name });
    return end;
  });
  const words = plain.includes("%") ? plain.replace(ESCAPE_BEFORE_WORD, "   ") : plain;
  for (const { name, literal, token } of ANYWHERE) {
    if (!words.includes(literal)) continue;
    token.lastIndex = 0;
    for (let found = token.exec(words); found !== null; found = token.exec(words)) {
      if (!isExampleToken(found[0])) spans.push({ start: found.index, end: found.index + found[0].length, name });
    }
  }
  return spans;
}

function endOfToken(plain: string, at: number, { needsBoundary, token }: Prefix): number | undefined {
  if (needsBoundary && !isWordStart(plain, at)) return undefined;
  token.lastIndex = at;
  if (!token.test(plain)) return undefined;
  let end = token.lastIndex;
  while (end - at >= MAX_MATCH_LENGTH && end < plain.length && /[\w+/=-]/.test(plain.charAt(end))) end++;
  return end;
}

/** Also after a URL escape such as `%2F`. */
function isWordStart(plain: string, at: number): boolean {
  return at === 0 || !/\w/.test(plain.charAt(at - 1)) || /^%[\dA-F]{2}$/i.test(plain.slice(Math.max(0, at - 3), at));
}
