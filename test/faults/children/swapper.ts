// Another program of the same user, for tests of races: at each path it swaps
// several things in turn, without a pause, until it is stopped. In the end the
// first thing is back at each path.
import fs from "node:fs";
import { join } from "node:path";

export interface Swaps {
  /** At `path` is the first of `count` things; the others of the n-th place are in `aside`, as `n-1`, `n-2` … */
  readonly places: readonly { readonly path: string; readonly count: number }[];
  readonly aside: string;
}

const { places, aside } = JSON.parse(process.argv[2] ?? "{}") as Swaps;
let isStopped = false;
let rounds = 0;
let met = 0;

/** The program under test may create something at the path while nothing is there, and remove it again. */
const putAway = (path: string) => {
  try {
    fs.renameSync(path, join(aside, `met-${met++}`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
};

const put = (thing: string, path: string) => {
  for (;;) {
    try {
      return fs.renameSync(thing, path);
    } catch {
      putAway(path);
    }
  }
};

const swap = () => {
  for (const [index, { path, count }] of places.entries()) {
    fs.renameSync(path, join(aside, `${index}-${rounds % count}`));
    put(join(aside, `${index}-${(rounds + 1) % count}`), path);
  }
  rounds++;
};

const turn = () => {
  for (let count = 0; count < 20; count++) swap();
  if (!isStopped) return void setImmediate(turn);
  while (!places.every(({ count }) => rounds % count === 0)) swap();
  fs.writeSync(1, `${rounds}\n`);
};

process.stdin.on("end", () => (isStopped = true)).resume();
fs.writeSync(1, "ready\n");
turn();
