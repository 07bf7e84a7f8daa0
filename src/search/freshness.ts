// Keeps an index fresh for those who ask it: sweeps before a question unless
// that was done a moment ago, waits for the process that does, never longer
// than a caller should, and replaces an index that is damaged. Used by the
// vault's search and by conversations.
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
  /** While everything is indexed for the first time: how many files are. */
  readonly indexing?: { readonly done: number; readonly total: number };
}

/** What is kept fresh. */
export interface Sweepable<S> {
  readonly state: () => SweepState;
  /** Undefined while another process sweeps. */
  readonly sweep: (options: SweepOptions) => Promise<S | undefined>;
  /** After an error: whether the index was replaced, so that it is worth to sweep and to ask again. */
  readonly recover: (error: unknown) => boolean;
}

export interface Freshening<S> {
  /** Sees to it that the index is fresh, as far as that is done in time; tells of the first sweep of all. */
  readonly freshen: (options?: SweepOptions) => Promise<Freshness>;
  /** Sweeps, or waits for the process that does, until a sweep has begun after that time. */
  readonly sweepSince: (time: number, options: SweepOptions) => Promise<S | undefined>;
  /** Does the work; where the index turns out to be damaged, once more on a new one. */
  readonly mending: <T>(work: () => Promise<T>) => Promise<T>;
  /** Work that has to end before the index is closed. */
  readonly tracked: <T>(work: Promise<T>) => Promise<T>;
  /** The next question has to sweep, however fresh the index looks. */
  readonly outdated: () => void;
  /** Stops the sweep under way, and waits for what is tracked. */
  readonly close: () => Promise<void>;
}

/** A sweep that is younger needs no other. */
const FRESH = 2_000;
/** How long a question waits for a sweep, in milliseconds; for the first of all somewhat longer. */
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
    // A time yet to come is of a clock that was set back.
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

  /** Who waits for the first sweep of all, and wants to know how far it is. */
  const waiting = new Set<OnProgress>();

  const tellWaiting: OnProgress = (done, total) => waiting.forEach((tell) => tell(done, total));

  const sweepShared = (): Promise<S | undefined> => {
    sweeping ??= tracked(mending(() => sweepSince(Date.now() - FRESH, { onProgress: tellWaiting }))).finally(
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

/** Waits for the work, but not beyond the limit. What it throws in that time is thrown. */
export async function settledWithin(work: Promise<unknown>, limit: number, signal?: AbortSignal): Promise<void> {
  const stopped = new AbortController();
  const until = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
  const late = pause(limit, undefined, { signal: until });
  try {
    await Promise.race([work, late]);
  } finally {
    stopped.abort();
    late.catch(() => {});
    work.catch(() => {});
  }
}
