// The graph of the whole vault: every note and link, folders as colours, names where
// there is room. It settles while it is seen, a few milliseconds of each frame. The
// pointer or the keys pan and zoom; what is pointed at is lit with its neighbours,
// and opened by a click or Enter.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { folderIn } from "../../../src/kernel/kernel.ts";
import { Empty, Loading, ProblemNote, useTitle } from "../../components/components.ts";
import { nameOf } from "../../format/format.ts";
import { noteAddress, useNavigation } from "../../navigation/navigation.ts";
import { useToolCall } from "../../server/server.ts";
import { drawLabels, openDrawing, type Camera, type Colours, type Scene } from "./drawing.ts";
import { layOutVault, type VaultLayout } from "./vault-layout.ts";

/** Milliseconds of a frame that the layout takes. */
const SHARE = 5;
/** Folders beyond these have the last colour. */
const HUES = [164, 32, 262, 205, 345, 95, 12, 288] as const;
const STEP = 1.2;
const KEY_DISTANCE = 60;
/** In pixels: how near the pointer must be to a note, and how far it may move in a click. */
const NEAR = 14;
const CLICK_DISTANCE = 4;

interface Graph extends Scene {
  readonly paths: readonly string[];
  readonly folders: readonly string[];
  /** The neighbours of each note. */
  readonly near: readonly (readonly number[])[];
  /** The places of the notes, those with the most links first. */
  readonly byDegree: readonly number[];
  readonly layout: VaultLayout;
}

export function GraphView() {
  const { result, problem } = useToolCall("vaultLibrarian_query", { graph: true }, { keepsPrevious: true });
  const whole = result?.data.graph;
  // Something may have changed on the server that changes no note and no link.
  const key = useMemo(() => JSON.stringify(whole), [whole]);
  const graph = useMemo(() => (whole === undefined ? undefined : graphOf(whole.paths, whole.links)), [key]);
  useTitle("Graph");
  return (
    <div class="vault-graph">
      <h1>Graph</h1>
      {problem && <ProblemNote problem={problem} />}
      {graph === undefined && !problem && <Loading of="the graph" />}
      {graph?.paths.length === 0 && <Empty title="There are no notes yet" />}
      {graph !== undefined && graph.paths.length > 0 && <Picture graph={graph} />}
    </div>
  );
}

function graphOf(paths: readonly string[], links: readonly number[]): Graph {
  const near: number[][] = paths.map(() => []);
  for (let i = 0; i < links.length; i += 2) {
    near[links[i]!]!.push(links[i + 1]!);
    near[links[i + 1]!]!.push(links[i]!);
  }
  const tops = paths.map((path) => folderIn(path).split("/", 1)[0]!);
  const counts = new Map<string, number>();
  for (const top of tops) counts.set(top, (counts.get(top) ?? 0) + 1);
  const folders = [...counts].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  const places = new Map(folders.map((name, i) => [name, i]));
  const groups = tops.map((top) => places.get(top)!);
  const layout = layOutVault(paths.length, links, groups);
  return {
    paths,
    links,
    folders,
    near,
    layout,
    places: layout.places,
    sizes: Float32Array.from(near, (own) => 7 + Math.min(16, 2.2 * Math.sqrt(own.length))),
    colourOf: Uint8Array.from(groups, (group) => Math.min(group, HUES.length - 1)),
    byDegree: paths.map((_, at) => at).toSorted((a, b) => near[b]!.length - near[a]!.length),
  };
}

function coloursNow(): Colours {
  const style = getComputedStyle(document.documentElement);
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  /** A browser says colours in many ways: a pixel has one. */
  const pixel = (colour: string) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return [red / 255, green / 255, blue / 255] as const;
  };
  const [ink, ,] = pixel(style.color);
  const isDark = ink > 0.5;
  return {
    link: pixel(style.color),
    text: style.color,
    halo: style.backgroundColor,
    notes: HUES.map((hue) => pixel(`hsl(${hue} ${isDark ? "48% 66%" : "46% 40%"})`)),
  };
}

