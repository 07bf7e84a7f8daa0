// Records which parts and messages are stored, and on which page, so that none is stored
// twice. Looked up and written in bulk, since there are many. One object serves
// one transaction. Used by store-writer.ts.
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import type { PartHash } from "../../store/part-hash.ts";

export class SeenMessages {
  readonly #database: IndexDatabase;
  /** The page of each; undefined for what was looked for and is not there. */
  readonly #seen = new Map<PartHash, number | undefined>();
  readonly #added = new Map<bigint, number>();

  constructor(database: IndexDatabase) {
    this.#database = database;
  }

  /** Looks up several at once, for later calls of `pageOf`. */
  look(hashes: readonly PartHash[]): void {
    const asked = hashes.filter((hash) => !this.#seen.has(hash));
    if (asked.length === 0) return;
    for (const hash of asked) this.#seen.set(hash, undefined);
    const rows = this.#database.all(
      "SELECT CAST(hash AS TEXT) AS hash, page FROM known WHERE hash IN (SELECT value FROM json_each(?))",
      `[${asked.join(",")}]`,
    );
    for (const { hash, page } of rows) this.#seen.set(String(hash), Number(page));
  }

  /** The page that has it; undefined where none has. */
  pageOf(hash: PartHash): number | undefined {
    if (!this.#seen.has(hash)) this.look([hash]);
    return this.#seen.get(hash);
  }

  add(hash: PartHash, page: number): void {
    this.#seen.set(hash, page);
    this.#added.set(BigInt(hash), page);
  }

  /** In ascending order, so that neighbours in the table are written together; one by one, since SQLite keeps a journal for a statement that writes several rows. */
  flush(): void {
    const hashes = BigInt64Array.from(this.#added.keys()).sort();
    const rows = Array.from(hashes, (hash): [bigint, number] => [hash, this.#added.get(hash)!]);
    this.#database.runEach("INSERT OR REPLACE INTO known VALUES (?, ?)", rows);
    this.#added.clear();
  }

  forget(): void {
    this.#seen.clear();
  }
}
