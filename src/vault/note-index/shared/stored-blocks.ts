// The lengths, files and times of the notes of a space, by their ordinals: what a
// search needs of every note that it finds. Kept in memory, and after a change only
// the blocks that changed are read. Used by index-change.ts and space-cache.ts.
import type { Row, TaggedQuery } from "../../../postgres/postgres.ts";
import { BLOCK_SIZE } from "../../../search/search.ts";
import type { TextChange } from "./stored-places.ts";

/** Bytes for a document: its file, its time, its length. */
const SIZE = 20;

export async function changeBlocks(
  sql: TaggedQuery,
  space: number,
  number: number,
  changes: readonly TextChange[],
): Promise<void> {
  for (const [block, inBlock] of Map.groupBy(changes, ({ ordinal }) => Math.floor(ordinal / BLOCK_SIZE))) {
    const [row] = await sql`SELECT documents FROM commonplace.note_block WHERE space = ${space} AND block = ${block}`;
    const bytes = row === undefined ? Buffer.alloc(BLOCK_SIZE * SIZE) : (row["documents"] as Buffer);
    for (const { ordinal, file, modified, length } of inBlock) {
      const at = (ordinal % BLOCK_SIZE) * SIZE;
      bytes.writeDoubleLE(file, at);
      bytes.writeDoubleLE(modified, at + 8);
      bytes.writeInt32LE(length, at + 16);
    }
    await sql`
      INSERT INTO commonplace.note_block (space, block, number, documents) VALUES (${space}, ${block}, ${number}, ${bytes})
      ON CONFLICT (space, block) DO UPDATE SET number = excluded.number, documents = excluded.documents`;
  }
}

/** By ordinal. */
export class StoredDocuments {
  files = new Float64Array(0);
  times = new Float64Array(0);
  /** In words; negative for what is not found by them. */
  lengths = new Int32Array(0);
  #number = 0;

  /** Reads what changed since. */
  async read(sql: TaggedQuery, space: number): Promise<void> {
    const rows = await sql`
      SELECT block, number, documents FROM commonplace.note_block WHERE space = ${space} AND number > ${this.#number}`;
    for (const row of rows) this.#add(row);
  }

  #add({ block, number, documents }: Row): void {
    const first = Number(block) * BLOCK_SIZE;
    this.#reserve(first + BLOCK_SIZE);
    const bytes = documents as Buffer;
    for (let i = 0; i < BLOCK_SIZE; i++) {
      this.files[first + i] = bytes.readDoubleLE(i * SIZE);
      this.times[first + i] = bytes.readDoubleLE(i * SIZE + 8);
      this.lengths[first + i] = bytes.readInt32LE(i * SIZE + 16);
    }
    this.#number = Math.max(this.#number, Number(number));
  }

  #reserve(size: number): void {
    if (size <= this.files.length) return;
    const [files, times, lengths] = [new Float64Array(size), new Float64Array(size), new Int32Array(size)];
    files.set(this.files);
    times.set(this.times);
    lengths.set(this.lengths);
    [this.files, this.times, this.lengths] = [files, times, lengths];
  }
}
