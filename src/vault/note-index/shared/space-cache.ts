// What this process has read of the index of a space, as of a number of the index: for
// the next search of any member. Which space it is, and whether the asking member is in
// it, is asked each time; nothing of it is shown otherwise. Used by shared-note-index.ts.
import type { Row, TaggedQuery } from "../../../postgres/postgres.ts";
import {
  countsIn,
  endOf,
  type Known,
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
      beginning: async (beginning) => (await knownWords(sql, space, [], beginning)).map(({ term }) => term),
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
    if (this.#size > MOST_CACHED) this.#forget();
    const byTerm = Map.groupBy(rows, (row) => String(row["term"]));
    for (const term of missing) {
      const blocks = (byTerm.get(term) ?? []).map(blockIn);
      if (what === "counts") {
        const counts = countsIn(blocks);
        this.#size += counts.texts.length + counts.counts.length;
        this.#counts.set(term, counts);
      } else {
        const places = placesIn(blocks);
        this.#size += 2 * places.texts.length;
        this.#places.set(term, places);
      }
    }
  }

  #forget(): void {
    this.#counts.clear();
    this.#places.clear();
    this.#size = 0;
  }
}

function blockIn({ block, counts, places }: Row) {
  return { block: Number(block), counts: counts as Buffer, places: (places ?? EMPTY) as Buffer };
}

const EMPTY = Buffer.alloc(0);

function chosen<T>(known: ReadonlyMap<string, T>, terms: readonly string[]): Map<string, T> {
  return new Map(terms.flatMap((term) => (known.has(term) ? [[term, known.get(term)!] as const] : [])));
}

/** Words of a space: these, and those that begin so. */
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
          SELECT term, texts, occurrences FROM commonplace.note_word
          WHERE space = ${space} AND (term = ANY(${terms}) OR (term >= ${beginning} AND term < ${endOf(beginning)})) ORDER BY term`;
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
