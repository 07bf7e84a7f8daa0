// A list of any length that renders only the rows that are visible. Rows may have
// any height: it is estimated first, and measured once the row is rendered.
import type { ComponentChildren, Ref } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { RowHeights } from "./row-heights.ts";

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** In pixels. */
  readonly estimateHeight: (item: T) => number;
  readonly render: (item: T, index: number) => ComponentChildren;
  readonly control?: Ref<ListControl>;
}

export interface ListControl {
  readonly scrollTo: (index: number, where?: "nearest" | "center") => void;
}

/** How far beyond the window rows are rendered, so that scrolling shows no gaps; in pixels. */
const OVERSCAN = 600;
/** Heights of what covers the window's edges: the search field and the tools of a tree, and on a phone the navigation. */
const COVERED_ABOVE = 140;
const COVERED_BELOW = 80;

export function VirtualList<T>({ items, keyOf, estimateHeight, render, control }: VirtualListProps<T>) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const list = useRef<HTMLDivElement>(null);
  const measured = useRef(new Map<string, number>()).current;
  const heights = useMemo(
    () => new RowHeights(items.length, (i) => measured.get(keyOf(items[i]!)) ?? estimateHeight(items[i]!)),
    [items],
  );
  const top = list.current === null ? 0 : list.current.getBoundingClientRect().top;
  const first = heights.indexAt(Math.max(0, -top - OVERSCAN));
  const last = heights.indexAt(Math.max(0, innerHeight - top + OVERSCAN));
  const shown = items.slice(first, last + 1);

  useEffect(() => {
    let isScheduled = false;
    const onMove = () => {
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(() => {
        isScheduled = false;
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

  // The position of the list is known only after the first render.
  useLayoutEffect(() => redraw(undefined), []);

  useLayoutEffect(() => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-index]") ?? [])];
    let hasChanged = false;
    let above = 0;
    for (const row of rows) {
      const index = Number(row.dataset["index"]);
      const item = items[index];
      const { height, bottom } = row.getBoundingClientRect();
      if (item === undefined || height === 0 || Math.abs(height - heights.heightOf(index)) < 0.5) continue;
      measured.set(keyOf(item), height);
      const difference = heights.set(index, height);
      if (bottom < 0) above += difference;
      hasChanged = true;
    }
    // Keeps the visible rows where they are when rows above them turn out higher or lower than estimated.
    if (above !== 0) scrollBy(0, above);
    if (hasChanged) redraw(undefined);
  });

  useImperativeHandle(
    control ?? null,
    () => ({
      scrollTo: (index, where = "nearest") => {
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
