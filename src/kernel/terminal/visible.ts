// Escapes foreign text for a terminal, so that it cannot move the cursor, set a
// colour or a title, reorder letters or hide some. Used by terminal.ts for
// everything that the program prints.

/** A flag such as Scotland's is written with tag characters; elsewhere those hide text. */
const FLAG = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}`;
/** Controls, line separators, lone surrogates, bidi controls and invisible characters. ZWJ, ZWNJ and ZWSP stay: scripts and emoji need them. */
const UNSAFE = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\u2060-\u2064\u206A-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]`;
const CANDIDATES = new RegExp(`${FLAG}|${UNSAFE}`, "gu");
const FLAG_ALONE = new RegExp(`^${FLAG}$`, "u");

/** To one line: line breaks and tabs are escaped too. */
export function visible(text: string): string {
  return text.replace(CANDIDATES, (found) => (FLAG_ALONE.test(found) ? found : pictureOf(found)));
}

/** Keeps line breaks and tabs. */
export function visibleLines(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .split(/([\n\t])/)
    .map((part) => (part === "\n" || part === "\t" ? part : visible(part)))
    .join("");
}

/** Equivalent JSON, with escapes for what `JSON.stringify` leaves unescaped. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(CANDIDATES, (found) => (FLAG_ALONE.test(found) ? found : escaped(found)));
}

/** Unicode's control picture if there is one, else the code point. */
function pictureOf(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : `\\u{${code.toString(16)}}`;
}

function escaped(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