function Picture({ graph }: { graph: Graph }) {
  const { navigate } = useNavigation();
  const { paths, folders, near } = graph;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const labels = useRef<HTMLCanvasElement>(null);
  const [meant, setMeant] = useState<number>();
  const [hasNone, setNone] = useState(false);
  const moves = useRef<Moves>(undefined);
  useEffect(() => {
    const opened = openGraph(box.current!, canvas.current!, labels.current!, graph, {
      onMeant: setMeant,
      onOpen: (at) => navigate(noteAddress(paths[at]!)),
    });
    setNone(opened === undefined);
    moves.current = opened;
    return () => opened?.close();
  }, [graph]);
  const shownFolders = folders.slice(0, HUES.length);
  return (
    <>
      <p class="count" role="status">
        {meant === undefined
          ? `${paths.length.toLocaleString("en")} notes, ${(graph.links.length / 2).toLocaleString("en")} links`
          : `${nameOf(paths[meant]!)}${folderIn(paths[meant]!) && ` in ${folderIn(paths[meant]!)}`}: ${near[meant]!.length} links`}
      </p>
      {hasNone && <p class="problem">This browser cannot draw the graph: it has no WebGL.</p>}
      <div
        class="graph-box"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label="Graph of the vault. Arrow keys move it, + and - zoom, N goes to the next note, Enter opens it."
        data-meant={meant === undefined ? undefined : paths[meant]}
      >
        <canvas ref={canvas} />
        <canvas ref={labels} />
      </div>
      <div class="graph-tools">
        <button type="button" class="button small" onClick={() => moves.current?.zoom(STEP)}>
          Zoom in
        </button>
        <button type="button" class="button small" onClick={() => moves.current?.zoom(1 / STEP)}>
          Zoom out
        </button>
        <button type="button" class="button small" onClick={() => moves.current?.fit()}>
          Fit
        </button>
        <ul class="graph-folders" aria-label="Colours">
          {shownFolders.map((name, i) => (
            <li key={name} class={`hue-${i}`}>
              {i === HUES.length - 1 && folders.length > HUES.length ? "Other folders" : name || "In no folder"}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

interface Moves {
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly close: () => void;
}

interface Reactions {
  readonly onMeant: (at: number | undefined) => void;
  readonly onOpen: (at: number) => void;
}

/** Draws and listens until it is closed. A frame is drawn only when something has changed. */
function openGraph(
  box: HTMLElement,
  canvas: HTMLCanvasElement,
  labelCanvas: HTMLCanvasElement,
  graph: Graph,
  { onMeant, onOpen }: Reactions,
): Moves | undefined {
  const drawn = openDrawing(canvas);
  if (drawn === undefined) return undefined;
  const camera: Camera = { x: 0, y: 0, scale: 1 };
  let colours = coloursNow();
  let meant: number | undefined;
  let lit: ReadonlySet<number> | undefined;
  let isSettling = true;
  let hasMoved = false;
  let frame = 0;
  const listening = new AbortController();
  const { signal } = listening;

  const due = () => {
    if (frame === 0) frame = requestAnimationFrame(show);
  };
  const show = () => {
    frame = 0;
    if (isSettling) {
      isSettling = graph.layout.work(SHARE);
      drawn.update(graph, colours);
      if (!hasMoved) fitCamera();
      due();
    }
    drawn.draw(camera, lit);
    drawLabels(labelCanvas, graph, colours, camera, labelsNow());
    box.dataset["settled"] = String(!isSettling);
  };
  function* labelsNow() {
    const shown = lit === undefined ? graph.byDegree : graph.byDegree.filter((at) => lit!.has(at));
    if (meant !== undefined) yield { at: meant, text: nameOf(graph.paths[meant]!) };
    // From afar only the names of notes that many others link to; nearer, all that have room.
    const least = lit !== undefined || camera.scale > 1.1 ? 0 : camera.scale > 0.5 ? 4 : 8;
    for (const at of shown) {
      if (graph.near[at]!.length < least) return;
      if (at !== meant) yield { at, text: nameOf(graph.paths[at]!) };
    }
  }
  const fitCamera = () => {
    const { places } = graph;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < places.length; i += 2) {
      left = Math.min(left, places[i]!);
      right = Math.max(right, places[i]!);
      top = Math.min(top, places[i + 1]!);
      bottom = Math.max(bottom, places[i + 1]!);
    }
    camera.x = (left + right) / 2;
    camera.y = (top + bottom) / 2;
    const { clientWidth: width, clientHeight: height } = box;
    camera.scale = Math.min(4, width / (right - left + 80), height / (bottom - top + 80));
  };
  const resize = () => {
    for (const each of [canvas, labelCanvas]) {
      each.width = Math.round(box.clientWidth * devicePixelRatio);
      each.height = Math.round(box.clientHeight * devicePixelRatio);
    }
    if (!hasMoved) fitCamera();
    due();
  };
  const moved = () => {
    hasMoved = true;
    due();
  };
  const mean = (at: number | undefined) => {
    if (at === meant) return;
    meant = at;
    lit = at === undefined ? undefined : new Set([at, ...graph.near[at]!]);
    onMeant(at);
    due();
  };
  const noteAt = (x: number, y: number): number | undefined => {
    const { places } = graph;
    const [atX, atY] = [
      camera.x + (x - box.clientWidth / 2) / camera.scale,
      camera.y + (y - box.clientHeight / 2) / camera.scale,
    ];
    let nearest: number | undefined;
    let least = NEAR / camera.scale;
    for (let at = 0; at < places.length / 2; at++) {
      const distance = Math.hypot(places[2 * at]! - atX, places[2 * at + 1]! - atY);
      if (distance < least) [nearest, least] = [at, distance];
    }
    return nearest;
  };
  /** The place under the pointer stays under it. */
  const zoom = (factor: number, x = box.clientWidth / 2, y = box.clientHeight / 2) => {
    const to = Math.min(6, Math.max(0.03, camera.scale * factor));
    const [offX, offY] = [x - box.clientWidth / 2, y - box.clientHeight / 2];
    camera.x += offX / camera.scale - offX / to;
    camera.y += offY / camera.scale - offY / to;
    camera.scale = to;
    moved();
  };
  const fit = () => {
    hasMoved = false;
    fitCamera();
    due();
  };
  /** The fingers or the mouse button that hold it, by their id. */
  const held = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  const listen = <E extends keyof HTMLElementEventMap>(type: E, on: (event: HTMLElementEventMap[E]) => void) =>
    box.addEventListener(type, on, { signal, passive: false });
  listen("pointerdown", (event) => {
    box.setPointerCapture(event.pointerId);
    if (held.size === 0) travelled = 0;
    held.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  });
  listen("pointermove", ({ pointerId, offsetX: x, offsetY: y, pointerType }) => {
    const before = held.get(pointerId);
    if (before === undefined) {
      if (pointerType === "mouse") mean(noteAt(x, y));
      return;
    }
    const other = [...held].find(([id]) => id !== pointerId)?.[1];
    travelled += Math.hypot(x - before.x, y - before.y);
    if (other === undefined) {
      camera.x -= (x - before.x) / camera.scale;
      camera.y -= (y - before.y) / camera.scale;
      moved();
    } else {
      const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(x - other.x, y - other.y)];
      zoom(is / Math.max(was, 1), (x + other.x) / 2, (y + other.y) / 2);
    }
    before.x = x;
    before.y = y;
  });
  const release = ({ pointerId, offsetX, offsetY, type }: PointerEvent) => {
    if (!held.delete(pointerId) || held.size > 0 || type !== "pointerup" || travelled > CLICK_DISTANCE) return;
    const at = noteAt(offsetX, offsetY);
    if (at !== undefined) onOpen(at);
  };
  listen("pointerup", release);
  listen("pointercancel", release);
  listen("pointerleave", () => mean(undefined));
  listen("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 500), event.offsetX, event.offsetY);
  });
  listen("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step !== undefined) {
      camera.x += (step[0]! * KEY_DISTANCE) / camera.scale;
      camera.y += (step[1]! * KEY_DISTANCE) / camera.scale;
      moved();
    } else if (event.key === "+" || event.key === "=") zoom(STEP);
    else if (event.key === "-") zoom(1 / STEP);
    else if (event.key === "Enter" && meant !== undefined) onOpen(meant);
    else if (event.key === "Escape" && meant !== undefined) mean(undefined);
    else if (event.key.toLowerCase() === "n") {
      const { byDegree } = graph;
      const at = meant === undefined ? -1 : byDegree.indexOf(meant);
      const next = byDegree[(at + (event.shiftKey ? -1 : 1) + byDegree.length) % byDegree.length]!;
      mean(next);
      camera.x = graph.places[2 * next]!;
      camera.y = graph.places[2 * next + 1]!;
      moved();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const recolour = () => {
    colours = coloursNow();
    drawn.update(graph, colours);
    due();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour, { signal });
  addEventListener("theme-changed", recolour, { signal });
  const sized = new ResizeObserver(resize);
  sized.observe(box);
  drawn.update(graph, colours);
  resize();
  return {
    zoom,
    fit,
    close: () => {
      listening.abort();
      sized.disconnect();
      cancelAnimationFrame(frame);
      frame = -1;
    },
  };
}
