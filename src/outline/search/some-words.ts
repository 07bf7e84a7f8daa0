// Weighs the rows of an outline that have some of the words of a query, as the full
// text of notes does. Used by ranking.ts.
import {
  type Evidence,
  foldForSearch,
  stemsOf,
  symbolsOf,
  termsOf,
  weigh,
  type WeighedWord,
} from "../../search/search.ts";
import type { Steps } from "../../kernel/kernel.ts";
import type { Row } from "../model.ts";
import { inSteps } from "./row-steps.ts";

const FORM = 0.8;
const LONGER = 0.6;
/** Words of at least this many letters also match as beginnings of longer ones. */
export const MIN_PREFIX_LENGTH = 4;
const NAME_WEIGHT = 1.3;
const MAX_WORDS = 200;
/** Topic and note are not near each other. */
const NOTE = 2 ** 20;

/** Best first. */
export function* weighRows(
  rows: readonly Row[],
  words: readonly string[],
  names: readonly string[],
): Steps<{ readonly best: readonly { readonly row: Row; readonly relevance: number }[]; readonly evidence: Evidence }> {
  const sought = [...new Set(words)].map((term, offset) => new SoughtWord(term, offset, names.includes(term)));
  const lengths = new Int32Array(rows.length);
  let hits = 0;
  let total = 0;
  yield* inSteps(rows, ({ topic, note }, i) => {
    const folded = foldForSearch(note === null ? topic : `${topic}\n${note}`);
    if (!sought.some((word) => word.mayBeIn(folded))) return;
    const places = [...placed(topic, 0), ...placed(note ?? "", NOTE)];
    lengths[i] = places.length;
    total += places.length;
    hits++;
    for (const { term, place } of places) for (const word of sought) word.note(term, i, place);
  });
  const texts = { lengths, count: rows.length, averageLength: total / Math.max(1, hits), weightAt: () => 1 };
  const none = { having: () => new Set<number>(), allowed: (found: readonly number[]) => found };
  const found = weigh(
    sought.map((word) => word.weighed()),
    texts,
    MAX_WORDS,
    none,
  );
  return {
    best: found.best.map(({ text, relevance }) => ({ row: rows[text]!, relevance })),
    evidence: found.evidence,
  };
}

function placed(text: string, first: number): { readonly term: string; readonly place: number }[] {
  return [...termsOf(text), ...symbolsOf(text)].map((term, i) => ({ term, place: first + i }));
}

/** Returns the beginning that all spellings of a word share: a text without it needs no splitting into terms. May be empty. */
export function sharedPart(term: string): string {
  // Terms of other scripts and names like C++ are written in other ways.
  if (!/^[a-z]+$/.test(term) || /^(?:cplusplus|[cf]sharp)$/.test(term)) return "";
  const forms = stemsOf(term);
  let length = term.length;
  while (!forms.every((form) => form.startsWith(term.slice(0, length)))) length--;
  return term.slice(0, length);
}

/** Collects the places of a word and its forms. */
class SoughtWord {
  readonly #term: string;
  readonly #offset: number;
  readonly #weight: number;
  readonly #forms: ReadonlySet<string>;
  readonly #part: string;
  readonly #found = new Map<number, { texts: number[]; places: number[] }>();

  constructor(term: string, offset: number, isName: boolean) {
    this.#term = term;
    this.#offset = offset;
    this.#weight = isName ? NAME_WEIGHT : 1;
    this.#forms = new Set(stemsOf(term));
    this.#part = sharedPart(term);
  }

  mayBeIn(folded: string): boolean {
    return folded.includes(this.#part);
  }

  note(term: string, text: number, place: number): void {
    const share = this.#shareOf(term);
    if (share === 0) return;
    const known = this.#found.get(share) ?? { texts: [], places: [] };
    this.#found.set(share, known);
    known.texts.push(text);
    known.places.push(place);
  }

  #shareOf(term: string): number {
    if (term === this.#term) return 1;
    if (this.#forms.has(term)) return FORM;
    return this.#term.length >= MIN_PREFIX_LENGTH && term.startsWith(this.#term) ? LONGER : 0;
  }

  weighed(): WeighedWord {
    const spellings = [...this.#found].map(([share, { texts, places }]) => ({
      share,
      places: { texts: Int32Array.from(texts), places: Int32Array.from(places) },
    }));
    const texts = new Set(spellings.flatMap(({ places }) => [...places.texts])).size;
    return { term: this.#term, offset: this.#offset, weight: this.#weight, spellings, isPlaced: true, texts };
  }
}
