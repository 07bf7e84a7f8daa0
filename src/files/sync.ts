// Brings what was written to a file to the disk itself. On a fast disk that
// takes less time than handing the work to another thread and back (0.1 ms
// against 0.3), so it is done at once; on a slow one it is handed over, so that
// the server goes on answering. What the last ones took decides.
import { fsync, fsyncSync } from "node:fs";
import { promisify } from "node:util";

/** Milliseconds for which other calls may well wait. */
const SHORT = 1;
/** What it costs to hand the work over, in milliseconds. */
const HANDING_OVER = 0.25;
/** How much the newest time counts. */
const WEIGHT = 0.25;

interface Ways {
  readonly atOnce: (file: number) => void;
  readonly handOver: (file: number) => Promise<void>;
}

type Sync = (file: number) => Promise<void>;

export function syncWith({ atOnce, handOver }: Ways): { readonly sync: Sync; readonly syncBeside: Sync } {
  let usual = 0;
  return {
    sync: async (file) => {
      const started = performance.now();
      if (usual < SHORT) atOnce(file);
      else await handOver(file);
      usual += (performance.now() - started - usual) * WEIGHT;
    },
    syncBeside: async (file) => {
      if (usual < HANDING_OVER) atOnce(file);
      else await handOver(file);
    },
  };
}

/** `syncBeside` is for where this thread has something else to sync at the same time. */
export const { sync, syncBeside } = syncWith({ atOnce: fsyncSync, handOver: promisify(fsync) });
