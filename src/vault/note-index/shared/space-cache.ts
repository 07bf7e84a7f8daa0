// What this process has read of the index of a space, as of a number of the index: for
// the next search of any member. Which space it is, and whether the asking member is in
// it, is asked each time; nothing of it is shown otherwise. Used by shared-note-index.ts.
import type { Row, TaggedQuery } from "../../../postgres/postgres.ts";
import {
  countsIn,
  endOf,
  type Known,
  mergedCounts,
  mergedPlaces,
  MOST_BEGINNING,
  type Places,
  placesIn,
  type StoredWords,
  type WordCounts,
} from "../../../search/search.ts";
import { SharedFileTable } from "./shared-file-table.ts";
import type { SharedVectors } from "./shared-vectors.ts";
import { StoredDocuments } from "./stored-blocks.ts";

/** Numbers of four bytes. */
const MOST_CACHED = 4_000_000;
/** Spaces of which a process remembers something. */
const MOST_SPACES = 20;

export class SpaceCache {
  readonly documents = new StoredDocuments();
  readonly files = new SharedFileTable();
  readonly vectors = new Map<string, SharedVectors>();
  readonly #counts = new Map<string, WordCounts>();
  readonly #places = new Map<string, Places>();
  #size = 0;
  #number = -1;

  /** The words of the index as of a number; those that were read before it are forgotten. */
  async words(sql: TaggedQuery, space: number, number: number): Promise<StoredWords> {
    if (number !== this.#number) {
      this.#forget();
      await this.documents.read(sql, space);
      this.#number = number;
    }
    return {
      counts: async (terms) => {
        await this.#read(sql, space, terms, "counts");
        return chosen(this.#counts, terms);
      },
      places: async (terms) => {
        await this.#read(sql, space, terms, "places");
        return chosen(this.#places, terms);
      },
      begunCounts: (beginning) =>
        this.#begun(this.#counts, beginning, async () =>
          mergedCounts(countsIn(await begunBlocks(sql, space, beginning, "counts"))),
        ),
      begunPlaces: (beginning) =>
        this.#begun(this.#places, beginning, async () =>
          mergedPlaces(placesIn(await begunBlocks(sql, space, beginning, "places"))),
        ),
    };
  }

  async #read(sql: TaggedQuery, space: number, terms: readonly string[], what: "counts" | "places"): Promise<void> {
    const known = what === "counts" ? this.#counts : this.#places;
    const missing = [...new Set(terms)].filter((term) => !known.has(term));
    if (missing.length === 0) return;
    const rows = await sql.run(
      `SELECT term, block, counts${what === "places" ? ", places" : ""} FROM commonplace.note_place
       WHERE space = $1 AND term = ANY($2) ORDER BY term, block`,
      [space, missing],
    );
    this.#makeRoom();
    const byTerm = Map.groupBy(rows, (row) => String(row["term"]));
    for (const term of missing) {
      const blocks = (byTerm.get(term) ?? []).map(blockIn);
      if (what === "counts") this.#keep(this.#counts, term, countsIn(blocks));
      else this.#keep(this.#places, term, placesIn(blocks));
    }
  }

  async #begun<T extends WordCounts | Places>(
    known: Map<string, T>,
    beginning: string,
    read: () => Promise<T>,
  ): Promise<T> {
    // No word has a star.
    const key = `${beginning}*`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = await read();
    this.#makeRoom();
    this.#keep(known, key, found);
    return found;
  }

  #keep<T extends WordCounts | Places>(known: Map<string, T>, key: string, value: T): void {
    this.#size += sizeOf(value);
    known.set(key, value);
  }

  #makeRoom(): void {
    if (this.#size > MOST_CACHED) this.#forget();
  }

  #forget(): void {
    this.#counts.clear();
    this.#places.clear();
    this.#size = 0;
  }
}

function sizeOf(value: WordCounts | Places): number {
  return value.texts.length + ("counts" in value ? value.counts : value.places).length;
}

function joined(column: string): string {
  return `string_agg(${column}, ''::bytea ORDER BY term) AS ${column}`;
}

/** What all words that begin so have of each block, one after the other: one row for each word would take longer. */
async function begunBlocks(sql: TaggedQuery, space: number, beginning: string, what: "counts" | "places") {
  const rows = await sql.run(
    `SELECT block, ${joined("counts")}${what === "places" ? `, ${joined("places")}` : ""} FROM commonplace.note_place
     WHERE space = $1 AND term >= $2 AND term < $3 GROUP BY block ORDER BY block`,
    [space, beginning, endOf(beginning)],
  );
  return rows.map(blockIn);
}

function blockIn({ block, counts, places }: Row) {
  return { block: Number(block), counts: counts as Buffer, places: (places ?? EMPTY) as Buffer };
}

const EMPTY = Buffer.alloc(0);

function chosen<T>(known: ReadonlyMap<string, T>, terms: readonly string[]): Map<string, T> {
  return new Map(terms.flatMap((term) => (known.has(term) ? [[term, known.get(term)!] as const] : [])));
}

/** Words of a space: these, and those that begin so, the most frequent ones if there are more. */
export async function knownWords(
  sql: TaggedQuery,
  space: number,
  terms: readonly string[],
  beginning: string | undefined,
): Promise<Known[]> {
  const rows =
    beginning === undefined
      ? await sql`
          SELECT term, texts, occurrences FROM commonplace.note_word WHERE space = ${space} AND term = ANY(${terms}) ORDER BY term`
      : await sql`
          SELECT term, texts, occurrences FROM commonplace.note_word WHERE space = ${space} AND term = ANY(${terms})
          UNION (SELECT term, texts, occurrences FROM commonplace.note_word
            WHERE space = ${space} AND term >= ${beginning} AND term < ${endOf(beginning)}
            ORDER BY occurrences DESC, term LIMIT ${MOST_BEGINNING})
          ORDER BY term`;
  return rows.map((row) => ({
    term: String(row["term"]),
    documents: Number(row["texts"]),
    count: Number(row["occurrences"]),
  }));
}

const CACHES = new Map<string, SpaceCache>();

/** @param identity of a store and a space in it, which no other space has or had */
export function cacheOf(identity: string): SpaceCache {
  const cache = CACHES.get(identity) ?? new SpaceCache();
  // The least recently used first.
  CACHES.delete(identity);
  CACHES.set(identity, cache);
  for (const oldest of CACHES.keys()) {
    if (CACHES.size <= MOST_SPACES) break;
    CACHES.delete(oldest);
  }
  return cache;
}
