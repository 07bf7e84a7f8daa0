// What the index knows of a vault's files, for a sweep to compare with the
// disk. Every sweep asks for all of it, so a file takes numbers in arrays here
// and hardly an object: at 100,000 files the objects cost more than the disk.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexDatabase, Row } from "../../sqlite/sqlite.ts";
import type { Version } from "../../search/search.ts";

export interface Known {
  readonly version: Version;
  /** Of the content, where the version alone may not tell the next change. */
  readonly hash: string | undefined;
  /** Why the file could not be read. */
  readonly unread: string | undefined;
}

/** Rows at a time: they are gone before the memory for what is new is full. */
const ROWS = 4000;
const COLUMNS = "SELECT id, path, size, mtime, inode, hash, unread FROM document";

/** A path, and the bounds between which every path below it lies. */
export function rangeOf(path: string): [path: string, first: string, end: string] {
  // "0" is the character after the slash.
  return [path, `${path}/`, `${path}0`];
}

export class KnownFiles {
  readonly #places = new Map<string, number>();
  /** Size, time and inode of each file. */
  #numbers = new Float64Array(3 * ROWS);
  /** Of the few files that have one. */
  readonly #hashes = new Map<number, string>();
  readonly #unread = new Map<number, string>();
  #isMet = new Uint8Array();

  /** @param within only what is at or below these paths */
  static async read(database: IndexDatabase, within: readonly string[] | undefined): Promise<KnownFiles> {
    const files = new KnownFiles();
    for (const path of within ?? []) {
      for (const row of database.all(`${COLUMNS} WHERE path = ?`, path)) files.#add(row);
      const [, first, end] = rangeOf(path);
      for (let last = first, isMore = true; isMore;) {
        const rows = database.all(`${COLUMNS} WHERE path > ? AND path < ? ORDER BY path LIMIT ${ROWS}`, last, end);
        for (const row of rows) files.#add(row);
        isMore = rows.length === ROWS;
        last = String(rows.at(-1)?.["path"] ?? "");
        if (isMore) await nextTurn();
      }
    }
    for (let last = 0, isMore = within === undefined; isMore;) {
      const rows = database.all(`${COLUMNS} WHERE id > ? ORDER BY id LIMIT ${ROWS}`, last);
      for (const row of rows) files.#add(row);
      isMore = rows.length === ROWS;
      last = Number(rows.at(-1)?.["id"] ?? 0);
      await nextTurn();
    }
    files.#isMet = new Uint8Array(files.#places.size);
    return files;
  }

  get(path: string): Known | undefined {
    const place = this.#places.get(path);
    if (place === undefined) return undefined;
    const [size = 0, mtime = 0, inode = 0] = this.#numbers.subarray(3 * place, 3 * place + 3);
    return { version: { size, mtime, inode }, hash: this.#hashes.get(place), unread: this.#unread.get(place) };
  }

  /**
   * To be called for each file that is there.
   * @returns "again" for one that was met before; "same" where it looks as it
   *   did when it was read, and was old enough then for that to tell
   */
  meet(path: string, { size, mtime, inode }: Version): "unknown" | "same" | "perhaps other" | "again" {
    const place = this.#places.get(path);
    if (place === undefined) return "unknown";
    if (this.#isMet[place] === 1) return "again";
    this.#isMet[place] = 1;
    const at = 3 * place;
    const looksSame = this.#numbers[at] === size && this.#numbers[at + 1] === mtime && this.#numbers[at + 2] === inode;
    return looksSame && !this.#hashes.has(place) && !this.#unread.has(place) ? "same" : "perhaps other";
  }

  /** What is known and was not met. */
  missed(): string[] {
    const paths: string[] = [];
    for (const [path, place] of this.#places) if (this.#isMet[place] === 0) paths.push(path);
    return paths;
  }

  #add(row: Row): void {
    const path = String(row["path"]);
    const place = this.#places.get(path) ?? this.#places.size;
    this.#places.set(path, place);
    if (3 * place === this.#numbers.length) {
      const numbers = new Float64Array(2 * this.#numbers.length);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[3 * place] = Number(row["size"]);
    this.#numbers[3 * place + 1] = Number(row["mtime"]);
    this.#numbers[3 * place + 2] = Number(row["inode"]);
    if (row["hash"] !== null) this.#hashes.set(place, String(row["hash"]));
    if (row["unread"] !== null) this.#unread.set(place, String(row["unread"]));
  }
}
