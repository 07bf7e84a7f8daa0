// Where the notes of a graph are drawn: the note in the middle, what it links to
// around it, and further out what these link to. Notes push each other away, and
// links pull. Pure, and the same each time.
import type { Box } from "./pan-zoom.ts";

export interface GraphLink {
  readonly from: string;
  readonly to: string;
}

export interface PlacedNote {
  readonly path: string;
  readonly x: number;
  readonly y: number;
  /** Links between it and the middle: 0, 1 or 2. */
  readonly steps: number;
  readonly degree: number;
}

export interface Graph {
  readonly notes: readonly PlacedNote[];
  readonly links: readonly { readonly from: PlacedNote; readonly to: PlacedNote }[];
  readonly bounds: Box;
}

const MAX_NOTES = 80;
/** Notes behind each neighbour: a note that everything links to would hide all others. */
const MAX_BEHIND = 6;
const ROUNDS = 100;
/** The distance that linked notes strive for. */
const LENGTH = 80;
/** How strongly all are drawn to the middle, so that nothing drifts away. */
const GRAVITY = 0.06;
const MARGIN = 90;

interface Moving {
  readonly path: string;
  readonly steps: number;
  readonly degree: number;
  x: number;
  y: number;
  pushX: number;
  pushY: number;
}

export function layOut(middle: string, links: readonly GraphLink[]): Graph {
  const steps = stepsFrom(middle, links);
  const degrees = new Map<string, number>();
  for (const { from, to } of links) for (const path of [from, to]) degrees.set(path, (degrees.get(path) ?? 0) + 1);
  const shown = [...steps]
    .toSorted((a, b) => a[1] - b[1] || degrees.get(b[0])! - degrees.get(a[0])!)
    .slice(0, MAX_NOTES);
  const notes = shown.map(([path, step], i) => startOf(path, step, degrees.get(path) ?? 0, i));
  const byPath = new Map(notes.map((note) => [note.path, note]));
  const pairs = links.flatMap(({ from, to }) => {
    const [a, b] = [byPath.get(from), byPath.get(to)];
    return a === undefined || b === undefined ? [] : [{ from: a, to: b }];
  });
  for (let round = 0; round < ROUNDS; round++) relax(notes, pairs, 1 - round / ROUNDS);
  return { notes, links: pairs, bounds: boundsOf(notes) };
}

/** How many links each note is away, up to two. Of a note with very many links only a few others are shown. */
function stepsFrom(middle: string, links: readonly GraphLink[]): Map<string, number> {
  const steps = new Map([[middle, 0]]);
  const both = links.flatMap(({ from, to }) => [
    [from, to],
    [to, from],
  ]);
  const shown = new Map<string, number>();
  for (const step of [1, 2])
    for (const [near = "", far = ""] of both) {
      if (steps.get(near) !== step - 1 || steps.has(far)) continue;
      const count = shown.get(near) ?? 0;
      if (step === 2 && count >= MAX_BEHIND) continue;
      shown.set(near, count + 1);
      steps.set(far, step);
    }
  return steps;
}

/** On a spiral, so that no two begin at the same place. */
function startOf(path: string, steps: number, degree: number, i: number): Moving {
  const angle = i * 2.399963;
  const radius = steps * LENGTH + 4 * i;
  return { path, steps, degree, x: Math.cos(angle) * radius, y: Math.sin(angle) * radius, pushX: 0, pushY: 0 };
}

function relax(notes: Moving[], links: readonly { from: Moving; to: Moving }[], heat: number): void {
  for (const note of notes) {
    note.pushX = 0;
    note.pushY = 0;
  }
  for (let i = 0; i < notes.length; i++) for (let j = i + 1; j < notes.length; j++) push(notes[i]!, notes[j]!, false);
  for (const { from, to } of links) push(from, to, true);
  for (const note of notes) {
    if (note.steps === 0) continue;
    note.pushX -= note.x * GRAVITY;
    note.pushY -= note.y * GRAVITY;
    const length = Math.hypot(note.pushX, note.pushY);
    const most = 40 * heat + 1;
    const part = length > most ? most / length : 1;
    note.x += note.pushX * part;
    note.y += note.pushY * part;
  }
}

/** Notes push each other away the more the nearer they are; a link pulls the more the longer it is. */
function push(a: Moving, b: Moving, isLink: boolean): void {
  const right = b.x - a.x;
  const down = b.y - a.y;
  const square = Math.max(100, right * right + down * down);
  const factor = isLink ? -Math.sqrt(square) / LENGTH : (LENGTH * LENGTH) / square;
  b.pushX += right * factor;
  b.pushY += down * factor;
  a.pushX -= right * factor;
  a.pushY -= down * factor;
}

function boundsOf(notes: readonly Moving[]): Box {
  const [left, right] = [Math.min(...notes.map(({ x }) => x)), Math.max(...notes.map(({ x }) => x))];
  const [top, bottom] = [Math.min(...notes.map(({ y }) => y)), Math.max(...notes.map(({ y }) => y))];
  return { x: left - MARGIN, y: top - MARGIN / 3, width: right - left + 2 * MARGIN, height: bottom - top + MARGIN };
}
