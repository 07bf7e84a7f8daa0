// The terms of the index: how a text becomes terms, and a query the same terms.
// Used by the index for notes, titles and queries, and by whatever compares
// names or cuts snippets, so that all agree on what is the same word.
//
// Decisions, for the tokenizer (which splits at everything but letters, digits and
// the marks that are left of them):
// - Scripts without spaces, and Hangul with its attached particles, become
//   overlapping pairs of characters, in order: adjacent pairs are the word.
// - Words are kept in order, so that phrases are found. Other terms for a word are
//   added once, after the text: the parts of camelCase, "email" for e-mail and
//   "username" for user_name, and the single characters of scripts in pairs.
//   snake_case and hyphenated words are split by the tokenizer: their parts are
//   words, the whole is a phrase.
// - C++, C# and F# are words; the tokenizer would leave only a letter.
// - Emoji and other symbols are added after the text, too: see symbols.ts.
import { foldForSearch } from "./folding.ts";
import { symbolOf, symbolsIn } from "./symbols.ts";

/** In FTS5's syntax. Without marks (M), each vowel sign of Hindi, Bengali or Tamil would end a word. */
export const TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'";

/** The text to be stored in the full-text index. */
export function indexText(text: string): string {
  const folded = foldForSearch(text);
  const others = new Set<string>();
  addPartsOfCamelCase(text, others);
  addJoinedWords(folded, others);
  for (const symbol of symbolsIn(folded)) others.add(symbol);
  const flow = inPairs(withNamedLanguages(folded), others);
  return others.size === 0 ? flow : `${flow}\n${[...others].join(" ")}`;
}

/** The terms of a query's text, in order. `indexText` contains each of them for the same text. */
export function termsOf(text: string): string[] {
  return inPairs(withNamedLanguages(foldForSearch(text))).match(TERM) ?? [];
}

/** The terms of the emoji and signs of a query's text, each once. `indexText` contains them as well. */
export function symbolsOf(text: string): string[] {
  return symbolsIn(foldForSearch(text));
}

/** The terms that the full-text index has of a text, in order: those of `indexText`, split as its tokenizer does. */
export function indexedTerms(text: string): string[] {
  return indexText(text).match(TERM) ?? [];
}

const TERM = /[\p{L}\p{N}\p{Co}][\p{L}\p{M}\p{N}\p{Co}]*/gu;

/** How a term is written in a folded text. */
export function spellingOf(term: string): string {
  return WRITTEN_AS.get(term) ?? symbolOf(term) ?? term;
}

const WRITTEN_AS: ReadonlyMap<string, string> = new Map([
  ["cplusplus", "c++"],
  ["csharp", "c#"],
  ["fsharp", "f#"],
]);

function withNamedLanguages(folded: string): string {
  if (!/c\+\+|[cf]#/.test(folded)) return folded;
  return folded.replace(/\b(?:c\+\+|[cf]#)(?![\w#+])/g, (name) =>
    name === "c++" ? "cplusplus" : name === "c#" ? "csharp" : "fsharp",
  );
}

const PAIRED =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&[\p{L}\p{M}\p{Nl}]]{1,999}/gv;
/** The ranges of all these scripts, without dashes, quotes and arrows, which are common everywhere. */
const PERHAPS_PAIRED = /[\u0E00-\u1FFF\u2E80-\uFFFF]/;

/** Returns whether a term is in a script without spaces: a pair of characters, or a single one. */
export function isPaired(term: string): boolean {
  PAIRED.lastIndex = 0;
  return PERHAPS_PAIRED.test(term) && PAIRED.test(term);
}

/** Writes runs of scripts without spaces as overlapping pairs. Adds the single characters to `others`. */
function inPairs(folded: string, others?: Set<string>): string {
  if (!PERHAPS_PAIRED.test(folded)) return folded;
  let end = -1;
  let last = "";
  return folded.replace(PAIRED, (run, at: number) => {
    const characters = /[\uD800-\uDFFF]/.test(run) ? [...run] : run;
    const continues = at === end;
    if (characters.length === 1 && !continues) return ` ${run} `;
    const pairs = [continues ? pairOf(last, characters[0]!) : ""];
    for (let i = 0; i < characters.length; i++) {
      const character = characters[i]!;
      if (i + 1 < characters.length) pairs.push(pairOf(character, characters[i + 1]!));
      if (!MARK.test(character)) others?.add(character);
    }
    end = at + run.length;
    last = characters.at(-1)!;
    return `${pairs.join(" ")} `;
  });
}

const MARK = /^\p{M}/u;

/** No term begins with a mark: the pair of a mark and a letter is the letter alone. */
function pairOf(first: string, second: string): string {
  return MARK.test(first) ? (MARK.test(second) ? "" : second) : first + second;
}

/** Longer ones are hashes and encoded data, not identifiers. */
export const MAX_COMPOUND_LENGTH = 64;

/** Adds the parts of words like parseHtmlNote or XMLReader, without single letters. */
function addPartsOfCamelCase(text: string, words: Set<string>): void {
  const boundary = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/g;
  for (let found = boundary.exec(text); found !== null; found = boundary.exec(text)) {
    let start = found.index;
    let end = boundary.lastIndex;
    while (isAsciiAlphanumeric(text.charCodeAt(start - 1))) start--;
    while (isAsciiAlphanumeric(text.charCodeAt(end))) end++;
    boundary.lastIndex = end;
    if (end - start > MAX_COMPOUND_LENGTH) continue;
    for (const part of text.slice(start, end).split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)) {
      if (part.length > 1) words.add(part.toLowerCase());
    }
  }
}

/** Adds "email" for e-mail and "username" for user_name: two parts that people also write as one word. */
function addJoinedWords(folded: string, words: Set<string>): void {
  const joint = /[a-z][-_][a-z]/g;
  for (let found = joint.exec(folded); found !== null; found = joint.exec(folded)) {
    let start = found.index;
    let end = joint.lastIndex;
    while (isCompoundUnit(folded.charCodeAt(start - 1))) start--;
    while (isCompoundUnit(folded.charCodeAt(end))) end++;
    joint.lastIndex = end;
    if (end - start > MAX_COMPOUND_LENGTH) continue;
    const word = folded.slice(start, end);
    if (/^[a-z]+[-_][a-z]+$/.test(word)) words.add(word.replace(/[-_]/, ""));
  }
}

function isCompoundUnit(unit: number): boolean {
  return isAsciiAlphanumeric(unit) || unit === 0x2d || unit === 0x5f;
}

export function isAsciiAlphanumeric(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}
