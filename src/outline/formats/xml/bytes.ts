// The bytes that have a meaning in XML, and tables of which bytes may be in a name
// and which need a closer look. Used by the scanner, declarations.ts and
// characters.ts.

export const [TAB, NEWLINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20] as const;
export const [LESS, GREATER, SLASH, AMPERSAND, EQUALS] = [0x3c, 0x3e, 0x2f, 0x26, 0x3d] as const;
export const [BANG, QUESTION, DOUBLE_QUOTE, SINGLE_QUOTE, BRACKET] = [0x21, 0x3f, 0x22, 0x27, 0x5d] as const;

export const PLAIN = 0;
const NAME = 1;
export const NAME_START = 3;

/** The bytes a name may contain. All non-ASCII bytes are accepted: no name that matters here has any. */
export const inNames = table((byte) => {
  const character = String.fromCharCode(byte);
  if (byte >= 0x80 || /[A-Za-z_:]/.test(character)) return NAME_START;
  return /[-.0-9]/.test(character) ? NAME : PLAIN;
});

/** Bytes in a text, and in an attribute value, that need a closer look. 0xef begins U+FFFE and U+FFFF, which are not allowed. */
export const stopsText = table(
  (byte) => (byte < SPACE && !isSpace(byte)) || [LESS, AMPERSAND, BRACKET, 0xef].includes(byte),
);
export const stopsValue = table(
  (byte) => (byte < SPACE && !isSpace(byte)) || [LESS, AMPERSAND, DOUBLE_QUOTE, SINGLE_QUOTE, 0xef].includes(byte),
);

function table(of: (byte: number) => number | boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(of(byte)));
}

export function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === NEWLINE || byte === TAB || byte === RETURN;
}
