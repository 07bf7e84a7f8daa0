// The meanings of words by the table of word vectors that ships with the program: the words of
// a query, and how near passages are to them word by word. Used by meanings.ts.
import { readBytes } from "../../files/files.ts";
import type { Log } from "../../kernel/kernel.ts";
import {
  type Found,
  isKnownWord,
  isStopWord,
  type MeantWord,
  meantWords,
  nearnessOf,
  type SearchQuery,
  wordTableIn,
  type WordTable,
} from "../../search/search.ts";
import { type NearNote, type Sought, untilCounted } from "./passage-vectors.ts";

/** How many of the nearest are compared word by word. */
export const COMPARED = 30;
/** How much the nearest single words count, against the passage as a whole. */
const WORD_WEIGHT = 1;
const MIN_SHOWN = 0.36;

/** By file, for all indexes of a process: a server has one for each of its members. */
const TABLES = new Map<string, WordTable>();

export class WordMeanings {
  readonly #file: string | undefined;
  readonly #log: Log;
  #isMissing = false;

  /** @param file the table of word vectors; undefined if meaning is turned off */
  constructor(file: string | undefined, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  /** Read on first use. */
  table(): WordTable | undefined {
    if (this.#file === undefined || this.#isMissing) return undefined;
    try {
      const table = TABLES.get(this.#file) ?? wordTableIn(readBytes(this.#file));
      TABLES.set(this.#file, table);
      return table;
    } catch (error) {
      this.#isMissing = true;
      this.#log(`notes are not searched by meaning: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /**
   * The query with mistyped words as they are meant: those that notes near in meaning are looked for with. A word that
   * the table knows is not mistyped, though no note here has it.
   */
  queryMeant(query: SearchQuery, corrections: Found["corrections"]): SearchQuery {
    const table = this.table();
    if (table === undefined || corrections === undefined || corrections.size === 0) return query;
    const meant = (word: string) => (isKnownWord(table, word) ? word : (corrections.get(word)?.[0] ?? word));
    return { ...query, words: query.words.map(meant) };
  }
}

/** The words of a query, which count by how rare they are here. */
export function wordsMeant(
  table: WordTable,
  { words }: Pick<SearchQuery, "words">,
  documentsWith: (term: string) => number,
  documents: number,
): MeantWord[] {
  return meantWords(
    table,
    words.filter((word) => !isStopWord(word)),
    (term) => Math.log(1 + (documents + 1) / (documentsWith(term) + 1)),
  );
}

/** The nearest of these notes, once the words of their passages are compared with those of the query. */
export function comparedByWords<N extends NearNote>(
  table: WordTable,
  words: readonly MeantWord[],
  nearest: readonly N[],
  textOf: (note: N) => string,
  sought: Pick<Sought, "uncounted" | "count">,
): N[] {
  const compared = nearest
    .map((note) => {
      const passage = `${note.title} ${textOf(note).slice(note.start, note.end)}`;
      const nearness = (note.nearness + WORD_WEIGHT * nearnessOf(table, words, passage)) / (1 + WORD_WEIGHT);
      return { ...note, nearness: Math.round(nearness * 100) / 100 };
    })
    .toSorted((a, b) => b.nearness - a.nearness)
    .filter(({ nearness }) => nearness >= MIN_SHOWN);
  return untilCounted(compared, sought);
}

/** The sentence of a passage that is nearest to the words, and those after it. */
export function bestSentenceIn(table: WordTable, passage: string, words: readonly MeantWord[]): string {
  let best = 0;
  let bestNearness = -1;
  for (const found of passage.matchAll(/(?<=^|[.!?]\s+|\n\n)\S[^.!?]*/g)) {
    const nearness = nearnessOf(table, words, found[0]);
    if (nearness <= bestNearness) continue;
    bestNearness = nearness;
    best = found.index;
  }
  return passage.slice(best);
}
