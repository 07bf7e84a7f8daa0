// Opens the journal of a vault or an outline: every operation runs here, under
// the lock, after the recovery of what a killed process left.
import { join } from "node:path";
import { type AccessRules, codeOf, folderFiles, isSystemError, NO_RULES, type VaultRoot } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import { isFull, type Retry, retryWhileBusy } from "../sqlite/sqlite.ts";
import { type Commit, committer, type Changed } from "./apply/commit.ts";
import { recover } from "./apply/recover.ts";
import { changesOf, forecastUndo } from "./changes.ts";
import { EntriesFile } from "./entries-connection.ts";
import type { Entries } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { idOfEntry, idPrefixOf, journalName, numberOfEntry } from "./journal-names.ts";
import type { Journal, Past, Which, Written } from "./journal.ts";
import { openLock } from "./lock.ts";
import { bringBack } from "./replaced/bring-back.ts";
import { ReplacedFiles } from "./replaced/replaced-files.ts";
import { KnownFiles, settledFiles } from "./replaced/settled-files.ts";
import { trashedBy } from "./plan/action.ts";
import { readOnlyVault } from "./plan/access.ts";
import type { ContentCheck } from "./plan/plan.ts";
import { plannerOf } from "./plan/planner.ts";
import type { Retention } from "./retention.ts";
import { operationOf, OwnOperations, reverse, type UndoStep } from "./undo.ts";
import { growVisit, VISIT } from "./visits.ts";
import { isShown, shownEntries, shownMoves, withoutHiddenNames } from "./visible-entries.ts";

export interface JournalOptions {
  /** Reports changes that had to be rolled back. */
  readonly log: (message: string) => void;
  /** Reports what this journal changed, by undo and redo as well. */
  readonly changed?: (changed: Changed) => void;
  /** The paths that the settings hide and protect. */
  readonly access?: AccessRules | undefined;
  /** Checks new content: the journal itself knows no formats. */
  readonly checkContent?: ContentCheck;
  /**
   * Frees some of the disk that a folder is on, for another attempt, and more if one was in vain; false if it cannot.
   */
  readonly makeRoom?: ((folder: string, isAgain: boolean) => Promise<boolean>) | undefined;
  /** The subject of the journal, if not the whole root: the real path of an outline. */
  readonly subject?: string;
  /** How long to wait for another process, in milliseconds. */
  readonly wait?: number;
  readonly retention?: Retention;
}

/** The arguments of a commit. */
type Committing =
  Parameters<Commit> extends [unknown, infer About, infer Planned, ...unknown[]] ? [About, Planned] : never;

const WAIT = 20_000;
const MB = 1024 * 1024;
const RETENTION: Retention = {
  milliseconds: 30 * 24 * 60 * 60 * 1000,
  bytes: 500 * MB,
  atLeast: { entries: 1000, bytes: 50 * MB },
};

/** How long a reader waits for the lock to recover an interrupted change, in milliseconds. */
const RECOVERY_WAIT = 300;

/** Between two attempts on a busy database, in milliseconds. */
const RETRY_EVERY = 50;
/** Further attempts of a change on a full disk: logs and caches, on two disks. */
const MAX_ATTEMPTS = 4;

/** Stands for a change that was rolled back and may not be shown. */
const OUT_OF_SIGHT = "one of files that the settings keep out of reach";

