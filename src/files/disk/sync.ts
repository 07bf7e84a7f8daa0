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

interface Syncs {
  readonly sync: Sync;
  readonly syncBeside: Sync;
  readonly syncTogether: Sync;
}

export function syncWith({ atOnce, handOver }: Ways): Syncs {
  let usual = 0;
  const measured = async (work: () => Promise<void> | void) => {
    const started = performance.now();
    await work();
    usual += (performance.now() - started - usual) * WEIGHT;
  };
  return {
    sync: (file) => measured(() => (usual < SHORT ? atOnce(file) : handOver(file))),
    syncBeside: async (file) => {
      if (usual < HANDING_OVER) atOnce(file);
      else await handOver(file);
    },
    // How long one among many takes says little about the disk: that is not counted.
    syncTogether: (file) => (usual < HANDING_OVER ? measured(() => atOnce(file)) : handOver(file)),
  };
}

/**
 * `syncBeside` is for where this thread has something else to sync at the same
 * time, `syncTogether` for one of many files: on a disk that is not fast, what
 * is asked for at the same time is written at the same time (0.4 ms a file
 * instead of 4 on a busy disk).
 */
export const { sync, syncBeside, syncTogether } = syncWith({ atOnce: fsyncSync, handOver: promisify(fsync) });
