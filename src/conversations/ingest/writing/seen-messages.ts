// Records which parts and messages are stored, and on which page, so that none is stored
// twice. Looked up and written in bulk, since there are many. One object serves
// one transaction. Used by store-writer.ts.
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import type { PartHash } from "../../store/part-hash.ts";

/** A Bloom filter with one bit per hash, of what was added to a store that was empty at first. */
class AddedParts {
  readonly #bits = new Uint8Array(1 << 20);

  add(hash: PartHash): void {
    const place = placeOf(hash);
    this.#bits[place >>> 3]! |= 1 << (place & 7);
  }

  mayHave(hash: PartHash): boolean {
    const place = placeOf(hash);
    return (this.#bits[place >>> 3]! & (1 << (place & 7))) !== 0;
  }
}

/** From the last digits of the hash. */
function placeOf(hash: PartHash): number {
  return Number(hash.slice(-9)) & 0x7f_ffff;
}

const ADDED = new WeakMap<IndexDatabase, { readonly others: string; readonly parts: AddedParts | undefined }>();

/**
 * While a store is filled for the first time, nearly every hash is new, and
 * need not be looked up. Undefined if the store may have more than this process
 * has added.
 */
function addedTo(database: IndexDatabase): AddedParts | undefined {
  const others = database.versionOfOthers();
  const before = ADDED.get(database);
  if (before?.others === others) return before.parts;
  const isEmpty = database.get("SELECT 1 FROM known LIMIT 1") === undefined;
  const parts = isEmpty ? new AddedParts() : undefined;
  ADDED.set(database, { others, parts });
  return parts;
}

export class SeenMessages {
  readonly #database: IndexDatabase;
  readonly #all: AddedParts | undefined;
  /** The page of each; undefined for what was looked for and is not there. */
  readonly #seen = new Map<PartHash, number | undefined>();
  readonly #added = new Map<bigint, number>();

  constructor(database: IndexDatabase) {
    this.#database = database;
    this.#all = addedTo(database);
  }

  /** Returns whether most are looked up in the table, where looking up several at once costs less. */
  get isInTable(): boolean {
    return this.#all === undefined;
  }

  /** Looks up several at once, for later calls of `pageOf`. */
  look(hashes: readonly PartHash[]): void {
    const asked = hashes.filter((hash) => !this.#seen.has(hash));
    if (asked.length === 0) return;
    for (const hash of asked) this.#seen.set(hash, undefined);
    const all = this.#all;
    const perhaps = all === undefined ? asked : asked.filter((hash) => all.mayHave(hash));
    if (perhaps.length === 0) return;
    const rows = this.#database.all(
      "SELECT CAST(hash AS TEXT) AS hash, page FROM known WHERE hash IN (SELECT value FROM json_each(?))",
      `[${perhaps.join(",")}]`,
    );
    for (const { hash, page } of rows) this.#seen.set(String(hash), Number(page));
  }

  /** The page that has it; undefined where none has. */
  pageOf(hash: PartHash): number | undefined {
    const page = this.#seen.get(hash);
    if (page !== undefined || this.#all?.mayHave(hash) === false) return page;
    if (!this.#seen.has(hash)) this.look([hash]);
    return this.#seen.get(hash);
  }

  add(hash: PartHash, page: number): void {
    this.#seen.set(hash, page);
    this.#added.set(BigInt(hash), page);
    this.#all?.add(hash);
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
