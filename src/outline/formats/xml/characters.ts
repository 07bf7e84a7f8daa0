// What may be in an XML file at all, and what is said of one that is damaged.
// Used by the scanner and by those who read what it finds.
import { isUtf8 } from "node:buffer";
import { Problem } from "../../../kernel/kernel.ts";

const [TAB, NEWLINE, RETURN] = [0x09, 0x0a, 0x0d] as const;

/** Whether XML can hold a character of this number. */
export function isCharacter(code: number): boolean {
  if (code < 0x20) return code === TAB || code === NEWLINE || code === RETURN;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}

export function damaged(bytes: Buffer, what: string, at: number): Problem {
  let line = 1;
  for (let found = bytes.indexOf(NEWLINE); found !== -1 && found < at; found = bytes.indexOf(NEWLINE, found + 1))
    line++;
  return new Problem("invalid", `The outline file is damaged: ${what} (line ${line}). It is left as it is.`);
}

/** Refuses what is not UTF-8. @returns where the document begins, after a byte order mark */
export function checkEncoding(bytes: Buffer): number {
  if (!isUtf8(bytes)) throw new Problem("invalid", "The outline file is not UTF-8 text: it is left as it is.");
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
