// Keeps an index up to date that is fed from a shared store: the store holds the truth, and
// the index is a cache of this machine. Before every answer the store says whether the
// member is in the space, and the number of its newest change; what has changed since is
// fed into the index. The members of a server share the index of a space. Used by the
// indexes of notes and of conversations.
import { setTimeout as pause } from "node:timers/promises";
import { type Fed, mended, type SweepState } from "../sqlite/sqlite.ts";
import { type OnProgress, settledWithin, type SweepOptions } from "./freshness.ts";

/** Milliseconds that a query waits for what changed; a first index of much takes longer. */
const WAIT = 2_500;
/** Milliseconds between two looks whether another process has done it. */
const ASK_OTHERS_EVERY = 20;

/** An index that can follow a feed. */
export interface Feedable<S extends Fed, R> {
  /** Returns whether there is an index; does not create one. */
  readonly exists: () => boolean;
  readonly state: () => SweepState;
  /** How far the feed was followed; undefined for no feed. */
  readonly fed: () => Fed | undefined;
  /**
   * Indexes what the feed has up to this standing. Undefined while another process does.
   * @param isRestored whether the numbers went back: nothing that was indexed before is known to be there
   */
  readonly follow: (to: S, isRestored: boolean, options: SweepOptions) => Promise<R | undefined>;
  readonly recover: (error: unknown) => boolean;
}

/** An index in this process, for all of its members here. */
export interface FedIndex<I> {
  readonly index: I;
  /** Callers that wait for the first index. */
  readonly waiting: Set<OnProgress>;
  running: Promise<unknown> | undefined;
  users: number;
}

const OPEN = new Map<string, FedIndex<unknown>>();

/** @param open opens the index of this file, unless it is open */
export function fedIndex<I>(file: string, open: () => I): FedIndex<I> {
  const known = (OPEN.get(file) as FedIndex<I> | undefined) ?? {
    index: open(),
    waiting: new Set(),
    running: undefined,
    users: 0,
  };
  OPEN.set(file, known);
  known.users++;
  return known;
}

export function endUse(own: FedIndex<{ readonly close: () => void }>): void {
  if (--own.users > 0) return;
  for (const [file, one] of OPEN) if (one === own) OPEN.delete(file);
  own.index.close();
}

export interface Feeding<S extends Fed, R> {
  readonly isAt: (standing: S) => boolean;
  /** Follows the feed to this standing; undefined if somebody else did. */
  readonly follow: (to: S, options: SweepOptions) => Promise<R | undefined>;
  /** Follows the feed to this standing, or waits for the member of this server who does. */
  readonly reach: (to: S, isRestored?: boolean) => Promise<void>;
  /**
   * Follows the feed, but returns after a short wait.
   * @param again asks for the standing once more
   * @returns the standing that the index should be at, and whether it is
   */
  readonly freshen: (
    now: S,
    again: () => Promise<S>,
    options: SweepOptions,
  ) => Promise<{ readonly to: S; readonly isReached: boolean }>;
  /** Work that has to end before the index is closed. */
  readonly tracked: <T>(work: Promise<T>) => Promise<T>;
  /** Stops, and waits for the tracked work. */
  readonly close: () => Promise<void>;
}

/** @param own the index in this process @param index the same as the member who asks may feed it */
export function keepFed<S extends Fed, R>(
  own: Pick<FedIndex<unknown>, "waiting" | "running">,
  index: Feedable<S, R>,
): Feeding<S, R> {
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const ended = work.catch(() => {}).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return work;
  };

  /** How far the index has followed the feed of a standing to its end at least once. */
  const reached = ({ identity }: S): number => {
    const fed = index.exists() ? index.fed() : undefined;
    return fed?.identity === identity && index.state().swept > 0 ? fed.number : -1;
  };
  const isAt = (standing: S): boolean => reached(standing) >= standing.number;

  const followed = async (to: S, isRestored: boolean, options: SweepOptions): Promise<R | undefined> => {
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    for (;;) {
      const result = await index.follow(to, isRestored, { ...options, signal });
      if (result !== undefined || isAt(to)) return result;
      await pause(ASK_OTHERS_EVERY, undefined, { signal });
    }
  };

  const onProgress: OnProgress = (done, total) => own.waiting.forEach((report) => report(done, total));
  const reach = async (to: S, isRestored = false): Promise<void> => {
    for (;;) {
      if (!isRestored && isAt(to)) return;
      const isOurs = own.running === undefined;
      own.running ??= tracked(mended(index, () => followed(to, isRestored, { onProgress }))).finally(
        () => (own.running = undefined),
      );
      await own.running.catch((error: unknown) => {
        if (isOurs) throw error;
      });
      if (isOurs) return;
    }
  };

  return {
    isAt,
    follow: (to, options) => followed(to, false, options),
    reach,
    freshen: async (first, again, { signal, onProgress: report }) => {
      let to = first;
      const number = reached(to);
      if (number === to.number) return { to, isReached: true };
      // Another process has followed the feed since; or the numbers went back with a backup.
      if (number > to.number) to = await again();
      const isRestored = number > to.number;
      if (report !== undefined) own.waiting.add(report);
      try {
        await settledWithin(reach(to, isRestored), WAIT, signal);
      } finally {
        if (report !== undefined) own.waiting.delete(report);
      }
      return { to, isReached: isAt(to) };
    },
    tracked,
    close: async () => {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}
