// A list of which only what can be seen is in the page, however long it is. Rows
// may have any height: they are guessed first, and measured once they are there.
import type { ComponentChildren, Ref } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { RowHeights } from "./row-heights.ts";

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** A guess, in pixels. */
  readonly guess: (item: T) => number;
  readonly render: (item: T, index: number) => ComponentChildren;
  readonly control?: Ref<ListControl>;
}

export interface ListControl {
  /** Scrolls as little as it takes, or to the middle. */
  readonly show: (index: number, where?: "nearest" | "center") => void;
}

/** Rows beyond the edges of the window, so that scrolling shows no gaps; in pixels. */
const BEYOND = 600;
/** What covers the window's edges: the search field above, on a phone the navigation below. */
const COVERED_ABOVE = 90;
const COVERED_BELOW = 80;

export function VirtualList<T>({ items, keyOf, guess, render, control }: VirtualListProps<T>) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const list = useRef<HTMLDivElement>(null);
  const measured = useRef(new Map<string, number>()).current;
  const heights = useMemo(
    () => new RowHeights(items.length, (i) => measured.get(keyOf(items[i]!)) ?? guess(items[i]!)),
    [items],
  );
  const top = list.current === null ? 0 : list.current.getBoundingClientRect().top;
  const first = heights.indexAt(Math.max(0, -top - BEYOND));
  const last = heights.indexAt(Math.max(0, innerHeight - top + BEYOND));
  const shown = items.slice(first, last + 1);

  useEffect(() => {
    let isAsked = false;
    const onMove = () => {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        redraw(undefined);
      });
    };
    const onResize = () => {
      measured.clear();
      onMove();
    };
    addEventListener("scroll", onMove, { passive: true });
    addEventListener("resize", onResize);
    return () => {
      removeEventListener("scroll", onMove);
      removeEventListener("resize", onResize);
    };
  }, []);

  // The place of the list is known only after the first drawing.
  useLayoutEffect(() => redraw(undefined), []);

  useLayoutEffect(() => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-index]") ?? [])];
    let isOther = false;
    let above = 0;
    for (const row of rows) {
      const index = Number(row.dataset["index"]);
      const item = items[index];
      const { height, bottom } = row.getBoundingClientRect();
      if (item === undefined || height === 0 || Math.abs(height - heights.heightOf(index)) < 0.5) continue;
      measured.set(keyOf(item), height);
      const difference = heights.set(index, height);
      if (bottom < 0) above += difference;
      isOther = true;
    }
    // What is read stays where it is while rows above it turn out higher or lower.
    if (above !== 0) scrollBy(0, above);
    if (isOther) redraw(undefined);
  });

  useImperativeHandle(
    control ?? null,
    () => ({
      show: (index, where = "nearest") => {
        const listTop = scrollY + list.current!.getBoundingClientRect().top;
        const rowTop = listTop + heights.topOf(index);
        const rowEnd = rowTop + heights.heightOf(index);
        if (where === "center") scrollTo(0, rowTop - innerHeight / 3);
        else if (rowTop < scrollY + COVERED_ABOVE) scrollTo(0, rowTop - COVERED_ABOVE);
        else if (rowEnd > scrollY + innerHeight - COVERED_BELOW) scrollTo(0, rowEnd - innerHeight + COVERED_BELOW);
      },
    }),
    [heights],
  );

  return (
    <div ref={list} class="virtual" role="presentation" style={{ height: `${heights.total}px` }}>
      <div class="virtual-window" role="presentation" style={{ transform: `translateY(${heights.topOf(first)}px)` }}>
        {shown.map((item, i) => (
          <div key={keyOf(item)} role="presentation" data-index={first + i}>
            {render(item, first + i)}
          </div>
        ))}
      </div>
    </div>
  );
}
