// The vectors of the passages of a space by one model, in memory: after a change only
// what was added is read. Used by shared-meanings.ts, through space-cache.ts.
import type { TaggedQuery } from "../../../postgres/postgres.ts";
import { NearestPassages } from "../../meaning/nearest-passages.ts";

/** Documents that are read at once: few enough to be garbage-collected early. */
const AT_ONCE = 1_000;

export interface StoredModel {
  readonly name: string;
  readonly dimensions: number;
  /** In memory. */
  readonly mostBytes: number;
}

export class SharedVectors {
  #passages = new NearestPassages(0, 0);
  #state = "";
  #last = 0;

  /** By ordinal. */
  async read(sql: TaggedQuery, space: number, { name, dimensions, mostBytes }: StoredModel): Promise<NearestPassages> {
    const [row] = await sql`
      SELECT count(*) AS count, coalesce(max(number), 0) AS last, max(ordinal) AS newest, coalesce(sum(length(passages)) FILTER (WHERE number > ${this.#last}), 0) AS bytes
      FROM commonplace.note_vector WHERE space = ${space} AND model = ${name}`;
    const state = [row!["count"], row!["last"], row!["newest"]].join(" ");
    if (dimensions !== this.#passages.rows.dimensions || Number(row!["last"]) < this.#last) {
      this.#passages = new NearestPassages(dimensions, mostBytes);
      this.#last = 0;
      this.#state = "";
    }
    if (state === this.#state) return this.#passages;
    const { rows } = this.#passages;
    this.#passages.reserve(Number(row!["bytes"]));
    for (let ordinal = -1, number = this.#last + 1; ;) {
      const added = await sql`
        SELECT ordinal, number, passages FROM commonplace.note_vector
        WHERE space = ${space} AND model = ${name} AND number >= ${number} AND (number, ordinal) > (${number}, ${ordinal})
        ORDER BY number, ordinal LIMIT ${AT_ONCE}`;
      for (const one of added) this.#passages.add(Number(one["ordinal"]), one["passages"] as Buffer);
      const last = added.at(-1);
      if (last === undefined) break;
      [number, ordinal] = [Number(last["number"]), Number(last["ordinal"])];
      this.#last = number;
    }
    if (Number(row!["count"]) !== rows.documents.size) {
      const known = await sql`SELECT ordinal FROM commonplace.note_vector WHERE space = ${space} AND model = ${name}`;
      const ordinals = new Set(known.map((one) => Number(one["ordinal"])));
      for (const ordinal of rows.documents.keys()) if (!ordinals.has(ordinal)) rows.remove(ordinal);
    }
    this.#passages.settle();
    this.#state = state;
    return this.#passages;
  }
}
