// Keeps an index fresh: before a query it sweeps, unless that was done a moment
// ago, or waits for the process that is sweeping, but only for a limited time. Also
// replaces a damaged index. Used by the note index and by conversations.
import { setTimeout as pause } from "node:timers/promises";
import { mended, type SweepState } from "../sqlite/sqlite.ts";

export type OnProgress = (done: number, total: number) => void;

export interface SweepOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface Freshness {
  /** Changes of the last seconds may be missing. */
  readonly stale: boolean;
  /** While everything is indexed for the first time: the number of files indexed. */
  readonly indexing?: { readonly done: number; readonly total: number };
}

/** The index that is kept fresh. */
export interface Sweepable<S> {
  readonly state: () => SweepState;
  /** Undefined while another process sweeps. */
  readonly sweep: (options: SweepOptions) => Promise<S | undefined>;
  /** After an error: whether the index was replaced, so that the caller should sweep and ask again. */
  readonly recover: (error: unknown) => boolean;
}

export interface Freshening<S> {
  /** Sweeps if needed, but returns after a short wait. Reports the progress of the very first sweep. */
  readonly freshen: (options?: SweepOptions) => Promise<Freshness>;
  /** Sweeps, or waits for the process that does, until a sweep that began after this time is done. */
  readonly sweepSince: (time: number, options: SweepOptions) => Promise<S | undefined>;
  /** Does the work, and does it again on a new index if this one is damaged. */
  readonly mending: <T>(work: () => Promise<T>) => Promise<T>;
  /** Work that has to end before the index is closed. */
  readonly tracked: <T>(work: Promise<T>) => Promise<T>;
  /** Makes the next query sweep, even if the index is fresh. */
  readonly outdated: () => void;
  /** Stops the current sweep, and waits for the tracked work. */
  readonly close: () => Promise<void>;
}

/** Milliseconds for which a sweep counts as fresh. */
const FRESH = 2_000;
/** Milliseconds that a query waits for a sweep; longer for the very first one. */
const WAIT = 500;
const FIRST_WAIT = 2_500;
const ASK_OTHERS_EVERY = 20;

export function keepFresh<S>(index: Sweepable<S>): Freshening<S> {
  const closing = new AbortController();
  let sweeping: Promise<S | undefined> | undefined;
  let mustSweep = false;
  const underWay = new Set<Promise<unknown>>();
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const ended = work.catch(() => {}).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return work;
  };

  const isFreshAt = (time: number) => {
    const { swept } = index.state();
    // A time in the future means that the clock was set back.
    return !mustSweep && swept > time - FRESH && swept <= Date.now();
  };

  const sweepSince = async (time: number, options: SweepOptions): Promise<S | undefined> => {
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    for (;;) {
      mustSweep = false;
      const swept = await index.sweep({ ...options, signal });
      if (swept !== undefined) return swept;
      await pause(ASK_OTHERS_EVERY, undefined, { signal });
      const { done, total, swept: last } = index.state();
      options.onProgress?.(done, total);
      if (last > time) return undefined;
    }
  };

  const mending = <T>(work: () => Promise<T>): Promise<T> => mended(index, work);

  /** The callers that wait for the very first sweep and want its progress. */
  const waiting = new Set<OnProgress>();

  const reportToWaiting: OnProgress = (done, total) => waiting.forEach((report) => report(done, total));

  const sweepShared = (): Promise<S | undefined> => {
    sweeping ??= tracked(mending(() => sweepSince(Date.now() - FRESH, { onProgress: reportToWaiting }))).finally(
      () => (sweeping = undefined),
    );
    return sweeping;
  };

  return {
    freshen: async ({ signal, onProgress } = {}) => {
      const time = Date.now();
      if (isFreshAt(time)) return { stale: false };
      const isFirst = index.state().swept === 0;
      if (isFirst && onProgress !== undefined) waiting.add(onProgress);
      try {
        await settledWithin(sweepShared(), isFirst ? FIRST_WAIT : WAIT, signal);
      } finally {
        if (onProgress !== undefined) waiting.delete(onProgress);
      }
      const { swept, done, total } = index.state();
      if (swept === 0) return { stale: true, indexing: { done, total } };
      return { stale: swept <= time - FRESH };
    },
    sweepSince,
    mending,
    tracked,
    outdated: () => {
      mustSweep = true;
    },
    close: async () => {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

/** Waits for the work, at most until the limit. Rethrows what it throws in that time, and throws the signal's reason. */
export async function settledWithin(work: Promise<unknown>, limit: number, signal?: AbortSignal): Promise<void> {
  const stopped = new AbortController();
  const until = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
  const late = pause(limit, undefined, { signal: until }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
  try {
    await Promise.race([work, late]);
  } finally {
    stopped.abort();
    late.catch(() => {});
    work.catch(() => {});
  }
}
