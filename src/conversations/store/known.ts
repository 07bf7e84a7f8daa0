// Which parts and messages are in the store, and on which page: so that none
// is taken in twice. Asked and told in bulk, since there are many. One object
// serves one transaction.
import type { IndexDatabase } from "../../index/database.ts";
import type { PartHash } from "./pages.ts";

export class KnownParts {
  readonly #database: IndexDatabase;
  /** Undefined for what is known not to be there. */
  readonly #pages = new Map<PartHash, number | undefined>();
  #added: PartHash[] = [];

  constructor(database: IndexDatabase) {
    this.#database = database;
  }

  /** Looks for several at once: whoever asks for one of them afterwards need not wait. */
  look(hashes: readonly PartHash[]): void {
    const asked = hashes.filter((hash) => !this.#pages.has(hash));
    if (asked.length === 0) return;
    for (const hash of asked) this.#pages.set(hash, undefined);
    const rows = this.#database.all(
      "SELECT CAST(hash AS TEXT) AS hash, page FROM known WHERE hash IN (SELECT value FROM json_each(?))",
      `[${asked.join(",")}]`,
    );
    for (const { hash, page } of rows) this.#pages.set(String(hash), Number(page));
  }

  pageOf(hash: PartHash): number | undefined {
    this.look([hash]);
    return this.#pages.get(hash);
  }

  add(hash: PartHash, page: number): void {
    this.#pages.set(hash, page);
    this.#added.push(hash);
  }

  /** In their order, so that neighbours in the table are written one after the other; one by one, since SQLite keeps a journal for a statement that writes several. */
  flush(): void {
    const hashes = BigInt64Array.from(new Set(this.#added), BigInt).sort();
    for (const hash of hashes)
      this.#database.run("INSERT OR REPLACE INTO known VALUES (?, ?)", hash, this.#pages.get(String(hash))!);
    this.#added = [];
  }

  forget(): void {
    this.#pages.clear();
  }
}
