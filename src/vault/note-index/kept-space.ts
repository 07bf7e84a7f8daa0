// Keeps the index of a space in a shared store up to date (search/fed-index.ts). Loaded
// only for a vault in a shared store.
import { type AccessRules, type StoredFiles, type VaultPath } from "../../files/files.ts";
import type { SharedSpace } from "../../journal/journal.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Standing } from "../../shared/shared.ts";
import { endUse, type FedIndex, type Freshness, keepFed } from "../../search/search.ts";
import { mended } from "../../sqlite/sqlite.ts";
import type { KeptIndex } from "./kept-index.ts";
import type { NoteDatabase } from "./note-database.ts";
import { ahead, feedOf, isIndexed } from "./space-files.ts";

/** Milliseconds after a change in which further ones may follow. */
const PAUSE = 200;

/** Bytes of a file that is read together with others; a larger one is read by itself. */
const MAX_AT_ONCE = 1024 * 1024;

interface Opening {
  readonly space: SharedSpace;
  readonly root: StoredFiles;
  readonly access: AccessRules;
  readonly own: FedIndex<NoteDatabase>;
  /** True if other members use the index, too: it outlives the membership of one. */
  readonly isServed: boolean;
}

export function keptSpace({ space, root, access, own, isServed }: Opening): KeptIndex {
  const { index } = own;
  let later: NodeJS.Timeout | undefined;
  let isClosing = false;
  const { isAt, follow, reach, freshen, tracked, close } = keepFed(own, {
    ...index,
    follow: (to: Standing, isRestored, options) => index.follow({ ...feedOf(space, access, to), isRestored }, options),
  });

  /** A member who is not in the space any more keeps nothing of it. */
  const standing = async (): Promise<Standing> => {
    try {
      return await space.standing();
    } catch (error) {
      if (!isServed && error instanceof Problem && error.code === "denied" && index.exists()) index.discard();
      throw error;
    }
  };

  const fresh = async (options: Parameters<typeof freshen>[2] = {}): Promise<Freshness> => {
    const { to, isReached } = await freshen(await standing(), standing, options);
    if (isReached) return { stale: false };
    const fed = index.fed();
    if (fed !== undefined && fed.identity !== to.identity)
      throw new Problem("timeout", `The index of ${space.name} is being made again.`, "Try again in a moment.");
    const { swept, done, total } = index.state();
    return { stale: true, ...(swept === 0 && { indexing: { done, total } }) };
  };

  return {
    root,
    files: { ahead: (files) => ahead(space, files) },
    tracked,
    ask: (question, options) => mended(index, async () => question(await fresh(options))),
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
          const swept = isAt(now) ? undefined : await follow(now, options);
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
      if (paths.length === 0 || later !== undefined || isClosing) return;
      later = setTimeout(() => {
        later = undefined;
        // The next query does it, and says why if it cannot.
        if (index.exists()) void tracked(standing().then((now) => reach(now))).catch(() => {});
      }, PAUSE).unref();
    },
    close: async () => {
      clearTimeout(later);
      isClosing = true;
      await close();
      endUse(own);
    },
  };
}
