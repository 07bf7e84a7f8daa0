// Finds rows by their ids as they are written in the source, without a string
// for each: a table of 100,000 strings took as long to build as a third of the
// scan. Used for OmniOutliner 5, where every row names its parent by id.

const EMPTY = -1;

export class IdTable {
  readonly #bytes: Uint8Array;
  readonly #startOf: (item: number) => number;
  readonly #endOf: (item: number) => number;
  readonly #slots: Int32Array;

  constructor(bytes: Uint8Array, count: number, startOf: (item: number) => number, endOf: (item: number) => number) {
    this.#bytes = bytes;
    this.#startOf = startOf;
    this.#endOf = endOf;
    // At most half full, so that a look ends soon.
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2))).fill(EMPTY);
  }

  /** @returns the item that has this id already, or the item itself */
  add(item: number): number {
    const slot = this.#slotOf(this.#bytes, this.#startOf(item), this.#endOf(item));
    const there = this.#slots[slot]!;
    if (there !== EMPTY) return there;
    this.#slots[slot] = item;
    return item;
  }

  /** The item with the id at these offsets; undefined where there is none. */
  find(bytes: Uint8Array, start: number, end: number): number | undefined {
    const item = this.#slots[this.#slotOf(bytes, start, end)]!;
    return item === EMPTY ? undefined : item;
  }

  /** Where this id is, or would be. */
  #slotOf(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let item = this.#slots[slot]!; item !== EMPTY; item = this.#slots[slot]!) {
      if (this.#isId(item, bytes, start, end)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #isId(item: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#startOf(item);
    if (this.#endOf(item) - own !== end - start) return false;
    for (let at = 0; at < end - start; at++) if (this.#bytes[own + at] !== bytes[start + at]) return false;
    return true;
  }
}
