// In how many notes of a space each word is, and how often: collected while notes are
// indexed, and written once at the end of a transaction, since most words are in every
// block. Used by index-change.ts and stored-places.ts.
import type { TaggedQuery } from "../../../postgres/postgres.ts";

/** Rows that one statement writes. */
const ROWS_AT_ONCE = 4_000;

export class WordChanges {
  readonly #changes = new Map<string, { texts: number; occurrences: number }>();

  add(term: string, texts: number, occurrences: number): void {
    const known = this.#changes.get(term);
    if (known === undefined) return void this.#changes.set(term, { texts, occurrences });
    known.texts += texts;
    known.occurrences += occurrences;
  }

  async write(sql: TaggedQuery, space: number): Promise<void> {
    // In order: rows of one page of the index are written together.
    const changed = [...this.#changes].sort(([one], [other]) => (one < other ? -1 : 1));
    for (let from = 0; from < changed.length; from += ROWS_AT_ONCE) {
      const some = changed.slice(from, from + ROWS_AT_ONCE);
      await sql`
        INSERT INTO commonplace.note_word AS known (space, term, texts, occurrences)
        SELECT ${space}, * FROM unnest(${some.map(([term]) => term)}::text[], ${some.map(([, { texts }]) => texts)}::bigint[],
          ${some.map(([, { occurrences }]) => occurrences)}::bigint[])
        ON CONFLICT (space, term) DO UPDATE
          SET texts = known.texts + excluded.texts, occurrences = known.occurrences + excluded.occurrences`;
    }
    const fewer = changed.filter(([, { texts }]) => texts < 0).map(([term]) => term);
    if (fewer.length > 0)
      await sql`DELETE FROM commonplace.note_word WHERE space = ${space} AND term = ANY(${fewer}::text[]) AND texts <= 0`;
  }
}
