// Finds a text of a JSON object in its bytes, without parsing the rest. Used
// where most lines of a file are thrown away by their type.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** The text that the object has under a plain key; undefined where it has none, or holds an escape. */
export function topLevelText(bytes: Buffer, key: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const sign = bytes[at]!;
    if (sign === 0x7b || sign === 0x5b) depth++;
    else if (sign === 0x7d || sign === 0x5d) depth--;
    else if (sign === QUOTE) {
      const end = textEnd(bytes, at + 1);
      if (end === -1) return undefined;
      if (depth === 1 && end - at - 1 === key.length && isAt(bytes, at + 1, key)) {
        let value = end + 1;
        while (bytes[value] === 0x20) value++;
        // A value that happens to read like the key has no colon behind it.
        if (bytes[value] === COLON) return textAt(bytes, value + 1);
      }
      at = end;
    }
  }
  return undefined;
}

/** Most texts on the way are short, and a call into the buffer costs as much as this many bytes. */
const NEAR = 80;

/** Where the quote is that ends a text. */
function textEnd(bytes: Buffer, start: number): number {
  const near = Math.min(bytes.length, start + NEAR);
  for (let at = start; at < near; at++) {
    const sign = bytes[at]!;
    if (sign === QUOTE) return at;
    if (sign === BACKSLASH) break;
  }
  for (let end = bytes.indexOf(QUOTE, start); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH && end - 1 - slashes >= start) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function isAt(bytes: Buffer, start: number, key: string): boolean {
  for (let i = 0; i < key.length; i++) if (bytes[start + i] !== key.charCodeAt(i)) return false;
  return true;
}

function textAt(bytes: Buffer, start: number): string | undefined {
  let at = start;
  while (bytes[at] === 0x20) at++;
  if (bytes[at] !== QUOTE) return undefined;
  const end = textEnd(bytes, at + 1);
  const text = end === -1 ? undefined : bytes.toString("utf8", at + 1, end);
  return text?.includes("\\") ? undefined : text;
}
