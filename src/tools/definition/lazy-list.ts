// A list in a result of which only the requested page is made. Used by tools
// whose whole answer would be far longer than any page.

export class LazyList<Item> {
  readonly length: number;
  readonly #from: (start: number) => Iterable<Item>;

  /** @param from the items from this one on; only as many are taken as are needed */
  constructor(length: number, from: (start: number) => Iterable<Item>) {
    this.length = length;
    this.#from = from;
  }

  slice(start: number, end = this.length): Item[] {
    const items: Item[] = [];
    if (start >= Math.min(end, this.length)) return items;
    for (const item of this.#from(start)) {
      items.push(item);
      if (start + items.length >= end) break;
    }
    return items;
  }
}

/**
 * A list of which only the requested page was looked for. It ends where a page has fewer items than it could: more may
 * match than can be listed.
 */
export function listWithPage<Item>(
  total: number,
  { start, size }: { readonly start: number; readonly size: number },
  items: readonly Item[],
): LazyList<Item> {
  const length = items.length < size ? start + items.length : total;
  return new LazyList(length, (from) => items.slice(from - start));
}

/** Converts items one by one, when they are asked for. */
export function* mapped<From, To>(items: Iterable<From>, convert: (item: From) => To): Generator<To> {
  for (const item of items) yield convert(item);
}
