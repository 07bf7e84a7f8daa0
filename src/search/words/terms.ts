// The words of the search: how a text becomes the terms of the index, and a
// query the same terms. Used by the index for notes, titles and queries, and
// by whatever compares names or cuts snippets, so that all agree on what is
// the same word.
//
// Decisions, for the tokenizer `unicode61 remove_diacritics 0` (which splits
// at everything but letters and digits):
// - Scripts without spaces, and Hangul with its attached particles, become
//   overlapping pairs of characters, in order: adjacent pairs are the word.
// - Words stay where they are and as they are, for phrases to be found. What
//   else a word should be found by comes once, after the text: the parts of
//   camelCase, "email" for e-mail and "username" for user_name, and the single
//   characters of the scripts in pairs. snake_case and hyphenated words are
//   split by the tokenizer: their parts are words, the whole is a phrase.
// - C++, C# and F# are words, else they would be nothing but a letter.
import { lastAtMost } from "../../markdown/markdown.ts";

/** The text with every spelling of a character made one: case, diacritics, width, ligatures, quotes and dashes. */
export function foldForSearch(text: string): string {
  return fold(text);
}

export interface FoldedText {
  readonly folded: string;
  /** Where in the text a position of the folded one is; the end included. */
  readonly sourceAt: (position: number) => number;
}

/** Folded as above, with the way back. */
export function foldWithOffsets(text: string): FoldedText {
  // The position in both texts after each change of length: between two of them both run in step.
  const foldedStops = [0];
  const sourceStops = [0];
  let shift = 0;
  const folded = fold(text, (at, length, foldedLength) => {
    foldedStops.push(at + shift);
    sourceStops.push(at);
    shift += foldedLength - length;
    foldedStops.push(at + length + shift);
    sourceStops.push(at + length);
  });
  if (foldedStops.length === 1) return { folded, sourceAt: (position) => position };
  return {
    folded,
    sourceAt: (position) => {
      const stop = lastAtMost(foldedStops, position);
      const source = sourceStops[stop]! + position - foldedStops[stop]!;
      return Math.min(source, sourceStops[stop + 1] ?? text.length);
    },
  };
}

/** What is given to the full-text index for a text. */
export function indexText(text: string): string {
  const folded = foldForSearch(text);
  const others = new Set<string>();
  addPartsOfCamelCase(text, others);
  addJoinedWords(folded, others);
  const flow = inPairs(withNamedLanguages(folded), others);
  return others.size === 0 ? flow : `${flow}\n${[...others].join(" ")}`;
}

/** The terms that a query's text stands for, in order; each is one that `indexText` gives for the same text. */
export function termsOf(text: string): string[] {
  return inPairs(withNamedLanguages(foldForSearch(text))).match(TERM) ?? [];
}

const TERM = /[\p{L}\p{N}\p{Co}][\p{L}\p{M}\p{N}\p{Co}]*/gu;

