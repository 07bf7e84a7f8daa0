// Keeps the index of a folder up to date: it is swept before queries, unless that was done
// a moment ago, and what this process writes is indexed at once. Opened by
// sqlite-note-index.ts.
import type { VaultPath } from "../../files/files.ts";
import { type Changed, outermost } from "../../journal/journal.ts";
import { type Freshness, keepFresh, settledWithin } from "../../search/search.ts";
import type { Vault } from "../vault.ts";
import { indexedFolder } from "./indexed-files.ts";
import type { KeptIndex } from "./kept-index.ts";
import type { NoteDatabase } from "./note-database.ts";

/** Milliseconds that a query waits until this process's own writes are indexed; then the answer is marked as stale. */
const WRITES_WAIT = 2_000;

export function keptFolder(root: Vault["root"], index: NoteDatabase): KeptIndex {
  const files = indexedFolder(root);
  const { freshen, sweepSince, mending, tracked, outdated, close } = keepFresh({
    state: index.state,
    sweep: (options) => index.sweep(files, options),
    recover: index.recover,
  });

  /** Changes that are not indexed yet, oldest first. */
  const written: Changed[] = [];
  let indexing: Promise<void> | undefined;
  /** Indexes all pending changes in one sweep, after moving the folders in order. */
  const indexWritten = async () => {
    while (written.length > 0) {
      const paths: string[] = [];
      try {
        for (let next = written.shift(); next !== undefined; next = written.shift()) {
          paths.push(...next.paths);
          for (const folder of next.folders) await index.relocate(folder);
        }
        await index.refresh(files, outermost(paths));
      } catch {
        outdated();
      }
    }
  };

  /** Waits for own writes, so that this process's next query finds them. */
  const afterWrites = async <T extends Freshness>(
    signal: AbortSignal | undefined,
    query: () => Promise<T>,
  ): Promise<T> => {
    if (indexing !== undefined) await settledWithin(indexing, WRITES_WAIT, signal);
    const isLate = indexing !== undefined;
    const answer = await query();
    return isLate ? { ...answer, stale: true } : answer;
  };

  return {
    root,
    files,
    tracked,
    ask: (question, options = {}) =>
      afterWrites(options.signal, () => mending(async () => question(await freshen(options)))),
    readers: async () => async (path) => root.read(path as VaultPath),
    refresh: (time, options, isRebuild, rest) =>
      tracked(
        mending(async () => {
          if (isRebuild) await index.clear();
          const swept = await sweepSince(time, options);
          await rest();
          return swept;
        }),
      ),
    inPlan: async (question: () => Promise<Set<string>>) => {
      await indexing;
      try {
        if (!index.exists() || index.state().swept === 0) return undefined;
        await sweepSince(Date.now(), {});
        return await question();
      } catch {
        // The caller works without the index.
        return undefined;
      }
    },
    ifThere: async (question) => (index.exists() ? question() : undefined),
    stamp: async () => index.stamp(),
    noteWritten: async (changed) => {
      // Without an index there is nothing to keep up to date: the first query indexes everything.
      if (changed.paths.length === 0 || !index.exists()) return;
      written.push(changed);
      while (written.length > 0) {
        indexing ??= tracked(indexWritten()).finally(() => (indexing = undefined));
        await indexing;
      }
    },
    close: async () => {
      await indexing;
      await close();
      index.close();
    },
  };
}
