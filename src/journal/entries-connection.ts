// Opens the database of one journal (entries.ts) on first use, and again if
// another program deletes or moves the file. Used by open-journal.ts.
import { existsSync } from "node:fs";
import { Entries } from "./entries.ts";

export class EntriesFile {
  readonly #path: () => string;
  readonly #log: (message: string) => void;
  #entries: Entries | undefined;
  #isMissed = false;

  /** @param path a function, since the name of the file is a hash: loading SHA-256 takes Node 10 ms */
  constructor(path: () => string, log: (message: string) => void) {
    this.#path = path;
    this.#log = log;
  }

  exists(): boolean {
    return existsSync(this.#path());
  }

  /** The files of the lock were deleted or moved: then so were the entries. */
  miss(): void {
    this.#isMissed = true;
  }

  /** For the holder of the lock: created if missing. */
  open(): Entries {
    if (this.#entries?.isCurrent() === false) {
      this.close();
      this.#isMissed = true;
    }
    if (this.#isMissed) this.#log("the journal was deleted or moved while it was in use: a new one is created");
    this.#isMissed = false;
    this.#entries ??= Entries.open(this.#path());
    return this.#entries;
  }

  /**
   * Reads without the lock; undefined if there is no journal. A change may be in progress, whose connection must
   * stay open, even if its file was replaced.
   */
  read<T>(work: (entries: Entries) => T): T | undefined {
    this.#entries ??= Entries.openExisting(this.#path());
    if (this.#entries?.isCurrent() !== false) return this.#entries && work(this.#entries);
    const other = Entries.openExisting(this.#path());
    if (other === undefined) return undefined;
    const close = () => other.close();
    try {
      const result = work(other);
      if (result instanceof Promise) result.then(close, close);
      else close();
      return result;
    } catch (error) {
      close();
      throw error;
    }
  }

  close(): void {
    this.#entries?.close();
    this.#entries = undefined;
  }
}
