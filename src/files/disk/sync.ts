// Syncs files to the disk (fsync). On a fast disk a synchronous call takes less
// time than one in another thread (0.1 ms against 0.3); on a slow disk it runs in
// another thread, so that the server keeps answering. The duration of the last
// calls decides. Used by everything that writes durably.
import { fsync, fsyncSync } from "node:fs";
import { promisify } from "node:util";

/** Milliseconds for which the process may be blocked. */
const SHORT = 1;
/** The cost of another thread, in milliseconds. */
const HANDING_OVER = 0.25;
/** The weight of the newest duration in the average. */
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
    // The duration of one among many says little about the disk, so it is not counted.
    syncTogether: (file) => (usual < HANDING_OVER ? measured(() => atOnce(file)) : handOver(file)),
  };
}

/**
 * `syncBeside` is for a file while this thread syncs another, `syncTogether` for
 * one of many files: a slow disk writes concurrent requests together (0.4 ms per
 * file instead of 4 on a busy disk).
 */
export const { sync, syncBeside, syncTogether } = syncWith({ atOnce: fsyncSync, handOver: promisify(fsync) });
