// Which characters XML allows, and the error for a damaged file. Used by the
// scanner and by the XML formats.
import { isUtf8 } from "node:buffer";
import { Problem } from "../../../kernel/kernel.ts";

const [TAB, NEWLINE, RETURN] = [0x09, 0x0a, 0x0d] as const;

/** Whether XML allows this code point. */
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
