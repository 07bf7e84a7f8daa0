// Emoji and signs as terms of the index: people mark notes with ⭐ and ✅, and search
// for them. Used by terms.ts, word-forms.ts and matches.ts.
//
// The tokenizer takes no symbol for a word, but characters for private use: each symbol
// becomes the one with the same last four digits in plane 15. They are kept apart from
// the words around them, once for each text: "input → output" is still a phrase of two
// words, and a row of stars is as long as one.

/** The lines of tables and trees, bars and spinners are no words; nor is what stands for an unreadable character (beyond \uD000). */
const SYMBOL =
  /\p{RI}\p{RI}|[[\p{So}\p{Sc}\p{Sm}§]--[\0-\x7F\u{10000}-\u{1CFFF}\u2500-\u259F\u2800-\u28FF\uD000-\uFFFF]--\p{RI}]/gv;
/** Most texts have none, and are done sooner by this. */
const PERHAPS_SYMBOL = /[\u00A2-\u00F7\u0370-\uFFFF]/;

const PRIVATE = 0xf0000;
/** The first code of flags, which are pairs of letters: no symbol has these digits. */
const FLAGS = 0xfb000;
const FIRST_FLAG_LETTER = 0x1f1e6;
const FLAG_LETTERS = 26;

/** The terms of the symbols of a folded text, each once. */
export function symbolsIn(folded: string): string[] {
  if (!PERHAPS_SYMBOL.test(folded)) return [];
  return [...new Set(folded.match(SYMBOL))].map(termOf);
}

function termOf(symbol: string): string {
  const [first = 0, second] = Array.from(symbol, (character) => character.codePointAt(0)!);
  if (second === undefined) return String.fromCodePoint(PRIVATE + (first & 0xffff));
  return String.fromCodePoint(FLAGS + (first - FIRST_FLAG_LETTER) * FLAG_LETTERS + second - FIRST_FLAG_LETTER);
}

/** How a symbol is written in a folded text; undefined for any other term. */
export function symbolOf(term: string): string | undefined {
  const code = term.codePointAt(0) ?? 0;
  if (code < PRIVATE || code >= PRIVATE + 0x10000 || term.length !== 2) return undefined;
  const flag = code - FLAGS;
  if (flag >= 0 && flag < FLAG_LETTERS ** 2)
    return String.fromCodePoint(
      FIRST_FLAG_LETTER + Math.floor(flag / FLAG_LETTERS),
      FIRST_FLAG_LETTER + (flag % FLAG_LETTERS),
    );
  const digits = code - PRIVATE;
  return String.fromCodePoint(digits >= FIRST_PICTURE ? 0x10000 + digits : digits);
}

/** The last four digits of the first symbol of plane 1 that is not also one of plane 0. */
const FIRST_PICTURE = 0xd000;

/** Returns whether a symbol says as little as a function word if there are words beside it: an arrow, a currency, a bullet. */
export function isSign(term: string): boolean {
  const symbol = symbolOf(term);
  return symbol !== undefined && SIGN.test(symbol);
}

const SIGN = /^[\p{Sc}\p{Sm}\0-\u22FF\u2500-\u25FF]/v;
