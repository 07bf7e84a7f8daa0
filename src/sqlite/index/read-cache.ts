// A cache of what was read from an index, valid until anything is written to
// it, by any process. Used by searches, which ask for the same again and again.
import type { IndexDatabase } from "./index-database.ts";

interface Contents<K, S, V> {
  /** Reads what values are made from; leaves out keys that do not exist. */
  readonly read: (keys: readonly K[]) => Iterable<readonly [key: K, source: S]>;
  readonly make: (source: S) => V;
  /** Returns whether a value made from `before` is also right for `now`, so that it survives a write elsewhere. By default none is. */
  readonly isSame?: (before: S, now: S) => boolean;
  /** In the same measure as `most`; by default each value counts 1. */
  readonly sizeOf?: (value: V) => number;
  /** Beyond this, what was asked for longest ago is dropped. */
  readonly most: number;
}

interface Cached<S, V> {
  readonly source: S;
  readonly value: V;
  readonly size: number;
  /** The generation in which it was last read or compared. */
  readonly generation: number;
}

export class ReadCache<K, S, V> {
  readonly #database: Pick<IndexDatabase, "version">;
  readonly #contents: Contents<K, S, V>;
  /** Ordered by when they were last asked for. */
  readonly #cached = new Map<K, Cached<S, V>>();
  #version: string | undefined;
  /** Counts the writes that were noticed. */
  #generation = 0;
  #size = 0;

  constructor(database: Pick<IndexDatabase, "version">, contents: Contents<K, S, V>) {
    this.#database = database;
    this.#contents = contents;
  }

  get(key: K): V | undefined {
    return this.of([key]).get(key);
  }

  /** The values of those keys that exist, in the order of the keys. Reads at most once. */
  of(keys: readonly K[]): Map<K, V> {
    const version = this.#database.version();
    if (version !== this.#version) this.#generation++;
    this.#version = version;
    const outdated = keys.filter((key) => this.#cached.get(key)?.generation !== this.#generation);
    if (outdated.length > 0) this.#read(outdated);
    const values = new Map<K, V>();
    for (const key of keys) {
      const cached = this.#cached.get(key);
      if (cached === undefined) continue;
      values.set(key, cached.value);
      this.#cached.delete(key);
      this.#cached.set(key, cached);
    }
    this.#dropOldest();
    return values;
  }

  #read(keys: readonly K[]): void {
    const { read, make, isSame = () => false, sizeOf = () => 1 } = this.#contents;
    const before = new Map(keys.map((key) => [key, this.#cached.get(key)]));
    for (const key of keys) this.#delete(key);
    for (const [key, source] of read(keys)) {
      const old = before.get(key);
      const value = old !== undefined && isSame(old.source, source) ? old.value : make(source);
      const size = sizeOf(value);
      this.#cached.set(key, { source, value, size, generation: this.#generation });
      this.#size += size;
    }
  }

  #dropOldest(): void {
    for (const key of this.#cached.keys()) {
      if (this.#size <= this.#contents.most) return;
      this.#delete(key);
    }
  }

  #delete(key: K): void {
    this.#size -= this.#cached.get(key)?.size ?? 0;
    this.#cached.delete(key);
  }
}
