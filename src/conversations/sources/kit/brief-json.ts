// Parses JSON without what is not needed: values of some keys are left out, and
// of long texts below others only the beginning is kept. Most of what programs
// keep is the output of tools; to find the end of a text takes a fifth of the
// time that parsing it takes. Pure; used by sources when prose is read, before
// everything else is.
import type { Wanted } from "../source.ts";

/** A key whose value is not needed, or not as a whole. */
export interface CutKey {
  readonly key: string;
  /** How many objects and lists it has to be in, at least. */
  readonly depth?: number;
  /** Its value becomes null. Otherwise long texts in it are cut: a reader can tell what they are. */
  readonly isLeftOut?: true;
}

export type CutKeys = readonly CutKey[];

/** None, unless it is read briefly. */
export function cutIf(wanted: Wanted, keys: CutKeys): CutKeys {
  return wanted === "briefly" ? keys : [];
}

/** In bytes. */
const BEGINNING = 240;
/** A shorter text is cheaper to parse than to cut. */
const LONG = 600;
/** How far before that a text may be cut: not within a character, nor within an escape. */
const CUT_WITHIN = 100;
const MAX_ESCAPE_LENGTH = 6;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** One bit is all in which brackets differ from braces. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

const NOWHERE = Number.POSITIVE_INFINITY;

/** Throws if it is no JSON. Damage within what is cut goes unnoticed. */
export function briefJson(bytes: Buffer, keys: CutKeys): unknown {
  return JSON.parse(
    keptOf(bytes, keys).reduce(
      (text, { start, end, filler }) => text + bytes.toString("utf8", start, end) + filler,
      "",
    ),
  );
}

/** The same as bytes, for a reader that parses only some of them. */
export function briefBytes(bytes: Buffer, keys: CutKeys): Buffer {
  const kept = keptOf(bytes, keys);
  if (kept.length === 1) return bytes;
  return Buffer.concat(kept.flatMap(({ start, end, filler }) => [bytes.subarray(start, end), Buffer.from(filler)]));
}

/** Bytes to be kept, and what to put behind them. */
interface Kept {
  readonly start: number;
  readonly end: number;
  readonly filler: "" | "null";
}

function keptOf(bytes: Buffer, keys: CutKeys): Kept[] {
  if (bytes.length < LONG || keys.length === 0) return [{ start: 0, end: bytes.length, filler: "" }];
  // One byte is one character: a string is searched faster than a buffer.
  const text = bytes.toString("latin1");
  const kept: Kept[] = [];
  let keptFrom = 0;
  let depth = 0;
  /** The depth of the key below which texts are cut. */
  let cutDepth = NOWHERE;
  for (let at = 0; at < text.length;) {
    const sign = text.charCodeAt(at);
    if (sign !== QUOTE) {
      if ((sign | BRACE_BIT) === OPENING) depth++;
      else if ((sign | BRACE_BIT) === CLOSING && --depth < cutDepth) cutDepth = NOWHERE;
      at++;
      continue;
    }
    const start = at + 1;
    const end = textEnd(text, start);
    // Not JSON: the parser says so.
    if (end === -1) break;
    at = end + 1;
    const value = valueAfter(text, at);
    if (value !== undefined) {
      if (depth > cutDepth) continue;
      const found = keyIn(keys, depth, text, start, end);
      cutDepth = found === undefined ? NOWHERE : depth;
      if (!found?.isLeftOut) continue;
      at = valueEnd(text, value);
      kept.push({ start: keptFrom, end: value, filler: "null" });
      keptFrom = at;
    } else if (end - start > LONG && depth >= cutDepth) {
      const cut = cutBefore(text, start + BEGINNING);
      if (cut === undefined) continue;
      kept.push({ start: keptFrom, end: cut, filler: "" });
      keptFrom = end;
    }
  }
  return [...kept, { start: keptFrom, end: bytes.length, filler: "" }];
}

/** The position of the quote that ends a text; -1 if there is none. */
function textEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** Where the value begins if a colon follows, which makes the text before a key. */
function valueAfter(text: string, after: number): number | undefined {
  const colon = behindSpace(text, after);
  return text.charCodeAt(colon) === COLON ? behindSpace(text, colon + 1) : undefined;
}

function behindSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function keyIn(keys: CutKeys, depth: number, text: string, start: number, end: number): CutKey | undefined {
  for (const one of keys)
    if (one.key.length === end - start && depth >= (one.depth ?? 1) && text.startsWith(one.key, start)) return one;
  return undefined;
}

/** The end of the value that begins here, or of the text if it has none. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      at = textEnd(text, at + 1);
      if (at === -1) break;
      if (depth === 0) return at + 1;
    } else if ((sign | BRACE_BIT) === OPENING) depth++;
    else if ((sign | BRACE_BIT) === CLOSING) {
      // A number or a word ends before the bracket of what it is in.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (sign === COMMA && depth === 0) return at;
  }
  return text.length;
}

/** A position at or before this one, between two characters; undefined if there is none near. */
function cutBefore(text: string, most: number): number | undefined {
  let plain = 0;
  for (let at = most; at > most - CUT_WITHIN; at--) {
    const sign = text.charCodeAt(at);
    plain = sign < 0x80 && sign !== BACKSLASH ? plain + 1 : 0;
    // An escape may end within the first of these.
    if (plain > MAX_ESCAPE_LENGTH) return at + MAX_ESCAPE_LENGTH;
  }
  return undefined;
}
