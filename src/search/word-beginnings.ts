// Which of many expressions a text can match at all, by how its words begin:
// one look at the text instead of one for each. Used where texts are judged by
// lists of words. Pure.
import { isAsciiAlphanumeric } from "./terms.ts";

/** Letters of a beginning that count. */
const LETTERS = 3;
/** Of a place in a word: the letters, and everything else as one. */
const SIGNS = 27;

/** For a lower-case text, a bit for each expression that it may match, in their order. At most 30 expressions. */
export type Candidates = (text: string) => number;

/**
 * @param expressions that match from the beginning of a word, or not. One of
 *   which an alternative begins otherwise, or with no letters, is a candidate always.
 */
export function candidatesAmong(expressions: readonly RegExp[]): Candidates {
  const table = new Uint32Array(SIGNS ** LETTERS);
  let always = 0;
  for (const [i, { source }] of expressions.entries())
    for (const beginning of beginningsIn(source)) {
      if (beginning === "") always |= 1 << i;
      else for (const place of placesOf(beginning)) table[place]! |= 1 << i;
    }
  return (text) => {
    let candidates = always;
    let isInWord = false;
    for (let at = 0; at < text.length; at++) {
      const isWord = isWordUnit(text.charCodeAt(at));
      if (isWord && !isInWord) candidates |= table[placeAt(text, at)]!;
      isInWord = isWord;
    }
    return candidates;
  };
}

/** The letters that each alternative of an expression begins with; none where it does not say that it begins a word. */
export function beginningsIn(source: string): string[] {
  return alternativesIn(source).flatMap((alternative) => {
    if (!alternative.startsWith("\\b")) return "";
    const rest = alternative.slice(2);
    if (!rest.startsWith("(?:")) return leadIn(rest);
    const end = endOfGroup(rest);
    const behind = rest.slice(end + 1);
    if (/^[?*{]/.test(behind)) return "";
    return alternativesIn(rest.slice(3, end)).flatMap((inner) => beginningsIn(`\\b${inner}${behind}`));
  });
}

/** Plain letters; the last of them not where it may be missing. */
function leadIn(source: string): string {
  const [lead = ""] = /^[a-z]*/.exec(source)!;
  return /[?*{]/.test(source.charAt(lead.length)) ? lead.slice(0, -1) : lead;
}

/** What stands between the bars that are in no brackets. */
function alternativesIn(source: string): string[] {
  const alternatives = [""];
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    const sign = source.charAt(at);
    if (sign === "(" || sign === "[") depth++;
    if (sign === ")" || sign === "]") depth--;
    if (sign === "|" && depth === 0) alternatives.push("");
    else alternatives.push(alternatives.pop()! + (sign === "\\" ? sign + source.charAt(++at) : sign));
  }
  return alternatives;
}

/** Where the brackets are closed that a source begins with. */
function endOfGroup(source: string): number {
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    const sign = source.charAt(at);
    if (sign === "\\") at++;
    else if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0) return at;
  }
  return source.length;
}

/** Every place of the table that words with this beginning have. */
function placesOf(beginning: string): number[] {
  let places = [0];
  for (let i = 0; i < LETTERS; i++) {
    const signs =
      i < beginning.length ? [signOf(beginning.charCodeAt(i))] : Array.from({ length: SIGNS }, (_, sign) => sign);
    places = places.flatMap((place) => signs.map((sign) => place * SIGNS + sign));
  }
  return places;
}

function placeAt(text: string, at: number): number {
  let place = 0;
  for (let i = 0; i < LETTERS; i++) place = place * SIGNS + signOf(text.charCodeAt(at + i));
  return place;
}

function signOf(unit: number): number {
  return unit >= 0x61 && unit <= 0x7a ? unit - 0x60 : 0;
}

/** As `\w` has it. */
function isWordUnit(unit: number): boolean {
  return isAsciiAlphanumeric(unit) || unit === 0x5f;
}
