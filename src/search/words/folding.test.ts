// Folding skips, for speed, ranges of letters that never change. Here every
// character is folded beside neighbours of each kind, and compared with folding
// by Unicode's own tables, which knows no ranges.
import { expect, it } from "vitest";
import { foldForSearch, foldWithOffsets } from "./folding.ts";

/** Letters that Unicode does not decompose. */
const SPELLINGS = ["ßss", "æae", "œoe", "þth", "øo", "đd", "ðd", "łl", "ħh", "ıi", "ςσ"]
  .concat([..."‘’‚‛′‵ʼʹ´"].map((sign) => `${sign}'`))
  .concat([..."“”„‟«»″‶"].map((sign) => `${sign}"`))
  .concat([..."‐‑‒–—―−⁃"].map((sign) => `${sign}-`))
  .concat([..."⁄∕"].map((sign) => `${sign}/`));
const plainOf = new Map(SPELLINGS.map((spelling) => [spelling[0]!, spelling.slice(1)]));

const INVISIBLE = "\u00AD\u0640\u200C\u200D\u2060\uFEFF";
const MARK = /^[\p{sc=Inherited}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]$/u;
const VOICED = "\u3099\u309A";

function foldedByTables(text: string): string {
  const letters = [...text.toLowerCase().normalize("NFKD").toLowerCase()];
  const isDropped = (letter: string) =>
    INVISIBLE.includes(letter) || (/\p{M}/u.test(letter) && MARK.test(letter) && !VOICED.includes(letter));
  return letters
    .filter((letter) => !isDropped(letter))
    .map((letter) => plainOf.get(letter) ?? letter)
    .join("")
    .normalize("NFC");
}

/** All characters, but for those in the middle of the two large scripts, whose edges are here. */
function* everyCharacter(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code === 0x4e10) code = 0x9fe0;
    if (code === 0xac40) code = 0xd780;
    if (code === 0xd800) code = 0xe000;
    if (code === 0x20010) code = 0x2f7f0;
    if (code === 0x2fa20) code = 0xe0000;
    if (code === 0xe01f0) return;
    yield String.fromCodePoint(code);
  }
}

it("folds every character as Unicode's tables do, alone and beside letters and marks, composed or not", () => {
  const wrong: string[] = [];
  for (const letter of everyCharacter()) {
    const parts = letter.normalize("NFD");
    const beside = `a${letter}b é${letter}ü д${letter}\u0306 東${letter}京 か${letter} x${letter}\u3099 α${letter}ά`;
    const joined = `x${letter}\uFF9E \u1112${letter}\u11AB 가${letter}\u1161 x${letter}ㅏ`;
    const text = `${letter} ${parts} ${beside} ${joined}`;
    if (foldForSearch(text) !== foldedByTables(text)) wrong.push(letter.codePointAt(0)!.toString(16));
  }
  expect(wrong).toEqual([]);
});

it("finds a name that a Mac has decomposed", () => {
  for (const name of ["Чайный йогурт, ёлка", "Ελλάδα, ΐ", "Đặng Thị Ngọc", "ガイド・パン", "한국어", "آدم، ؤ ئ"]) {
    expect(foldForSearch(name.normalize("NFD"))).toBe(foldForSearch(name));
    expect(foldWithOffsets(name.normalize("NFD")).folded).toBe(foldForSearch(name));
  }
});
