// Finds values of a JSON object in its bytes, in any order of keys, without
// parsing everything else. Used if most of a line is not needed.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** The position of a value: its first byte, and the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text under a key; undefined if there is none, or if it has an escape. */
export function topLevelText(bytes: Buffer, key: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const sign = bytes[at]!;
    if (sign === OPEN_OBJECT || sign === OPEN_LIST) depth++;
    else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) depth--;
    else if (sign === QUOTE) {
      const end = textEnd(bytes, at + 1);
      if (end === -1) return undefined;
      if (depth === 1 && end - at - 1 === key.length && isAt(bytes, at + 1, key)) {
        const value = behindSpace(bytes, end + 1);
        // A value that equals the key is not followed by a colon.
        if (bytes[value] === COLON) return plainText(bytes, behindSpace(bytes, value + 1));
      }
      at = end;
    }
  }
  return undefined;
}

/**
 * The values of an object by key; undefined if it is none, or damaged, or has more than `most`. The last of equal keys
 * counts.
 */
export function fieldsIn(bytes: Buffer, start = 0, most = Number.POSITIVE_INFINITY): Map<string, Span> | undefined {
  let at = behindSpace(bytes, start);
  if (bytes[at] !== OPEN_OBJECT) return undefined;
  const fields = new Map<string, Span>();
  at = behindSpace(bytes, at + 1);
  while (bytes[at] === QUOTE && fields.size < most) {
    const keyEnd = textEnd(bytes, at + 1);
    if (keyEnd === -1) return undefined;
    const colon = behindSpace(bytes, keyEnd + 1);
    if (bytes[colon] !== COLON) return undefined;
    const value = behindSpace(bytes, colon + 1);
    const end = valueEnd(bytes, value);
    if (end === -1) return undefined;
    fields.set(bytes.toString("latin1", at + 1, keyEnd), { start: value, end });
    at = behindSpace(bytes, end);
    if (bytes[at] === COMMA) at = behindSpace(bytes, at + 1);
  }
  return bytes[at] === CLOSE_OBJECT ? fields : undefined;
}

/** The values of a list; undefined if it is none, or damaged, or has more than `most`. */
export function elementsIn(bytes: Buffer, start: number, most = Number.POSITIVE_INFINITY): Span[] | undefined {
  if (bytes[start] !== OPEN_LIST) return undefined;
  const elements: Span[] = [];
  let at = behindSpace(bytes, start + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_LIST && elements.length < most) {
    const end = valueEnd(bytes, at);
    if (end === -1) return undefined;
    elements.push({ start: at, end });
    at = behindSpace(bytes, end);
    if (bytes[at] === COMMA) at = behindSpace(bytes, at + 1);
  }
  return bytes[at] === CLOSE_LIST ? elements : undefined;
}

/** The parsed value; undefined if it is damaged. */
export function parsedAt(bytes: Buffer, span: Span | undefined): unknown {
  if (span === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString("utf8", span.start, span.end));
  } catch {
    return undefined;
  }
}

export function textAt(bytes: Buffer, span: Span | undefined): string | undefined {
  if (span === undefined || bytes[span.start] !== QUOTE) return undefined;
  const value = parsedAt(bytes, span);
  return typeof value === "string" ? value : undefined;
}

/** The end of the value that begins here; -1 if it has none. */
function valueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) {
    const end = textEnd(bytes, start + 1);
    return end === -1 ? -1 : end + 1;
  }
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) {
    let at = start;
    while (at < bytes.length && !isBetween(bytes[at]!)) at++;
    return at === start ? -1 : at;
  }
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const sign = bytes[at]!;
    if (sign === QUOTE) {
      at = textEnd(bytes, at + 1);
      if (at === -1) return -1;
    } else if (sign === OPEN_OBJECT || sign === OPEN_LIST) depth++;
    else if ((sign === CLOSE_OBJECT || sign === CLOSE_LIST) && --depth === 0) return at + 1;
  }
  return -1;
}

/** What ends a number or a word. */
function isBetween(sign: number): boolean {
  return sign === COMMA || sign === CLOSE_OBJECT || sign === CLOSE_LIST || sign <= 0x20;
}

function behindSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at]! <= 0x20) at++;
  return at;
}

/** Most texts are short, and a call of Buffer.indexOf costs as much as scanning this many bytes. */
const NEAR = 80;

/** The position of the quote that ends a text. */
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

function plainText(bytes: Buffer, at: number): string | undefined {
  if (bytes[at] !== QUOTE) return undefined;
  const end = textEnd(bytes, at + 1);
  const text = end === -1 ? undefined : bytes.toString("utf8", at + 1, end);
  return text?.includes("\\") ? undefined : text;
}