/** Opens and creates nothing before it is used. @param folder where journals are stored */
export function openJournal(folder: string, root: VaultRoot, options: JournalOptions): Journal {
  const { log, changed: onChanged = () => {}, retention = RETENTION, wait = WAIT, access = NO_RULES } = options;
  const known = new KnownFiles();
  const files = settledFiles(
    folderFiles(root),
    known,
    (hash) => file.read((entries) => entries.hasLeft(hash)) === true,
  );
  const place = { root: files, access, checkContent: options.checkContent };
  const planner = plannerOf(place);
  // Hashed on first use: a search opens the journal with the vault but does not use it, and SHA-256 takes 10 ms to load.
  let hashed: string | undefined;
  const name = () => (hashed ??= journalName(options.subject ?? root.folder));
  const file = new EntriesFile(() => join(folder, `${name()}.db`), log);
  const lock = openLock(
    () => join(folder, name()),
    wait,
    () => file.miss(),
  );
  const replaced = new ReplacedFiles(
    () => join(folder, `${name()}.replaced`),
    (each) =>
      underLock(undefined, async (entries, retry) => {
        const bringing = {
          ...place,
          entries,
          commit: (...[about, planned]: Committing) => commit(entries, about, planned, retry),
        };
        const brought = await bringBack(bringing, each);
        if (brought === undefined) return;
        log(brought.sentence);
        if (!access.isHidden(brought.path)) broughtBack.push(brought.sentence);
      }),
    log,
  );
  const commit = committer({ root, replaced, known, retention, log, onChanged });
  const own = new OwnOperations();
  /** Notes brought back since the last change, for the answer of the next one. */
  const broughtBack: string[] = [];
  /** True if what other processes left was looked for. */
  let hasAdopted = false;
  /** The change this process rolled back for a killed one, until it changes something itself or undo reports it. */
  let rolledBack: string | undefined;

  const idOf = (number: number) => idOfEntry(name(), number);
  const numberOf = (id: string) => numberOfEntry(name(), id);
  const writtenOf = ({ number, tool, actions, message }: Pick<Entry, "number" | "tool" | "actions" | "message">) => ({
    id: idOf(number),
    tool,
    paths: planner.shownPaths(actions),
    message,
    ...trashedNote(actions),
  });
  const pastOf =
    (entries: Entries) =>
    (entry: Entry): Past => ({
      ...writtenOf(entry),
      undone: entry.isUndone,
      moves: shownMoves(entry, access),
      ...madeOf(entries, entry),
    });

  /**
   * A full disk is tried again while our caches can make room on it: first for the logs, which the change itself may
   * fill again, then for the caches, on the disks of the journal and of the files.
   */
  const withRoom = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (options.makeRoom === undefined || !isFull(error) || attempt === MAX_ATTEMPTS) throw error;
        const isAgain = attempt > 0;
        const made = (await options.makeRoom(folder, isAgain)) || (await options.makeRoom(root.folder, isAgain));
        if (!made) throw error;
      }
    }
  };

  /** Every change goes through here: alone, on a vault that is there, with nothing unfinished in it. */
  const underLock = <T>(
    signal: AbortSignal | undefined,
    work: (entries: Entries, retry: Retry) => Promise<T>,
  ): Promise<T> => withRoom(() => underLockOnce(signal, work));

  const underLockOnce = async <T>(
    signal: AbortSignal | undefined,
    work: (entries: Entries, retry: Retry) => Promise<T>,
  ): Promise<T> => {
    const holding = lock.hold(async () => {
      const retry = { every: RETRY_EVERY, deadline: Date.now() + wait, signal };
      root.check();
      const entries = await retryWhileBusy(() => file.open(), retry);
      const recovered = await retryWhileBusy(() => recover(root, entries, log), retry);
      if (!hasAdopted) replaced.adopt(true);
      hasAdopted = true;
      if (recovered !== undefined) rolledBack = isShown(recovered, access) ? recovered.message : OUT_OF_SIGHT;
      return work(entries, retry);
    }, signal);
    try {
      return await holding;
    } catch (error) {
      throw isSystemError(error) ? notMade(error) : error;
    }
  };

  const named = async (entries: Entries, id: string): Promise<Entry> => {
    const number = numberOf(id);
    const entry = number === undefined ? undefined : await operationOf(entries, number);
    if (entry !== undefined && isShown(entry, access)) return entry;
    throw new Problem("not_found", `There is no journal entry ${id}.`, "The history lists those that are kept.");
  };

  const undoOrRedo =
    (step: UndoStep) =>
    async ({ id, signal }: Which = {}) => {
      if (access.readOnly !== undefined) throw readOnlyVault(access.readOnly);
      return underLock(signal, async (entries, retry) => {
        const next =
          id === undefined ? await own.next(entries, step, access) : { entry: await named(entries, id), isOwn: true };
        if (next === undefined) throw new Problem("not_found", `There is nothing to ${step}.`);
        const { entry, isOwn } = next;
        const reversal = {
          ...place,
          idOf,
          signal,
          commit: (...[about, planned]: Committing) => commit(entries, about, planned, retry),
        };
        const { message, actions } = await reverse(reversal, entries, entry, step);
        own.add(step === "undo" ? "redo" : "undo", entry.number);
        rolledBack = undefined;
        // The paths are those of the operation; only what this step itself trashed is in the trash now.
        const { trashed: _, ...written } = writtenOf(entry);
        const made = isOwn ? {} : { ofOthers: madeOf(entries, entry) };
        return { ...written, message, ...trashedNote(actions), ...made };
      });
    };

  return {
    preview: async ({ signal }, plan) => {
      if (access.readOnly !== undefined) throw readOnlyVault(access.readOnly);
      root.check();
      await planner.plan(plan, signal);
    },
    change: async ({ tool: named, by, signal, onProgress, onWritten, onWarning, isPreview, visit }, plan) => {
      if (access.readOnly !== undefined) throw readOnlyVault(access.readOnly);
      if (isPreview === true) {
        root.check();
        return planner.preview(plan, signal);
      }
      return underLock(signal, async (entries, retry) => {
        const { message, planned } = await planner.plan(plan, signal);
        if (planned.length === 0) return undefined;
        signal?.throwIfAborted();
        const tool = visit === undefined ? named : VISIT;
        const commitment = { tool, message, origin: undefined, by };
        const number = await commit(entries, commitment, planned, retry, onProgress).catch((error: unknown) => {
          const actions = planned.map(({ action }) => action);
          throw withoutHiddenNames(error, actions, access);
        });
        const earlier = visit === undefined ? undefined : numberOf(visit);
        if (earlier !== undefined) await retryWhileBusy(() => growVisit(entries, earlier, number, planned), retry);
        if (visit === undefined) own.add("undo", number);
        rolledBack = undefined;
        const written = writtenOf({ number, tool, message, actions: planned.map(({ action }) => action) });
        onWritten?.(written);
        for (const sentence of broughtBack.splice(0)) onWarning?.(sentence);
        return written;
      });
    },
    changes: async (id, signal) => {
      const found = await file.read(async (entries) =>
        changesOf(place, entries, await named(entries, id), { idOf, signal }),
      );
      if (found === undefined) throw new Problem("not_found", `There is no journal entry ${id}.`);
      return found;
    },
    forecastUndo: async (ids, signal) => {
      const found = await file.read(async (entries) => {
        const undone: Entry[] = [];
        for (const id of ids) undone.push(await named(entries, id));
        return forecastUndo(place, entries, undone, signal);
      });
      return found ?? { possible: 0, obstacle: "There is no history." };
    },
    undo: undoOrRedo("undo"),
    redo: undoOrRedo("redo"),
    next: async (step) => {
      const found = await file.read((entries) => own.next(entries, step, access));
      if (found === undefined) return undefined;
      const { entry, isOwn } = found;
      return { id: idOf(entry.number), isOwn, order: entry.latest ?? entry.number };
    },
    recoverInterrupted: async () => {
      replaced.adopt(false);
      if (file.read((entries) => entries.newest())?.isDone !== false) return;
      // A change in progress has no end either: its process holds the lock, and is not waited for.
      await underLock(AbortSignal.timeout(RECOVERY_WAIT), async () => {}).catch((error: unknown) => {
        log(`an interrupted change is not rolled back yet: ${(error as Error).message}`);
      });
    },
    takeRolledBack: () => {
      const message = rolledBack;
      rolledBack = undefined;
      return message;
    },
    idPrefix: () => idPrefixOf(name()),
    has: async (id) => {
      const number = numberOf(id);
      const entry = number === undefined ? undefined : file.read((entries) => entries.find(number));
      return entry !== undefined && isShown(entry, access);
    },
    history: async ({ limit = 20, cursor, path } = {}) => {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : numberOf(cursor);
      if (before === undefined) throw new Problem("invalid", `Invalid cursor: ${cursor}`);
      const listed = file.read(async (all) =>
        (await shownEntries(all, before, limit + 1, access, path)).map(pastOf(all)),
      );
      const found = (await listed) ?? [];
      const entries = found.slice(0, limit);
      const last = entries.at(-1);
      return found.length > limit && last !== undefined ? { entries, nextCursor: last.id } : { entries };
    },
    count: async () => {
      const counted = file.read(async (entries) => {
        if (!access.hides) return entries.count();
        return (await shownEntries(entries, Number.MAX_SAFE_INTEGER, entries.count(), access)).length;
      });
      return (await counted) ?? 0;
    },
    purge: async () => {
      if (!file.exists()) return 0;
      return underLock(undefined, async (entries, retry) => {
        replaced.letGo();
        const count = await retryWhileBusy(() => entries.purge(), retry);
        await retryWhileBusy(() => entries.compact(), retry);
        return count;
      });
    },
    close: async () => {
      await replaced.close();
      await lock.close();
      file.close();
    },
  };
}

function madeOf(entries: Entries, { number, time }: Entry): Pick<Past, "time" | "by"> {
  const by = entries.askerOf(number);
  return { time, ...(by !== undefined && { by }) };
}

function trashedNote(actions: Entry["actions"]): Pick<Written, "trashed"> {
  const trashed = trashedBy(actions);
  return trashed.length === 0 ? {} : { trashed };
}

/** A system error before anything was changed: often another program moved or removed a file. */
function notMade(error: unknown): Problem {
  return new Problem(
    "denied",
    `The files could not be read (${codeOf(error)}): nothing was changed.`,
    "Another program may have moved or removed them. Look at what is there now, then try again.",
  );
}
