// Where the notes of a whole vault are drawn: notes of a folder begin beside each
// other, links pull, and notes push away those near them. It works in steps of a few
// milliseconds, so that the page stays quick while it settles. Pure, and the same
// each time.

export interface VaultLayout {
  /** x, y, x, y … */
  readonly places: Float32Array;
  /** Works for about so many milliseconds. @returns whether there is more to do */
  readonly work: (milliseconds: number) => boolean;
}

const ROUNDS = 140;
/** The distance within which notes push each other away, and so the size of a cell. */
const REACH = 34;
const LENGTH = 22;
/** Notes of a cell that push: in a crowd the others would say the same. */
const MAX_PUSHING = 24;
const GRAVITY = 0.004;
const NODES_A_LOOK = 128;

/** @param links from, to, from, to …, as places in the list. @param groups the folder of each note, as a number */
export function layOutVault(count: number, links: readonly number[], groups: ArrayLike<number>): VaultLayout {
  const places = new Float32Array(2 * count);
  const pushes = new Float32Array(2 * count);
  const degrees = new Float32Array(count);
  for (const at of links) degrees[at]!++;
  placeByGroup(places, groups);
  const steps = settle();
  return {
    places,
    work: (milliseconds) => {
      const end = performance.now() + milliseconds;
      while (performance.now() < end) if (steps.next().done === true) return false;
      return true;
    },
  };

  function* settle(): Generator<undefined, void> {
    for (let round = 0; round < ROUNDS; round++) {
      const heat = 1 - round / ROUNDS;
      pushes.fill(0);
      const cells = cellsOf(places);
      yield;
      for (let at = 0; at < count; at++) {
        push(at, cells);
        if (at % NODES_A_LOOK === 0) yield;
      }
      for (let i = 0; i < links.length; i += 2) {
        pull(links[i]!, links[i + 1]!);
        if (i % (16 * NODES_A_LOOK) === 0) yield;
      }
      for (let at = 0; at < 2 * count; at++) {
        const step = pushes[at]! - GRAVITY * places[at]!;
        places[at]! += Math.max(-12, Math.min(12, step)) * (0.15 + 0.85 * heat);
      }
      yield;
    }
  }

  function push(at: number, cells: ReadonlyMap<number, readonly number[]>): void {
    const [x, y] = [places[2 * at]!, places[2 * at + 1]!];
    const [column, row] = [Math.floor(x / REACH), Math.floor(y / REACH)];
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++) {
        const near = cells.get(keyOf(column + dx, row + dy));
        if (near === undefined) continue;
        for (let i = 0; i < near.length && i < MAX_PUSHING; i++) {
          const other = near[i]!;
          if (other === at) continue;
          // Two at one place are told apart by their numbers.
          const [offX, offY] = [x - places[2 * other]! || (at - other) * 1e-3, y - places[2 * other + 1]! || 1e-3];
          const distance = Math.hypot(offX, offY);
          if (distance > REACH) continue;
          const force = (0.9 * (REACH - distance)) / REACH / Math.max(distance, 0.5);
          pushes[2 * at]! += offX * force;
          pushes[2 * at + 1]! += offY * force;
        }
      }
  }

  function pull(from: number, to: number): void {
    const [dx, dy] = [places[2 * to]! - places[2 * from]!, places[2 * to + 1]! - places[2 * from + 1]!];
    const distance = Math.hypot(dx, dy) || 1;
    // A note with many links is not torn apart by them.
    const force = (0.12 * (distance - LENGTH)) / distance;
    const [a, b] = [force / Math.sqrt(degrees[from]!), force / Math.sqrt(degrees[to]!)];
    pushes[2 * from]! += dx * a;
    pushes[2 * from + 1]! += dy * a;
    pushes[2 * to]! -= dx * b;
    pushes[2 * to + 1]! -= dy * b;
  }
}

/** Each folder is a disc, as large as its notes need, and the discs are laid in a spiral. */
function placeByGroup(places: Float32Array, groups: ArrayLike<number>): void {
  const members = new Map<number, number[]>();
  for (let at = 0; at < groups.length; at++) {
    const group = groups[at]!;
    const own = members.get(group);
    if (own === undefined) members.set(group, [at]);
    else own.push(at);
  }
  const turn = Math.PI * (3 - Math.sqrt(5));
  let area = 0;
  for (const [i, own] of [...members.values()].toSorted((a, b) => b.length - a.length).entries()) {
    const radius = 14 * Math.sqrt(own.length);
    const away = i === 0 ? 0 : Math.sqrt(area) + radius;
    for (const [j, at] of own.entries()) {
      const from = 14 * Math.sqrt(j);
      places[2 * at] = away * Math.cos(i * turn) + from * Math.cos(j * turn);
      places[2 * at + 1] = away * Math.sin(i * turn) + from * Math.sin(j * turn);
    }
    area += radius * radius * 1.6;
  }
}

function cellsOf(places: Float32Array): ReadonlyMap<number, readonly number[]> {
  const cells = new Map<number, number[]>();
  for (let at = 0; at < places.length / 2; at++) {
    const key = keyOf(Math.floor(places[2 * at]! / REACH), Math.floor(places[2 * at + 1]! / REACH));
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [at]);
    else cell.push(at);
  }
  return cells;
}

/** Vaults of millions of notes would have cells of the same key, which only costs time. */
function keyOf(column: number, row: number): number {
  return (column + 32_768) * 65_536 + row + 32_768;
}
