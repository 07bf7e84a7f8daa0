// Commits a planned operation: records the intent, writes the contents, applies
// the actions, and marks the end. Used by the journal, under its lock, for
// changes, undo and redo.
import { FullDisk, type HeldRoot, holdFolders, type VaultRoot } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { type Retry, retryWhileBusy } from "../../sqlite/sqlite.ts";
import type { Entries } from "../entries.ts";
import type { NewEntry } from "../entry.ts";
import type { Retention } from "../retention.ts";
import { foldersMovedBy, outermost, pathsOf, type Action, type MovedFolder, type Planned } from "../plan/action.ts";
import { apply, type Watching, syncAll } from "./apply.ts";
import { batchesOf } from "./batches.ts";
import { discardContents, writeContents, type WriteOptions } from "./contents.ts";
import type { ReplacedFiles } from "../replaced/replaced-files.ts";
import type { KnownFiles } from "../replaced/settled-files.ts";
import { removeSecondName, rollback } from "./rollback.ts";

/** The paths an operation changed, for an index to re-read. */
export interface Changed {
  /** Everything that was created, removed or changed is at or below one of these. */
  readonly paths: readonly string[];
  /** Folders that were moved: their content is the same, except for changed files in `paths`. */
  readonly folders: readonly MovedFolder[];
}

interface Options {
  readonly root: VaultRoot;
  readonly replaced: ReplacedFiles;
  readonly known: KnownFiles;
  readonly retention: Retention;
  readonly log: (message: string) => void;
  readonly onChanged: (changed: Changed) => void;
}

export type Commit = (
  entries: Entries,
  entry: Omit<NewEntry, "actions">,
  planned: readonly Planned[],
  retry: Retry,
  onProgress?: WriteOptions["onProgress"],
) => Promise<number>;

/** How long to try what the next change would do as well, in milliseconds. */
const BRIEF = 1000;

/** Old entries are trimmed once in so many commits. */
const TRIM_EVERY = 50;

/** @returns a function that commits one operation, and returns the number of its entry */
export function committer({ root, replaced, known, retention, log, onChanged }: Options): Commit {
  let commits = 0;

  /** A failed intent that stays is found by the next change, which has nothing to roll back. */
  const forget = async (entries: Entries, number: number, brief: Retry): Promise<void> => {
    try {
      await retryWhileBusy(() => entries.drop(number), brief);
    } catch (error) {
      log(`a change that was not made stays in the journal for now: ${messageOf(error)}`);
    }
  };

  return async (entries, about, planned, retry, onProgress) => {
    const actions = planned.map(({ action }) => action);
    const brief = () => ({ every: retry.every, deadline: Date.now() + BRIEF });
    const number = await retryWhileBusy(() => {
      if (commits % TRIM_EVERY === 0) entries.trim(retention);
      return entries.plan({ ...about, actions });
    }, retry);
    commits++;
    const held = holdFolders(root);
    const indexes = new Map<Action, number>(actions.map((action, index) => [action, index]));
    const watching: Watching = {
      keep: (at, stats, patch) => replaced.keep(at, stats, patch, number, indexes.get(patch)!),
      left: (stats) => stats && known.add(stats),
    };
    try {
      // The intent is written first, so that a killed process leaves no unknown file. Then intent and contents are
      // synced at the same time, which takes little longer than one of them.
      const work = (intent: Promise<void>) =>
        applyOrRollBack(held, planned, watching, intent, { signal: retry.signal, onProgress });
      await work(entries.flush()).catch((error: unknown) => {
        // Replaced files that are still watched take room, too.
        if (!(error instanceof FullDisk) || replaced.letGo() === 0) throw error;
        return work(Promise.resolve());
      });
    } catch (error) {
      if (error instanceof NotRolledBack) log(`${about.tool} failed: ${error.reason}`);
      else await forget(entries, number, brief());
      throw error;
    } finally {
      held.close();
    }
    try {
      await retryWhileBusy(() => entries.finish({ number, origin: about.origin }), brief());
    } catch (error) {
      // The change is applied and on the disk: the next change detects that, and marks it.
      log(`the end of ${about.tool} could not be marked: ${messageOf(error)}`);
    }
    onChanged({ paths: outermost(pathsOf(actions)), folders: foldersMovedBy(actions) });
    return number;
  };
}

/** Changes the files, or leaves them as they were. */
async function applyOrRollBack(
  held: HeldRoot,
  planned: readonly Planned[],
  watching: Watching,
  intent: Promise<void>,
  options: WriteOptions,
): Promise<void> {
  const actions = planned.map(({ action }) => action);
  const [first = [], ...others] = await batchesOf(held.folder, planned);
  // With several batches, progress is reported when each has been applied.
  const firstOptions = others.length === 0 ? options : { signal: options.signal };
  const written = await Promise.allSettled([intent, writeContents(held, first, firstOptions)]);
  const failed = written.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    await discardContents(held, actions);
    throw failed.reason;
  }
  const applied: Action[] = [];
  try {
    await apply(held, first, watching, (action) => applied.push(action));
    for (const batch of others) {
      await writeContents(held, batch);
      await apply(held, batch, watching, (action) => applied.push(action));
      options.onProgress?.(applied.length, actions.length);
    }
    await syncAll(held, actions);
  } catch (error) {
    try {
      const failing = actions[applied.length];
      if (failing !== undefined) await removeSecondName(held, failing);
      // The remaining contents are discarded first: the disk may be full.
      await discardContents(held, actions.slice(applied.length));
      await rollback(held, applied);
    } catch (reason) {
      throw new NotRolledBack(error, reason);
    } finally {
      await discardContents(held, actions);
    }
    throw error;
  }
}

/** A change that failed half-way, and whose rollback failed too. Its entry stays: the next change rolls it back first. */
class NotRolledBack extends Problem {
  /** Both errors, for the log. */
  readonly reason: string;

  constructor(error: unknown, rollbackError: unknown) {
    super(
      "denied",
      // The sentence of the first error assumes that nothing was changed.
      `The change failed half-way and could not be rolled back yet. ${messageOf(error).replace(/[:.] nothing was changed\.$/i, ".")}`,
      "The next change rolls it back or completes it. Look at what is there, then try again.",
    );
    this.reason = `${messageOf(error)} It could not be rolled back yet: ${messageOf(rollbackError)}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
