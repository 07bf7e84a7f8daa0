// Panning and zooming of a drawing: by pointer, wheel and keys. The drawing moves
// by a transform of one element, so that nothing in it is laid out again. Used by
// canvases and the graph of a note.
import { useEffect, useMemo, useRef } from "preact/hooks";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const LEAST = 0.05;
const MOST = 4;
const STEP = 1.25;
/** Pixels that an arrow key moves the drawing. */
const KEY_DISTANCE = 60;
const MARGIN = 24;
/** Pixels that a pointer may move in a click. */
const CLICK_DISTANCE = 4;

export interface PanZoom {
  readonly viewport: { current: HTMLDivElement | null };
  readonly layer: { current: HTMLDivElement | null };
  readonly zoom: (factor: number) => void;
  /** Shows the whole drawing. */
  readonly fit: () => void;
}

export const zoomIn = ({ zoom }: PanZoom): void => zoom(STEP);
export const zoomOut = ({ zoom }: PanZoom): void => zoom(1 / STEP);

export function usePanZoom(bounds: Box): PanZoom {
  const viewport = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const moves = useMemo(() => movesOf(viewport, layer), []);
  useEffect(() => moves.listen(), []);
  useEffect(() => moves.fit(bounds), [bounds.x, bounds.y, bounds.width, bounds.height]);
  return { viewport, layer, zoom: moves.zoomInMiddle, fit: () => moves.fit(bounds) };
}

interface Held {
  readonly current: HTMLDivElement | null;
}

function movesOf(viewport: Held, layer: Held) {
  let x = 0;
  let y = 0;
  let scale = 1;
  let isDue = false;
  /** At most once per frame. */
  const show = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      if (layer.current !== null) layer.current.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    });
  };
  const move = (right: number, down: number) => {
    x += right;
    y += down;
    show();
  };
  /** The point under the pointer stays where it is. */
  const zoomAt = (factor: number, left: number, top: number) => {
    const next = Math.min(MOST, Math.max(LEAST, scale * factor));
    x = left - ((left - x) * next) / scale;
    y = top - ((top - y) * next) / scale;
    scale = next;
    show();
  };
  const size = () => viewport.current!.getBoundingClientRect();
  const zoomInMiddle = (factor: number) => zoomAt(factor, size().width / 2, size().height / 2);
  const fit = (box: Box) => {
    if (viewport.current === null) return;
    const { width, height } = size();
    const fitting = Math.min((width - 2 * MARGIN) / box.width, (height - 2 * MARGIN) / box.height, 1);
    scale = Math.min(MOST, Math.max(LEAST, fitting));
    x = (width - box.width * scale) / 2 - box.x * scale;
    y = (height - box.height * scale) / 2 - box.y * scale;
    show();
  };

  const KEYS: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(KEY_DISTANCE, 0),
    ArrowRight: () => move(-KEY_DISTANCE, 0),
    ArrowUp: () => move(0, KEY_DISTANCE),
    ArrowDown: () => move(0, -KEY_DISTANCE),
    "+": () => zoomInMiddle(STEP),
    "=": () => zoomInMiddle(STEP),
    "-": () => zoomInMiddle(1 / STEP),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.target === viewport.current && !event.ctrlKey && !event.metaKey ? KEYS[event.key] : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const onWheel = (event: WheelEvent) => {
    // Without a modifier the page scrolls, as people expect of a note with a drawing in it.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = size();
    zoomAt(Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top);
  };
  const pointers = new Map<number, PointerEvent>();
  let moved = 0;
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, event);
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const [right, down] = [event.clientX - before.clientX, event.clientY - before.clientY];
    moved += Math.abs(right) + Math.abs(down);
    // Only now: a pointer that is captured clicks on nothing.
    if (moved > CLICK_DISTANCE) viewport.current!.setPointerCapture(event.pointerId);
    const other = [...pointers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    pointers.set(event.pointerId, event);
    if (other === undefined) return move(right, down);
    const { left, top } = size();
    const factor = distance(event, other) / Math.max(1, distance(before, other));
    return zoomAt(factor, (event.clientX + other.clientX) / 2 - left, (event.clientY + other.clientY) / 2 - top);
  };
  const onPointerEnd = (event: PointerEvent) => void pointers.delete(event.pointerId);
  /** The end of a drag is no click on what is below the pointer. */
  const onClick = (event: MouseEvent) => {
    if (moved <= CLICK_DISTANCE) return;
    event.preventDefault();
    event.stopPropagation();
    moved = 0;
  };
  const listen = () => {
    const element = viewport.current!;
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener("keydown", onKeyDown, { signal });
    element.addEventListener("wheel", onWheel, { signal, passive: false });
    element.addEventListener("pointerdown", onPointerDown, { signal });
    element.addEventListener("pointermove", onPointerMove, { signal });
    element.addEventListener("pointerup", onPointerEnd, { signal });
    element.addEventListener("pointercancel", onPointerEnd, { signal });
    element.addEventListener("click", onClick, { signal, capture: true });
    element.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
    return () => listening.abort();
  };
  return { fit, zoomInMiddle, listen };
}

function distance(a: PointerEvent, b: PointerEvent): number {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
