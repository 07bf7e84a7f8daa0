// Finds the tokens of token-formats.ts in unescaped text: distinctive beginnings
// anywhere, the others where a word begins.
import { LiteralScanner } from "../literal-scanner.ts";
import { isExampleToken } from "../criteria/placeholders.ts";
import type { Span } from "../spans.ts";
import { TOKEN_FORMATS } from "../patterns/token-formats.ts";

interface Beginning {
  readonly literal: string;
  readonly name: string;
  readonly needsBoundary: boolean;
  /** Sticky, for the whole token. */
  readonly token: RegExp;
}

/** The expressions end after so many characters; longer tokens are followed to their end. */
const UNUSUAL = 400;

const escaped = (literal: string) => literal.replace(/[.$(){}[\]|/+*?^\\]/g, "\\$&");

const PARSED = TOKEN_FORMATS.map(({ name, pattern }) => {
  const space = pattern.indexOf(" ");
  const [, kind, literals] = /^([*^]?)(.*)$/.exec(pattern.slice(0, space))!;
  return { name, kind, literals: literals!.split("|"), expression: pattern.slice(space + 1) };
});

const BEGINNINGS: readonly Beginning[] = PARSED.filter(({ kind }) => kind !== "*").flatMap(
  ({ name, kind, literals, expression }) =>
    literals.map((literal) => ({
      literal,
      name,
      needsBoundary: kind === "^",
      token: new RegExp(escaped(literal) + expression, "y"),
    })),
);

const SOMEWHERE = PARSED.filter(({ kind }) => kind === "*").map(({ name, literals, expression }) => ({
  name,
  literal: literals[0]!,
  token: new RegExp(expression, "g"),
}));

/** `%2F` in an address separates words, though it ends in a letter. */
const ESCAPE_BEFORE_WORD = /%[\dA-Fa-f]{2}(?=\w)/g;

const SCANNER = new LiteralScanner(
  BEGINNINGS.map((beginning) => ({ literal: beginning.literal, ignoresCase: false, value: beginning })),
);

export function knownTokens(plain: string): Span[] {
  const spans: Span[] = [];
  SCANNER.scan(plain, (at, beginning) => {
    const end = endOfToken(plain, at, beginning);
    if (end === undefined) return undefined;
    if (!isExampleToken(plain.slice(at, Math.min(end, at + UNUSUAL))))
      spans.push({ start: at, end, name: beginning.name });
    return end;
  });
  const words = plain.includes("%") ? plain.replace(ESCAPE_BEFORE_WORD, "   ") : plain;
  for (const { name, literal, token } of SOMEWHERE) {
    if (!words.includes(literal)) continue;
    token.lastIndex = 0;
    for (let found = token.exec(words); found !== null; found = token.exec(words)) {
      if (!isExampleToken(found[0])) spans.push({ start: found.index, end: found.index + found[0].length, name });
    }
  }
  return spans;
}

function endOfToken(plain: string, at: number, { needsBoundary, token }: Beginning): number | undefined {
  if (needsBoundary && !isWordStart(plain, at)) return undefined;
  token.lastIndex = at;
  if (!token.test(plain)) return undefined;
  let end = token.lastIndex;
  while (end - at >= UNUSUAL && end < plain.length && /[\w+/=-]/.test(plain.charAt(end))) end++;
  return end;
}

/** Behind an escape of an address too: `%2F` ends in a letter. */
function isWordStart(plain: string, at: number): boolean {
  return at === 0 || !/\w/.test(plain.charAt(at - 1)) || /^%[\dA-F]{2}$/i.test(plain.slice(Math.max(0, at - 3), at));
}
