// Text inside quoted text: a JSON string, a YAML scalar, a string in a formula.
// Reading removes the quoting and remembers the offset of each character; writing
// adds it again. Used for links in such texts.
import { lastAtMost } from "../ascending.ts";

/** The kind of quoting; the quotes themselves are not part of the text. */
export type Quoting = "json" | "yaml-plain" | "yaml-single" | "yaml-double" | "formula-single" | "formula-double";

export interface Unquoted {
  readonly text: string;
  /** The offset in the source of an offset in the text, including its end. */
  readonly sourceAt: (position: number) => number;
}

/** Removes the quoting from a part of the source. */
export function unquote(source: string, start: number, end: number, quoting: Quoting): Unquoted {
  const written = source.slice(start, end);
  const mark = quoting === "yaml-single" ? "'" : "\\";
  if (quoting === "yaml-plain" || !written.includes(mark)) {
    return { text: written, sourceAt: (position) => start + position };
  }
  const parts: string[] = [];
  // The position in the text and in the source after each escape: between two of them both run in step.
  const textStops = [0];
  const sourceStops = [start];
  let length = 0;
  let position = 0;
  for (;;) {
    const escape = written.indexOf(mark, position);
    const plainEnd = escape === -1 ? written.length : escape;
    parts.push(written.slice(position, plainEnd));
    length += plainEnd - position;
    if (escape === -1) break;
    const [character, size] = quoting === "yaml-single" ? ["'", 2] : readEscape(written, escape);
    // An escape is not divided: an offset in its text is that of its beginning or its end.
    textStops.push(length);
    sourceStops.push(start + escape);
    parts.push(character);
    length += character.length;
    position = Math.min(escape + size, written.length);
    textStops.push(length);
    sourceStops.push(start + position);
  }
  return {
    text: parts.join(""),
    sourceAt: (offset) => {
      const stop = lastAtMost(textStops, offset);
      return sourceStops[stop]! + offset - textStops[stop]!;
    },
  };
}

/** The text with this quoting; undefined if it cannot be written so. */
export function quote(text: string, quoting: Quoting): string | undefined {
  switch (quoting) {
    case "json":
      return JSON.stringify(text).slice(1, -1);
    case "yaml-plain":
      return /: | #|:$/.test(text) ? undefined : text;
    case "yaml-single":
      return text.replaceAll("'", "''");
    case "yaml-double":
      return text.replace(/["\\]/g, "\\$&");
    case "formula-single":
      return text.replace(/['\\]/g, "\\$&");
    case "formula-double":
      return text.replace(/["\\]/g, "\\$&");
  }
}

const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const NAMED: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0" };

/** The character that an escape stands for, and how long the escape is. */
function readEscape(written: string, start: number): [character: string, size: number] {
  const name = written.charAt(start + 1);
  const digits = HEX_DIGITS[name];
  if (digits !== undefined) {
    const hex = written.slice(start + 2, start + 2 + digits);
    const code = /^[\da-f]+$/i.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : Number.NaN;
    if (code <= 0xffff) return [String.fromCharCode(code), 2 + digits];
    if (code <= 0x10ffff) return [String.fromCodePoint(code), 2 + digits];
  }
  return [NAMED[name] ?? name, 2];
}
