// Writes where words are in the notes of a space: rows of a word and a block of notes.
// Only what changed is written: after a line was added to a note, those are the rows
// of its words. What is new is appended to the rows without reading them. Used by
// index-change.ts.
import type { Turns } from "../../../kernel/kernel.ts";
import type { TaggedQuery } from "../../../postgres/postgres.ts";
import {
  BLOCK_SIZE,
  type Entry,
  type NewTexts,
  occurrencesIn,
  packBlock,
  unpackBlock,
} from "../../../search/search.ts";
import type { WordChanges } from "./stored-words.ts";

export interface TextChange {
  readonly ordinal: number;
  /** The words whose places are others than before; undefined for those that it no longer has. */
  readonly entries: ReadonlyMap<string, Entry | undefined>;
  /** In words; negative if it is not found by them. */
  readonly length: number;
  readonly file: number;
  readonly modified: number;
}

/** Rows that one statement reads or writes. */
const ROWS_AT_ONCE = 4_000;
const BYTES_AT_ONCE = 8 * 1024 * 1024;

/** Of a block and a word: by text of the block, what it has of the word now. */
type BlockChange = Map<number, Entry | undefined>;

interface WrittenRow {
  readonly term: string;
  readonly block: number;
  readonly counts: Buffer;
  readonly places: Buffer;
}

/** Replaces what notes that were indexed before have of some words. */
export async function changePlaces(
  sql: TaggedQuery,
  space: number,
  changes: readonly TextChange[],
  words: WordChanges,
  turns: Turns,
): Promise<void> {
  for (const [block, inBlock] of Map.groupBy(changes, ({ ordinal }) => Math.floor(ordinal / BLOCK_SIZE))) {
    const byTerm = new Map<string, BlockChange>();
    const changeOf = (term: string) => {
      const change = byTerm.get(term) ?? new Map<number, Entry | undefined>();
      byTerm.set(term, change);
      return change;
    };
    for (const { ordinal, entries } of inBlock) {
      for (const [term, entry] of entries) changeOf(term).set(ordinal % BLOCK_SIZE, entry);
      if (turns.isOver()) await turns.next();
    }
    // In order: rows of one page of the index are written together.
    const terms = [...byTerm.keys()].sort();
    for (let from = 0; from < terms.length; from += ROWS_AT_ONCE) {
      const some = terms.slice(from, from + ROWS_AT_ONCE);
      const stored = await storedRows(sql, space, block, some);
      await writeRows(sql, space, block, changedRows(some, byTerm, stored, block, words));
      if (turns.isOver()) await turns.next();
    }
  }
}

/**
 * Adds notes that were not indexed before.
 * @param isFirst whether the block has no notes yet
 */
export async function addPlaces(
  sql: TaggedQuery,
  space: number,
  block: number,
  texts: NewTexts,
  isFirst: boolean,
  turns: Turns,
): Promise<void> {
  const append = `ON CONFLICT (space, term, block) DO UPDATE
    SET counts = known.counts || excluded.counts, places = known.places || excluded.places`;
  for (const { terms, bytes, starts, middles, ends } of texts.rows({ words: ROWS_AT_ONCE, bytes: BYTES_AT_ONCE })) {
    // The bytes of all rows as one value: an array of values of bytes would be sent as text.
    await sql.run(
      `INSERT INTO commonplace.note_place AS known (space, block, term, counts, places)
       SELECT $1, $2, term, substring($3::bytea FROM start + 1 FOR middle - start),
         substring($3::bytea FROM middle + 1 FOR "end" - middle)
       FROM unnest($4::text[], $5::int[], $6::int[], $7::int[]) AS packed (term, start, middle, "end")
       ${isFirst ? "" : append}`,
      [space, block, Buffer.from(bytes.buffer), terms, starts, middles, ends],
    );
    if (turns.isOver()) await turns.next();
  }
}

async function storedRows(sql: TaggedQuery, space: number, block: number, terms: readonly string[]) {
  const rows = await sql`
    SELECT term, counts, places FROM commonplace.note_place
    WHERE space = ${space} AND term = ANY(${terms}::text[]) AND block = ${block}`;
  return new Map(
    rows.map((row) => [
      String(row["term"]),
      unpackBlock({ counts: row["counts"] as Buffer, places: row["places"] as Buffer }),
    ]),
  );
}

/** Rows without texts are to be deleted. Counts what changes of each word. */
function changedRows(
  terms: readonly string[],
  changes: ReadonlyMap<string, BlockChange>,
  stored: ReadonlyMap<string, Map<number, Entry>>,
  block: number,
  words: WordChanges,
): WrittenRow[] {
  const written: WrittenRow[] = [];
  for (const term of terms) {
    const entries = stored.get(term) ?? new Map<number, Entry>();
    for (const [text, now] of changes.get(term)!) {
      const before = entries.get(text);
      words.add(
        term,
        Number(now !== undefined) - Number(before !== undefined),
        (now === undefined ? 0 : occurrencesIn(now)) - (before === undefined ? 0 : occurrencesIn(before)),
      );
      if (now === undefined) entries.delete(text);
      else entries.set(text, now);
    }
    const { counts, places } = packBlock(entries);
    written.push({ term, block, counts: Buffer.from(counts), places: Buffer.from(places) });
  }
  return written;
}

async function writeRows(sql: TaggedQuery, space: number, block: number, rows: readonly WrittenRow[]): Promise<void> {
  const empty = rows.filter(({ counts }) => counts.length === 0).map(({ term }) => term);
  if (empty.length > 0)
    await sql`
      DELETE FROM commonplace.note_place WHERE space = ${space} AND term = ANY(${empty}::text[]) AND block = ${block}`;
  let some: WrittenRow[] = [];
  let size = 0;
  const flush = async () => {
    if (some.length > 0)
      await sql`
        INSERT INTO commonplace.note_place (space, block, term, counts, places)
        SELECT ${space}, ${block}, * FROM unnest(${some.map(({ term }) => term)}::text[],
          ${some.map(({ counts }) => counts)}::bytea[], ${some.map(({ places }) => places)}::bytea[])
        ON CONFLICT (space, term, block) DO UPDATE SET counts = excluded.counts, places = excluded.places`;
    some = [];
    size = 0;
  };
  for (const row of rows) {
    if (row.counts.length === 0) continue;
    some.push(row);
    size += row.counts.length + row.places.length;
    if (size > BYTES_AT_ONCE) await flush();
  }
  await flush();
}
