// Moves a row with a mouse, pen or finger: it goes between the two rows where it
// is dropped, as deep as it was carried to the right. Used by the tree.
import { useRef, useState } from "preact/hooks";
import { dropBetween, type Drop } from "./row-places.ts";
import type { Row, Rows } from "./row-tree.ts";

interface Dragging {
  readonly id: string;
  readonly drop: Drop;
  /** Position in the window of the line that shows where the row would land. */
  readonly top: number;
}

interface RowDrag {
  readonly dragging: Dragging | undefined;
  readonly grab: (event: PointerEvent, row: Row) => void;
}

/** A pointer that moves less clicks; in pixels. */
const THRESHOLD = 6;
/** How far to the right is one level deeper. */
const LEVEL_WIDTH = 24;
/** How near to the edge of the window a row must be to scroll, and how far at a time. */
const EDGE = 70;
const SCROLL_STEP = 14;

interface DragOptions {
  readonly rows: Rows;
  readonly visible: readonly Row[];
  readonly folded: ReadonlySet<string>;
  readonly onDrop: (id: string, drop: Drop) => void;
}

export function useRowDrag(options: DragOptions): RowDrag {
  const [dragging, setDragging] = useState<Dragging>();
  const latest = useRef(options);
  latest.current = options;

  const grab = (start: PointerEvent, row: Row) => {
    // A second finger drags nothing.
    if (start.button !== 0 || !start.isPrimary) return;
    const handle = start.currentTarget as HTMLElement;
    let at: { readonly x: number; readonly y: number } = { x: start.clientX, y: start.clientY };
    let now: Dragging | undefined;
    const show = (to: Dragging | undefined) => setDragging((now = to));
    const stopped = new AbortController();

    const follow = () => {
      const { rows, visible, folded } = latest.current;
      const gap = gapAt(at.y, rows, visible, row.id);
      if (gap === undefined) return;
      const wanted = row.level + Math.round((at.x - start.clientX) / LEVEL_WIDTH);
      const isFolded = gap.above !== undefined && folded.has(gap.above.id);
      show({ id: row.id, drop: dropBetween(rows, gap.above, gap.below, isFolded, wanted), top: gap.top });
    };
    const scroll = () => {
      if (stopped.signal.aborted) return;
      const step = at.y < EDGE ? -SCROLL_STEP : at.y > innerHeight - EDGE ? SCROLL_STEP : 0;
      if (now !== undefined && step !== 0) {
        scrollBy(0, step);
        follow();
      }
      requestAnimationFrame(scroll);
    };
    const end = (isDropped: boolean) => {
      stopped.abort();
      const dropped = now;
      show(undefined);
      if (isDropped && dropped !== undefined) latest.current.onDrop(row.id, dropped.drop);
    };

    const { signal } = stopped;
    addEventListener(
      "pointermove",
      (event) => {
        if (event.pointerId !== start.pointerId) return;
        // Released where the page could not see it.
        if ((event.buttons & 1) === 0) return end(false);
        at = { x: event.clientX, y: event.clientY };
        const distance = Math.hypot(at.x - start.clientX, at.y - start.clientY);
        if (now === undefined && distance < THRESHOLD) return;
        if (now === undefined) {
          requestAnimationFrame(scroll);
          dropClickOf(start.pointerId);
        }
        follow();
      },
      { signal },
    );
    const isOfThis = ({ pointerId }: PointerEvent) => pointerId === start.pointerId;
    addEventListener("pointerup", (event) => isOfThis(event) && end(true), { signal });
    addEventListener("pointercancel", (event) => isOfThis(event) && end(false), { signal });
    addEventListener("keydown", (event) => event.key === "Escape" && end(false), { signal, capture: true });
    handle.setPointerCapture(start.pointerId);
  };
  return { dragging, grab };
}

/** The click with which a browser ends a drag folds and selects nothing. It comes with the release of the pointer, or never. */
function dropClickOf(pointerId: number): void {
  const stopped = new AbortController();
  const options = { signal: stopped.signal, capture: true };
  const stop = () => stopped.abort();
  addEventListener("click", (event) => event.stopPropagation(), options);
  addEventListener("pointerup", (event) => event.pointerId === pointerId && setTimeout(stop), options);
  addEventListener("pointercancel", stop, options);
  // The release was outside of the window: the next press is no longer part of the drag.
  addEventListener("pointerdown", stop, options);
}

/** The gap between visible rows that is nearest to a height in the window, without the row that is dragged. */
function gapAt(y: number, rows: Rows, visible: readonly Row[], dragged: string) {
  const first = rows.indexOf(dragged);
  const isCarried = (row: Row) => {
    const index = rows.indexOf(row.id);
    return index >= first && index < rows.endOf(first);
  };
  let nearest: { readonly top: number; readonly at: number } | undefined;
  for (const element of document.querySelectorAll<HTMLElement>(".tree [data-index]")) {
    const at = Number(element.dataset["index"]);
    const { top, bottom } = element.getBoundingClientRect();
    for (const gap of [
      { top, at },
      { top: bottom, at: at + 1 },
    ])
      if (nearest === undefined || Math.abs(gap.top - y) < Math.abs(nearest.top - y)) nearest = gap;
  }
  if (nearest === undefined) return undefined;
  const { top, at } = nearest;
  return {
    top,
    above: visible.slice(0, at).findLast((row) => !isCarried(row)),
    below: visible.slice(at).find((row) => !isCarried(row)),
  };
}
