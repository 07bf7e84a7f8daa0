// Folds a text for comparison: case, diacritics, width, ligatures, quotes and
// dashes. Used for everything that is indexed, queried or compared, so that all
// agree on what is the same spelling.
import { lastAtMost } from "../../markdown/markdown.ts";

/** The text with one spelling for each character. */
export function foldForSearch(text: string): string {
  return fold(text);
}

export interface FoldedText {
  readonly folded: string;
  /** The offset in the text of an offset in the folded text, including its end. */
  readonly sourceAt: (position: number) => number;
}

/** The folded text, with a mapping to the offsets of the original. */
export function foldWithOffsets(text: string): FoldedText {
  // The offsets in both texts at each change of length; between two of them, both advance equally.
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

const NOT_ASCII = /[^\0-\x7F]/;

/**
 * Characters that folding may change, apart from case, with their marks. Excluded,
 * for speed, are letters that never change: Greek, Cyrillic, Hebrew and Arabic
 * letters without marks, Thai consonants, kana, Han and Hangul syllables. Jamo
 * compose with each other and with a syllable before them, and vowels of Kirat Rai
 * with each other, so they are matched together; bounded, since the regular
 * expression engine overflows on millions.
 */
const FOLDABLE =
  /[\uAC00-\uD7A3]?[\u1100-\u11FF\u3131-\u318E\u3200-\u321E\u3260-\u327E\uA960-\uA97F\uD7B0-\uD7FF\uFFA0-\uFFDC]{1,999}\p{M}{0,99}|[\u{16D63}\u{16D67}\u{16D69}]\u{16D67}{1,2}|[\u3041-\u3096\u30A1-\u30FA][\u3099\u309A\uFF9E\uFF9F]\p{M}{0,99}|[[^\0-\x7F]--[\u03B1-\u03C1\u03C3-\u03C9\u0430-\u0438\u043A-\u044F\u05D0-\u05EA\u0627-\u063A\u0641-\u064A\u0E01-\u0E30\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3]][\p{M}\uFF9E\uFF9F]{0,99}/vy;

type OnChange = (at: number, length: number, foldedLength: number) => void;

function fold(text: string, onChange?: OnChange): string {
  // The only letter whose lower case is longer.
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

/** Returns whether a unit is never folded, whatever follows. True for most, so the slower test is for the rest. */
function isUnchanging(unit: number): boolean {
  return (
    unit < 0x80 ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0x0e01 && unit <= 0x0e30) ||
    (unit >= 0x0430 && unit <= 0x044f && unit !== 0x0439) ||
    (unit >= 0x03b1 && unit <= 0x03c9 && unit !== 0x03c2)
  );
}

/** The characters at this offset that are folded together; undefined if none are folded. */
function clusterAt(lower: string, at: number): string | undefined {
  const unit = lower.charCodeAt(at);
  if (unit < 0x0300 && lower.charCodeAt(at + 1) < 0x0300) return lower.charAt(at);
  FOLDABLE.lastIndex = at;
  return FOLDABLE.exec(lower)?.[0];
}

/** A cache: notes repeat the same few accented letters and quotes. */
const foldedClusters = new Map<string, string>();
const MAX_CLUSTERS = 10_000;

function foldCluster(cluster: string): string {
  const known = foldedClusters.get(cluster);
  if (known !== undefined) return known;
  const folded = cluster
    .normalize("NFKD")
    .toLowerCase()
    .replace(IGNORED, "")
    .replace(RESPELLED, (character) => SPELLINGS.get(character) ?? character)
    .normalize("NFC");
  if (foldedClusters.size < MAX_CLUSTERS) foldedClusters.set(cluster, folded);
  return folded;
}

/** Diacritics, vowel points and invisible characters; not the signs of Indic scripts, Thai and kana, which distinguish words. */
const IGNORED =
  /[[\p{M}&&[\p{sc=Inherited}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]]--[\u3099\u309A]]|[\u00AD\u0640\u2060\uFEFF]|\u200C|\u200D/gv;

/** Letters without a decomposition that people type without their strokes; quotes and dashes. */
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
    "'": "‘’‚‛′‵ʼʹ´",
    '"': "“”„‟«»″‶",
    "-": "‐‑‒–—―−⁃",
    "/": "⁄∕",
  }).flatMap(([plain, characters]) => [...characters].map((character): [string, string] => [character, plain])),
);
const RESPELLED = new RegExp(`[${[...SPELLINGS.keys()].join("")}]`, "gu");