/** How the terms that are not spelled with letters alone stand in a folded text. */
export const WRITTEN_AS: ReadonlyMap<string, string> = new Map([
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

const NOT_ASCII = /[^\0-\x7F]/;

/**
 * What may change beyond case, with the marks that belong to it. Left out are
 * the letters that stay as they are, for speed: Greek, Cyrillic, Hebrew and
 * Arabic ones without marks, Thai consonants, kana, Han and Hangul syllables.
 * Jamo compose with each other and with a syllable before them, so they go
 * together. Bounded, since the pattern engine overflows on millions of them.
 */
const FOLDABLE =
  /[\uAC00-\uD7A3]?[\u1100-\u11FF\u3131-\u318E\u3200-\u321E\u3260-\u327E\uA960-\uA97F\uD7B0-\uD7FF\uFFA0-\uFFDC]{1,999}\p{M}{0,99}|[\u3041-\u3096\u30A1-\u30FA][\u3099\u309A\uFF9E\uFF9F]\p{M}{0,99}|[[^\0-\x7F]--[\u03B1-\u03C1\u03C3-\u03C9\u0430-\u0438\u043A-\u044F\u05D0-\u05EA\u0627-\u063A\u0641-\u064A\u0E01-\u0E30\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3]][\p{M}\uFF9E\uFF9F]{0,99}/vy;

type OnChange = (at: number, length: number, foldedLength: number) => void;

function fold(text: string, onChange?: OnChange): string {
  // The one letter whose lower case is longer than itself.
  const lower = (text.includes("İ") ? text.replaceAll("İ", "I") : text).toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  let folded = "";
  let copied = 0;
  for (let at = 0; at < lower.length;) {
    if (isUnchanging(lower.charCodeAt(at))) {
      at++;
      continue;
    }
    const cluster = clusterAt(lower, at);
    const plain = cluster === undefined ? undefined : foldCluster(cluster);
    const length = cluster?.length ?? 1;
    if (plain !== undefined && plain !== cluster) {
      folded += lower.slice(copied, at) + plain;
      copied = at + length;
      if (plain.length !== length) onChange?.(at, length, plain.length);
    }
    at += length;
  }
  return folded + lower.slice(copied);
}

/** Never folded, whatever follows. Most units are, so the slower question is for the rest. */
function isUnchanging(unit: number): boolean {
  return (
    unit < 0x80 ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0x0e01 && unit <= 0x0e30) ||
    (unit >= 0x0430 && unit <= 0x044f && unit !== 0x0439) ||
    (unit >= 0x03b1 && unit <= 0x03c9 && unit !== 0x03c2)
  );
}

/** What has to be folded in one piece here; undefined where nothing has. */
function clusterAt(lower: string, at: number): string | undefined {
  const unit = lower.charCodeAt(at);
  if (unit < 0x0300 && lower.charCodeAt(at + 1) < 0x0300) return lower.charAt(at);
  FOLDABLE.lastIndex = at;
  return FOLDABLE.exec(lower)?.[0];
}

/** Notes repeat the same few accented letters and quotes. */
const foldedClusters = new Map<string, string>();
const MOST_CLUSTERS = 10_000;

function foldCluster(cluster: string): string {
  const known = foldedClusters.get(cluster);
  if (known !== undefined) return known;
  const folded = cluster
    .normalize("NFKD")
    .toLowerCase()
    .replace(IGNORED, "")
    .replace(RESPELLED, (character) => SPELLINGS.get(character) ?? character)
    .normalize("NFC");
  if (foldedClusters.size < MOST_CLUSTERS) foldedClusters.set(cluster, folded);
  return folded;
}

/** Diacritics and vowel points (not the signs of Indic scripts, Thai and kana: they make another word), and what is invisible. */
const IGNORED =
  /[[\p{M}&&[\p{sc=Inherited}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]]--[\u3099\u309A]]|[\u00AD\u0640\u2060\uFEFF]|\u200C|\u200D/gv;

/** Letters that have no decomposition, but that people type without their strokes; quotes and dashes. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ss: "ß",
    ae: "æ",
    oe: "œ",
    th: "þ",
    o: "ø",
    d: "đð",
    l: "ł",
    h: "ħ",
    i: "ı",
    σ: "ς",
    "'": "‘’‚‛′‵ʼʹ`´",
    '"': "“”„‟«»″‶",
    "-": "‐‑‒–—―−⁃",
    "/": "⁄∕",
  }).flatMap(([plain, characters]) => [...characters].map((character): [string, string] => [character, plain])),
);
const RESPELLED = new RegExp(`[${[...SPELLINGS.keys()].join("")}]`, "gu");

const PAIRED =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&[\p{L}\p{M}\p{Nl}]]{1,999}/gv;
/** All of those scripts lie here; dashes, quotes and arrows, which are everywhere, do not. */
const PERHAPS_PAIRED = /[\u0E00-\u1FFF\u2E80-\uFFFF]/;

/** Whether a term is of a script without spaces: a pair of characters, or a single one. */
export function isPaired(term: string): boolean {
  PAIRED.lastIndex = 0;
  return PERHAPS_PAIRED.test(term) && PAIRED.test(term);
}

/** Runs of scripts without spaces as overlapping pairs of characters. The characters alone join the other words. */
function inPairs(folded: string, others?: Set<string>): string {
  if (!PERHAPS_PAIRED.test(folded)) return folded;
  let end = -1;
  let last = "";
  return folded.replace(PAIRED, (run, at: number) => {
    const characters = /[\uD800-\uDFFF]/.test(run) ? [...run] : run;
    const continues = at === end;
    if (characters.length === 1 && !continues) return ` ${run} `;
    const pairs = [continues ? last + characters[0]! : ""];
    for (let i = 0; i < characters.length; i++) {
      const character = characters[i]!;
      if (i + 1 < characters.length) pairs.push(character + characters[i + 1]!);
      others?.add(character);
    }
    end = at + run.length;
    last = characters.at(-1)!;
    return `${pairs.join(" ")} `;
  });
}

/** Longer ones are hashes and encoded data, no identifiers. */
const LONGEST_COMPOUND = 64;

/** The parts of words like parseHtmlNote, XMLReader; single letters aside. */
function addPartsOfCamelCase(text: string, words: Set<string>): void {
  const boundary = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/g;
  for (let found = boundary.exec(text); found !== null; found = boundary.exec(text)) {
    let start = found.index;
    let end = boundary.lastIndex;
    while (isAsciiAlphanumeric(text.charCodeAt(start - 1))) start--;
    while (isAsciiAlphanumeric(text.charCodeAt(end))) end++;
    boundary.lastIndex = end;
    if (end - start > LONGEST_COMPOUND) continue;
    for (const part of text.slice(start, end).split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)) {
      if (part.length > 1) words.add(part.toLowerCase());
    }
  }
}

