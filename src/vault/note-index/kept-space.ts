// Keeps the index of a space in a shared store up to date. The store holds the files,
// and the index is a cache of this machine: before every answer the store says whether the
// member is in the space, and the number of its newest change; what has changed since is
// fed into the index. The members of a server share the index. Loaded only for a vault in
// a shared store.
import { setTimeout as pause } from "node:timers/promises";
import { type AccessRules, type StoredFiles, type VaultPath } from "../../files/files.ts";
import type { SharedSpace, Standing } from "../../journal/journal.ts";
import { Problem } from "../../kernel/kernel.ts";
import { type Freshness, settledWithin, type SweepOptions } from "../../search/search.ts";
import { mended } from "../../sqlite/sqlite.ts";
import type { KeptIndex } from "./kept-index.ts";
import type { NoteDatabase } from "./note-database.ts";
import { ahead, feedOf, isIndexed } from "./space-files.ts";
import type { Swept } from "./sweep.ts";

/** Milliseconds that a query waits for what changed; a first index of many notes takes longer. */
const WAIT = 2_500;
/** Milliseconds between two looks whether another process has done it. */
const ASK_OTHERS_EVERY = 20;
/** Milliseconds after a change in which further ones may follow. */
const PAUSE = 200;

/** Bytes of a file that is read together with others; a larger one is read by itself. */
const MAX_AT_ONCE = 1024 * 1024;

/** The index of a space in this process, for all of its members here. */
export interface SpaceIndex {
  readonly index: NoteDatabase;
  /** Callers that wait for the first index. */
  readonly waiting: Set<NonNullable<SweepOptions["onProgress"]>>;
  running: Promise<Swept | undefined> | undefined;
  users: number;
}

const OPEN = new Map<string, SpaceIndex>();

/** @param open opens the index of this file, unless it is open */
export function sharedIndex(file: string, open: () => NoteDatabase): SpaceIndex {
  const known = OPEN.get(file) ?? { index: open(), waiting: new Set(), running: undefined, users: 0 };
  OPEN.set(file, known);
  known.users++;
  return known;
}

function endUse(own: SpaceIndex): void {
  if (--own.users > 0) return;
  for (const [file, one] of OPEN) if (one === own) OPEN.delete(file);
  own.index.close();
}

interface Opening {
  readonly space: SharedSpace;
  readonly root: StoredFiles;
  readonly access: AccessRules;
  readonly own: SpaceIndex;
  /** True if other members use the index, too: it outlives the membership of one. */
  readonly isServed: boolean;
}

export function keptSpace({ space, root, access, own, isServed }: Opening): KeptIndex {
  const { index, waiting } = own;
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let later: NodeJS.Timeout | undefined;

  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const ended = work.catch(() => {}).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return work;
  };

  /** A member who is not in the space any more keeps nothing of it. */
  const standing = async (): Promise<Standing> => {
    try {
      return await space.standing();
    } catch (error) {
      if (!isServed && error instanceof Problem && error.code === "denied" && index.exists()) index.discard();
      throw error;
    }
  };

  const isAt = ({ identity, number }: Standing): boolean => {
    const fed = index.exists() ? index.fed() : undefined;
    return fed?.identity === identity && fed.number >= number && index.state().swept > 0;
  };

  const follow = async (of: Standing, isRestored: boolean, options: SweepOptions): Promise<Swept | undefined> => {
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    for (;;) {
      const swept = await index.follow({ ...feedOf(space, access, of), isRestored }, { ...options, signal });
      if (swept !== undefined || isAt(of)) return swept;
      await pause(ASK_OTHERS_EVERY, undefined, { signal });
    }
  };

  const onProgress = (done: number, total: number) => waiting.forEach((report) => report(done, total));
  /** Follows the feed to this number, or waits for the member of this server who does. */
  const reach = async (of: Standing, isRestored = false): Promise<void> => {
    for (;;) {
      if (!isRestored && isAt(of)) return;
      const isOurs = own.running === undefined;
      own.running ??= tracked(mended(index, () => follow(of, isRestored, { onProgress }))).finally(
        () => (own.running = undefined),
      );
      await own.running.catch((error: unknown) => {
        if (isOurs) throw error;
      });
      if (isOurs) return;
    }
  };

  const freshen = async ({ signal, onProgress: report }: SweepOptions = {}): Promise<Freshness> => {
    let now = await standing();
    let isRestored = false;
    if (isAt(now)) {
      const { number } = index.fed()!;
      if (number === now.number) return { stale: false };
      // Another process has followed the feed since; or the numbers went back with a backup.
      now = await standing();
      isRestored = number > now.number;
    }
    if (report !== undefined) waiting.add(report);
    const work = reach(now, isRestored);
    try {
      await settledWithin(work, WAIT, signal);
    } finally {
      if (report !== undefined) waiting.delete(report);
    }
    if (isAt(now)) return { stale: false };
    const fed = index.fed();
    if (fed !== undefined && fed.identity !== now.identity)
      throw new Problem("timeout", `The index of ${space.name} is being made again.`, "Try again in a moment.");
    const { swept, done, total } = index.state();
    return { stale: true, ...(swept === 0 && { indexing: { done, total } }) };
  };

  return {
    root,
    files: { ahead: (files) => ahead(space, files) },
    tracked,
    ask: (question, options) => mended(index, async () => question(await freshen(options))),
    readers: async (paths) => {
      const contents = await space.contentsOf(paths as readonly VaultPath[], MAX_AT_ONCE);
      return async (path) => {
        const bytes = contents.get(path);
        return bytes === undefined ? root.read(path as VaultPath) : { bytes };
      };
    },
    refresh: (_, options, isRebuild, rest) =>
      tracked(
        mended(index, async () => {
          const now = await standing();
          if (isRebuild) await index.clear();
          const swept = isAt(now) ? undefined : await follow(now, false, options);
          await rest();
          return swept ?? { total: index.state().total, changed: 0, removed: 0, unread: index.unread() };
        }),
      ),
    inPlan: async (question) => {
      try {
        // A plan holds the space, and a connection: what waits to be indexed is named, and not indexed.
        const { identity } = await standing();
        const fed = index.exists() ? index.fed() : undefined;
        if (fed?.identity !== identity || index.state().swept === 0) return undefined;
        const changes = await space.changesAfter(fed.number);
        const found = await question();
        for (const path of index.pathsOfFed(changes.map(({ file }) => file))) found.delete(path);
        for (const { facts } of changes)
          if (facts !== undefined && isIndexed(facts.path, access)) found.add(facts.path);
        return found;
      } catch {
        // Without access the caller learns it from the files themselves.
        return undefined;
      }
    },
    ifThere: async (question) => {
      const { identity } = await standing();
      return index.exists() && index.fed()?.identity === identity ? question() : undefined;
    },
    stamp: async () => {
      const { identity, number } = await standing();
      return `${identity} ${number} ${index.exists() ? (index.fed()?.number ?? 0) : 0}`;
    },
    noteWritten: async ({ paths }) => {
      if (paths.length === 0 || later !== undefined || closing.signal.aborted) return;
      later = setTimeout(() => {
        later = undefined;
        // The next query does it, and says why if it cannot.
        if (index.exists()) void tracked(standing().then(reach)).catch(() => {});
      }, PAUSE).unref();
    },
    close: async () => {
      clearTimeout(later);
      closing.abort();
      await Promise.all(underWay);
      endUse(own);
    },
  };
}
