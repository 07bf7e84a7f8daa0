// Decodes and encodes text in XML, keeping the spelling of the parts of a text
// that do not change. Used by the XML formats.
import { Problem } from "../../../kernel/kernel.ts";
import { isCharacter } from "./characters.ts";

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** Decodes text between tags. */
export function decodeText(xml: string): string {
  const ended = xml.includes("\r") ? xml.replace(/\r\n?/g, "\n") : xml;
  return ended.includes("&") ? ended.replace(/&([^;]*);/g, decodeReference) : ended;
}

/** Decodes an attribute value, in which a literal line break or tab is a space. */
export function decodeValue(xml: string): string {
  const spaced = /[\t\n\r]/.test(xml) ? xml.replace(/\r\n|[\t\n\r]/g, " ") : xml;
  return spaced.includes("&") ? spaced.replace(/&([^;]*);/g, decodeReference) : spaced;
}

function decodeReference(_whole: string, name: string): string {
  const named = NAMED[name];
  if (named !== undefined) return named;
  return String.fromCodePoint(name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

/** Escapes the same characters as OmniOutliner. */
export function encodeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPED[character]!);
}

/** Encodes an attribute value for these quotes. */
export function encodeValue(text: string, quote: '"' | "'"): string {
  return text.replace(quote === '"' ? /[&<>"\n\t]/g : /[&<>'\n\t]/g, (character) => ESCAPED[character]!);
}

/** Encodes `text`, keeping the spelling in `xml` of their common beginning and end. */
export function respell(
  xml: string,
  text: string,
  decode: (xml: string) => string,
  encode: (text: string) => string,
): string {
  const units = xml.match(/&[^;]*;|\r\n|[^&]/gsu) ?? [];
  let [first, start] = [0, 0];
  for (; first < units.length; first++) {
    const unit = decode(units[first]!);
    if (!text.startsWith(unit, start)) break;
    start += unit.length;
  }
  let [last, end] = [units.length, text.length];
  for (; last > first; last--) {
    const unit = decode(units[last - 1]!);
    if (end - unit.length < start || !text.startsWith(unit, end - unit.length)) break;
    end -= unit.length;
  }
  return units.slice(0, first).join("") + encode(text.slice(start, end)) + units.slice(last).join("");
}

/** Normalises line breaks. Throws for characters that XML cannot represent. */
export function checkText(text: string): string {
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (!isCharacter(code))
      throw new Problem(
        "invalid",
        `The text has a character that an outline file cannot contain: U+${code.toString(16).toUpperCase().padStart(4, "0")}.`,
        "Send the text without it.",
      );
  }
  return text.replace(/\r\n?/g, "\n");
}
