// Converts XML files from the encoding they declare to UTF-8, which everything
// else here works on, and back. Characters that the encoding lacks are written as
// character references. Pure; used by format-detection.ts.
import { Problem } from "../../../kernel/kernel.ts";

/** Contents in UTF-8, and the function that converts them back. */
export interface Transcoded {
  readonly utf8: Buffer;
  readonly encode: (utf8: Buffer) => Buffer;
}

/** Undefined for UTF-8 and for anything but XML. Throws for an unknown or a wrong encoding. */
export function transcode(contents: Buffer): Transcoded | undefined {
  const isLittle = contents[0] === 0xff && contents[1] === 0xfe;
  const isBig = contents[0] === 0xfe && contents[1] === 0xff;
  if (isLittle || isBig) return recodedUtf16(contents, isBig);
  const declared = declaredEncoding(contents);
  if (declared === undefined || /^utf-?8$/i.test(declared)) return undefined;
  const encoding = SINGLE_BYTES.find(({ names }) => names.test(declared));
  if (encoding === undefined) throw unknown(declared);
  const { characters } = encoding;
  const numbers = new Map([...characters].map((character, i) => [character, i]));
  return {
    utf8: Buffer.from(decoded(contents, characters, declared)),
    encode: (utf8) => encoded(utf8.toString("utf8"), numbers),
  };
}

/** The name in the XML declaration. */
function declaredEncoding(contents: Buffer): string | undefined {
  const start = contents[0] === 0xef && contents[1] === 0xbb && contents[2] === 0xbf ? 3 : 0;
  return /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(contents.toString("latin1", start, start + 200))?.[1];
}

const FIRST_256 = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)).join("");
/** Windows-1252 in the range where ISO 8859-1 has control characters; five code points are unassigned. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** `characters[byte]` is the character of a byte. */
const SINGLE_BYTES = [
  { names: /^(?:us-)?ascii$/i, characters: FIRST_256.slice(0, 128) },
  { names: /^(?:iso[-_]?8859-1|latin-?1)$/i, characters: FIRST_256 },
  {
    names: /^(?:windows-1252|cp-?1252)$/i,
    characters: FIRST_256.slice(0, 128) + WINDOWS + FIRST_256.slice(160),
  },
];

function decoded(bytes: Buffer, characters: string, declared: string): string {
  const text = bytes.toString("latin1");
  if (characters === FIRST_256) return text;
  return text.replace(/[\u0080-\u00ff]/g, (byte) => {
    const character = characters[byte.charCodeAt(0)];
    if (character === undefined) throw damaged(declared);
    return character;
  });
}

function encoded(text: string, numbers: ReadonlyMap<string, number>): Buffer {
  const bytes = text.replace(/[\u{80}-\u{10ffff}]/gu, (character) => {
    const number = numbers.get(character);
    return number === undefined ? referenceTo(character) : String.fromCharCode(number);
  });
  return Buffer.from(bytes, "latin1");
}

function referenceTo(character: string): string {
  return `&#x${character.codePointAt(0)!.toString(16).toUpperCase()};`;
}

function recodedUtf16(contents: Buffer, isBig: boolean): Transcoded | undefined {
  const bytes = isBig ? swapped(contents) : contents;
  const text = bytes.toString("utf16le", 2);
  // Only XML is supported in UTF-16.
  if (!/^\s*</.test(text)) return undefined;
  if (contents.length % 2 !== 0 || !text.isWellFormed()) throw damaged("UTF-16");
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text.slice(0, 200))?.[1];
  if (declared !== undefined && !/^utf-?16/i.test(declared)) throw damaged(declared);
  return {
    utf8: Buffer.from(text),
    encode: (utf8) => {
      const little = Buffer.from(`\ufeff${utf8.toString("utf8")}`, "utf16le");
      return isBig ? swapped(little) : little;
    },
  };
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}

function damaged(declared: string): Problem {
  return new Problem(
    "invalid",
    `The outline file is damaged: it declares the encoding ${declared}, which it is not in. The file was not changed.`,
  );
}

function unknown(declared: string): Problem {
  return new Problem(
    "invalid",
    `The outline file is in the encoding ${declared.slice(0, 40)}, which this program cannot read. The file was not changed.`,
    "Convert it to UTF-8 with another program first.",
  );
}
