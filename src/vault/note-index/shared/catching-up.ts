// Keeps the index of a space up to date with its files. Files that changed wait in the
// store, no matter who changed them; the next query indexes them first, so that a query
// finds what was committed before it. A reader with a login of the database may not: its
// queries give others a moment to do it. Used by shared-note-index.ts.
import { setTimeout as pause } from "node:timers/promises";
import type { SharedSpace } from "../../../journal/journal.ts";
import type { TaggedQuery } from "../../../postgres/postgres.ts";
import { type Freshness, settledWithin, type SweepOptions } from "../../../search/search.ts";
import type { Swept } from "../sweep.ts";
import { indexWaiting } from "./indexing.ts";

/** Milliseconds that a query waits for the index; a first one of many notes takes longer. */
const WAIT = 2_500;
/** Milliseconds after a change in which further ones may follow. */
const PAUSE = 200;
/** The same for those who may not write it, less than WAIT: who changes something indexes it right after. */
const OTHERS_WAIT = 1_500;
/** Milliseconds between two looks of theirs. */
const ASK_EVERY = 50;
/** Milliseconds that the end of a process waits until its changes are indexed; others do it later. */
const LAST_WAIT = 5_000;

/** The space, and whether one may write its index. */
export interface Indexable {
  readonly space: number;
  readonly mayIndex: boolean;
  /** Changes with every change of a file and of the index. */
  readonly version: string;
}

export type Indexed = Pick<Swept, "changed" | "removed">;

export interface CatchingUp {
  /** Resolves once everything that waits now is indexed. Only for those who may. */
  readonly all: (of: Indexable, options?: SweepOptions) => Promise<Indexed>;
  /** The same, for a query, which does not wait for long. */
  readonly forQuery: (of: Indexable, options: SweepOptions) => Promise<Freshness>;
  /** Indexes soon what this process has changed. */
  readonly soon: (of: () => Promise<Indexable>) => void;
  /** Work that has to end before the index is closed. */
  readonly tracked: <T>(work: Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export function catchingUp({ store }: Pick<SharedSpace, "store">, closing: AbortController): CatchingUp {
  const underWay = new Set<Promise<unknown>>();
  const waiting = new Set<NonNullable<SweepOptions["onProgress"]>>();
  let running: { readonly space: number; readonly work: Promise<Indexed> } | undefined;
  let later: { readonly timer: NodeJS.Timeout; readonly of: () => Promise<Indexable> } | undefined;

  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const ended = work.catch(() => {}).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return work;
  };

  const report = async (space: number) => {
    if (waiting.size === 0) return;
    const { done, total } = await store.reading((sql) => progressOf(sql, space));
    for (const tell of waiting) tell(done, total);
  };

  const run = async ({ space }: Indexable): Promise<Indexed> => {
    let [changed, removed] = [0, 0];
    for (;;) {
      closing.signal.throwIfAborted();
      await report(space);
      const some = await store.transaction((sql) => indexWaiting(sql, space, closing.signal));
      changed += some.changed;
      removed += some.removed;
      if (!some.isMore && !(await store.reading((sql) => isWaiting(sql, space)))) return { changed, removed };
    }
  };

  /** The version at which others have indexed nothing in the time that a query waits. */
  let idleAt: string | undefined;
  /** Whether others have indexed everything. Waits for them once: if nothing has happened since, nobody is at it. */
  const indexedByOthers = async ({ space, version }: Indexable): Promise<boolean> => {
    if (idleAt === version) return false;
    const end = performance.now() + OTHERS_WAIT;
    while (performance.now() < end) {
      await pause(ASK_EVERY, undefined, { signal: closing.signal });
      if (!(await store.reading((sql) => isWaiting(sql, space)))) return true;
    }
    idleAt = version;
    return false;
  };

  const all: CatchingUp["all"] = async (of, { onProgress, signal } = {}) => {
    if (onProgress !== undefined) waiting.add(onProgress);
    try {
      if (running?.space !== of.space) {
        const work = tracked(run(of)).finally(() => {
          if (running?.work === work) running = undefined;
        });
        running = { space: of.space, work };
      }
      signal?.throwIfAborted();
      return await running.work;
    } finally {
      if (onProgress !== undefined) waiting.delete(onProgress);
    }
  };

  const index = async (of: () => Promise<Indexable>) => {
    try {
      const target = await of();
      // Those who may not write the index have changed nothing either.
      if (target.mayIndex) await all(target);
    } catch {
      // The next query does it, and says why if it cannot.
    }
  };

  return {
    all,
    tracked,
    forQuery: async (of, { signal, onProgress }) => {
      let isDone = false;
      const work = of.mayIndex ? all(of, { onProgress }).then(() => true) : tracked(indexedByOthers(of));
      await settledWithin(
        work.then((isIndexed) => (isDone = isIndexed)),
        WAIT,
        signal,
      );
      if (isDone) return { stale: false };
      const { done, total } = await store.reading((sql) => progressOf(sql, of.space));
      return {
        stale: true,
        ...(done * 2 < total && { indexing: { done, total } }),
        ...(!of.mayIndex && { waitsForWriter: true as const }),
      };
    },
    soon: (of) => {
      if (later !== undefined || closing.signal.aborted) return;
      const timer = setTimeout(() => {
        later = undefined;
        void tracked(index(of));
      }, PAUSE).unref();
      later = { timer, of };
    },
    close: async () => {
      if (later !== undefined) {
        clearTimeout(later.timer);
        await settledWithin(index(later.of), LAST_WAIT);
      }
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

async function isWaiting(sql: TaggedQuery, space: number): Promise<boolean> {
  return (await sql`SELECT 1 FROM commonplace.note_waiting WHERE space = ${space} LIMIT 1`).length > 0;
}

async function progressOf(sql: TaggedQuery, space: number): Promise<{ readonly done: number; readonly total: number }> {
  const [row] = await sql`
    SELECT (SELECT count(*) FROM commonplace.file WHERE space = ${space} AND kind = 'file') AS total,
      (SELECT count(*) FROM commonplace.note_waiting WHERE space = ${space}) AS waiting`;
  const total = Number(row!["total"]);
  return { total, done: Math.max(0, total - Number(row!["waiting"])) };
}
