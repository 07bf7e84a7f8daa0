// Decodes and encodes text files, keeping what an edit must not change: the byte
// order mark and the line endings; and counts lines. Used for notes, outlines in
// Markdown, and the configurations of hosts.
import { Problem } from "../kernel/kernel.ts";

export type LineEnding = "\n" | "\r\n";

export interface NoteText {
  /** Exactly the characters of the file, without the byte order mark. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  /** The one of most lines; undefined if the note has no line break. */
  readonly lineEnding: LineEnding | undefined;
}

/** Thrown for a file that is not text in any encoding: a picture, an archive. */
export class BinaryFile extends Problem {
  constructor() {
    super("invalid", "The file is binary, not text, so it is left alone.");
  }
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Throws for anything but text: what cannot be decoded could not be written back. */
export function readNoteText(bytes: Uint8Array): NoteText {
  const decoded = decode(bytes);
  if (decoded.includes("\0")) throw new BinaryFile();
  const hasByteOrderMark = decoded.startsWith(BYTE_ORDER_MARK);
  const text = hasByteOrderMark ? decoded.slice(1) : decoded;
  return { text, hasByteOrderMark, lineEnding: lineEndingOf(text) };
}

/** The bytes of the note with a new text. Throws for a text that would not be read back as it is. */
export function writeNoteText(note: Pick<NoteText, "hasByteOrderMark">, newText: string): Uint8Array {
  if (!newText.isWellFormed()) {
    throw new Problem("invalid", "The new text has half of a surrogate pair in it. Send well-formed Unicode.");
  }
  if (newText.includes("\0")) {
    throw new Problem("invalid", "The new text has a NUL character in it. Send it without.");
  }
  return new TextEncoder().encode(note.hasByteOrderMark ? BYTE_ORDER_MARK + newText : newText);
}

/** The text to insert, with the line endings of the note; unchanged if the note has none. */
export function withLineEndingsOf(note: Pick<NoteText, "lineEnding">, insertedText: string): string {
  if (note.lineEnding === undefined) return insertedText;
  return insertedText.replace(/\r?\n/g, note.lineEnding);
}

/** CRLF only if most lines end in it. A lone CR is an ordinary character. */
export function lineEndingOf(text: string): LineEnding | undefined {
  let all = 0;
  let withReturn = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    all++;
    if (text[at - 1] === "\r") withReturn++;
  }
  if (all === 0) return undefined;
  return withReturn * 2 > all ? "\r\n" : "\n";
}

/**
 * The offset of each line. The final newline does not start another line; an empty
 * note has one empty line.
 */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1 && at + 1 < text.length; at = text.indexOf("\n", at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

/** The number, from 1, of the line at an offset. */
export function lineNumberAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // UTF-16 text contains zero bytes too, but can be converted.
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    if (bytes.includes(0) && !isUtf16) throw new BinaryFile();
    throw new Problem(
      "invalid",
      "The file is not valid UTF-8, so it is left alone: what cannot be read could not be written back.",
      "Convert it to UTF-8 with another program first.",
    );
  }
}
