// The characters and references that XML allows, and the error for a damaged file.
// Used by the scanner and by the XML formats.
import { isUtf8 } from "node:buffer";
import { Problem } from "../../../kernel/kernel.ts";
import { AMPERSAND, BRACKET, GREATER, isSpace, NEWLINE, RETURN, SPACE, TAB } from "./bytes.ts";

/** Returns whether XML allows this code point. */
export function isCharacter(code: number): boolean {
  if (code < 0x20) return code === TAB || code === NEWLINE || code === RETURN;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}

export function damaged(bytes: Buffer, what: string, at: number): Problem {
  let line = 1;
  for (let found = bytes.indexOf(NEWLINE); found !== -1 && found < at; found = bytes.indexOf(NEWLINE, found + 1))
    line++;
  return new Problem("invalid", `The outline file is damaged: ${what} (line ${line}). The file was not changed.`);
}

/** Throws unless the bytes are UTF-8. @returns the offset after the byte order mark */
export function checkEncoding(bytes: Buffer): number {
  if (!isUtf8(bytes)) throw new Problem("invalid", "The outline file is not UTF-8 text. The file was not changed.");
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Checks the byte at which a text or a value stopped. @returns the offset of the last byte checked */
export function checkSpecial(bytes: Buffer, at: number, limit: number): number {
  const byte = bytes[at];
  if (byte === AMPERSAND) return checkReference(bytes, at, limit);
  if (byte === BRACKET) {
    if (bytes[at + 1] === BRACKET && bytes[at + 2] === GREATER) throw damaged(bytes, 'there is a "]]>" in a text', at);
    return at;
  }
  if (byte === 0xef) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2]! >= 0xbe) throw damaged(bytes, "there is an invalid character", at);
    return at;
  }
  throw damaged(bytes, "there is a control character", at);
}

function checkReference(bytes: Buffer, at: number, limit: number): number {
  // The longest is "&#x10FFFF;", but there may be leading zeros.
  let end = at + 1;
  while (end < limit && end < at + 40 && bytes[end] !== 0x3b) end++;
  const name = bytes[end] === 0x3b ? bytes.toString("latin1", at + 1, end) : "";
  if (/^(?:amp|lt|gt|quot|apos)$/.test(name)) return end;
  const code = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name);
  const character = code?.[1] === undefined ? Number(code?.[2]) : Number.parseInt(code[1], 16);
  if (code === null || name.startsWith("#X") || !isCharacter(character))
    throw damaged(bytes, 'there is an invalid "&" reference', at);
  return end;
}

/** Checks a comment, a CDATA section or an instruction. */
export function checkCharacters(bytes: Buffer, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if ((byte < SPACE && !isSpace(byte)) || (byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2]! >= 0xbe))
      throw damaged(bytes, "there is a control character", at);
  }
}