/** "email" for e-mail, "username" for user_name: two parts of letters, as people also write them in one. */
function addJoinedWords(folded: string, words: Set<string>): void {
  const joint = /[a-z][-_][a-z]/g;
  for (let found = joint.exec(folded); found !== null; found = joint.exec(folded)) {
    let start = found.index;
    let end = joint.lastIndex;
    while (isCompoundUnit(folded.charCodeAt(start - 1))) start--;
    while (isCompoundUnit(folded.charCodeAt(end))) end++;
    joint.lastIndex = end;
    if (end - start > LONGEST_COMPOUND) continue;
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

/** Whether a term says little about what is looked for, in one of the languages that most notes are in. */
export function isStopWord(term: string): boolean {
  return STOP_WORDS.has(term);
}

/** Folded. Left out are those that one may look for in another language: "die", "war", "fur", "van", "era", "os", "todo". */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its
  me my no not of on or our she should so than that the their them then there these they this those to was we were
  what when where which who will with would you your s t d ll re ve m
  aber als am auch auf aus bei bis das dass dem den der des du ein eine einem einen einer eines er es ich
  ihr im ist kein keine mich mir nach nicht noch nur oder sich sie sind uber um und uns vom von vor wenn werden wie wir
  wird zu zum zur
  au aux avec ce ces cette dans de du elle en est et eux il ils je la le les leur lui ma mais meme mes moi mon ne nos
  notre nous ou par pas qu que qui sa se ses si sur ta te tes toi tu un une vos votre vous c j l n y
  al como con cual cuando del desde donde el ella ellos entre esta este esto ha hay las lo los mi mis muy nada ni
  nos o para pero por porque sobre su sus tambien tiene una uno unos yo
  alla alle che ci da dal dalla degli dei del della delle di e gli ho il io loro ma nel nella non per piu
  quella quello questa questo sono sua sul sulla suo tra
  aan dat deze dit een geen heb heeft het hij hun ik je kan maar mijn naar niet nog om ook op te uit voor
  waar wat wel wij zich zij zijn
  ao aos as com da das do ela ele em essa esse eu foi isso mais mas meu minha muito na nao nas no nos num ou
  pela pelo quando quem sao sem seu sua tem um uma voce`.split(/\s+/),
);

/**
 * Other forms of an English word, to look for besides it: plural, -ed, -ing
 * and -ly, from and to each other. Some of them are no words, which costs a
 * look into the vocabulary only. Prefixes are no substitute: of the words of a
 * thousand notes that begin with another one, 73 % are no form of it.
 */
export function stemsOf(term: string): string[] {
  if (!/^[a-z]{4,}$/.test(term) || NO_FORMS.has(term)) return [];
  const bases = basesOf(term).filter((base) => base.length >= 3 && /[aeiouy]/.test(base) && !isStopWord(base));
  const forms = new Set(bases);
  for (const base of bases.length === 0 ? [term] : bases) for (const form of formsOf(base)) forms.add(form);
  forms.delete(term);
  return [...forms];
}

/** They look like a form of a word that means something else. */
const NO_FORMS: ReadonlySet<string> = new Set(
  "news evening being thing nothing something always series species".split(" "),
);

/** The words that a term may be a form of. */
function basesOf(term: string): string[] {
  const without = (ending: number): string => term.slice(0, -ending);
  if (/(?:ied|ies)$/.test(term)) return [`${without(3)}y`, without(1)];
  if (/(?:[sxz]|[cs]h|o)es$/.test(term)) return [without(2), without(1)];
  if (/[^aisu]s$/.test(term)) return [without(1)];
  if (/[^e]ed$/.test(term)) return [without(2), without(1), ...undoubled(without(2))];
  if (term.endsWith("ing")) return [without(3), `${without(3)}e`, ...undoubled(without(3))];
  if (term.endsWith("ily")) return [`${without(3)}y`];
  if (/[a-z]{4}ly$/.test(term)) return [without(2)];
  return [];
}

function formsOf(base: string): string[] {
  if (/[^aeiou]y$/.test(base)) return [`${base.slice(0, -1)}ies`, `${base.slice(0, -1)}ied`, `${base}ing`];
  if (base.endsWith("e")) return [`${base}s`, `${base}d`, `${base.slice(0, -1)}ing`];
  const plural = /(?:[sxz]|[cs]h)$/.test(base) ? `${base}es` : `${base}s`;
  // "planned", "running": one vowel before one consonant.
  const verb = /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(base) ? base + base.at(-1)! : base;
  return [plural, `${verb}ed`, `${verb}ing`];
}

function undoubled(base: string): string[] {
  return /([bdgklmnprt])\1$/.test(base) ? [base.slice(0, -1)] : [];
}
