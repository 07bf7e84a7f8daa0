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

  flush(): void {
    const byPage = Map.groupBy(new Set(this.#added), (hash) => this.#pages.get(hash)!);
    for (const [page, hashes] of byPage)
      this.#database.run(
        "INSERT OR REPLACE INTO known SELECT value, ? FROM json_each(?)",
        page,
        `[${hashes.join(",")}]`,
      );
    this.#added = [];
  }

  forget(): void {
    this.#pages.clear();
  }
}
