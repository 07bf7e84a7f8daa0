// A list in a result of which only a part is made: the page that is sent. Used
// by tools whose whole answer would be far longer than any page.

export class LazyList<S = unknown> {
  readonly length: number;
  readonly #from: (start: number) => Iterable<S>;
  readonly #show: (source: S) => unknown;

  /**
   * @param from what the items are made of, from this one on
   * @param show makes one
   */
  constructor(length: number, from: (start: number) => Iterable<S>, show: (source: S) => unknown) {
    this.length = length;
    this.#from = from;
    this.#show = show;
  }

  slice(start: number, end = this.length): unknown[] {
    const items: unknown[] = [];
    if (start >= Math.min(end, this.length)) return items;
    for (const source of this.#from(start)) {
      items.push(this.#show(source));
      if (start + items.length >= end) break;
    }
    return items;
  }
}
