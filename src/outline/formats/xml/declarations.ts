// Finds and checks the end of what is neither a tag nor text in XML: comments,
// CDATA sections, the document type, processing instructions. Used by the
// scanner. `start` is the offset of the "<"; the result is the offset behind.
import { Problem } from "../../../kernel/kernel.ts";
import { DOUBLE_QUOTE, GREATER, inNames, LESS, NAME_START, PLAIN, SINGLE_QUOTE } from "./bytes.ts";
import { checkCharacters, damaged } from "./characters.ts";

export function isAt(bytes: Buffer, start: number, mark: string): boolean {
  return bytes.toString("latin1", start, start + mark.length) === mark;
}

export function commentEnd(bytes: Buffer, start: number, limit: number): number {
  const end = find(bytes, "--", start + 4, start, limit);
  if (bytes[end + 2] !== GREATER) throw damaged(bytes, 'there is a "--" in a comment', end);
  checkCharacters(bytes, start + 4, end);
  return end + 3;
}

export function cdataEnd(bytes: Buffer, start: number, limit: number): number {
  const end = find(bytes, "]]>", start + 9, start, limit);
  checkCharacters(bytes, start + 9, end);
  return end + 3;
}

export function documentTypeEnd(bytes: Buffer, start: number, limit: number): number {
  for (let at = start + 9; at < limit; at++) {
    const byte = bytes[at];
    if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE)
      at = find(bytes, String.fromCharCode(byte), at + 1, start, limit);
    else if (byte === GREATER) return at + 1;
    else if (byte === 0x5b || byte === LESS) {
      // Declared entities could change the meaning of the text.
      throw new Problem("invalid", "The outline file declares its own entities. The file was not changed.");
    }
  }
  throw damaged(bytes, "it ends inside its declaration", limit);
}

export function instructionEnd(bytes: Buffer, start: number, limit: number): number {
  let at = start + 2;
  if (inNames[bytes[at]!] !== NAME_START) throw damaged(bytes, 'there is an invalid "<?"', at);
  while (at < limit && inNames[bytes[at]!] !== PLAIN) at++;
  const isDeclaration = /^xml$/i.test(bytes.toString("latin1", start + 2, at));
  const isFirst = start === 0 || (start === 3 && bytes[0] === 0xef);
  if (isDeclaration && !isFirst)
    throw damaged(bytes, "there is an XML declaration that is not at the beginning", start);
  const end = find(bytes, "?>", at, start, limit);
  checkCharacters(bytes, at, end);
  return end + 2;
}

function find(bytes: Buffer, mark: string, from: number, start: number, limit: number): number {
  const at = bytes.indexOf(mark, from, "latin1");
  if (at === -1 || at + mark.length > limit) throw damaged(bytes, "something is not closed", start);
  return at;
}
