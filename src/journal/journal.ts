// The journal of a vault or an outline: the one way to change its files. An
// operation is planned and carried out under the lock, all or nothing, and can
// be undone and redone by any process, later too. The domains that write use
// it; it knows nothing of their formats.
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  codeOf,
  type Content,
  contentHash,
  type HeldRoot,
  holdFolders,
  isSystemError,
  type VaultPath,
  type VaultRoot,
} from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import { type Retry, retryWhileBusy } from "../sqlite/sqlite.ts";
import { foldersMovedBy, outermost, pathsOf, type Action, type MovedFolder } from "./plan/action.ts";
import { apply, syncAll } from "./apply/apply.ts";
import { discardContents, writeContents, type WriteOptions } from "./apply/contents.ts";
import { removeSecondName, rollback } from "./apply/rollback.ts";
import { batchesOf } from "./apply/batches.ts";
import { Entries, type Entry, type NewEntry, type Retention } from "./entries.ts";
import { ProjectedVault } from "./plan/projected-vault.ts";
import { openLock } from "./lock.ts";
import { planInverse, planSteps, type Planned, type Step } from "./plan/plan.ts";
import { recover } from "./apply/recover.ts";

export { outermost } from "./plan/action.ts";
export { inspectJournal } from "./inspect.ts";
export { joinJournals, type Journals, type Reach, type Undoing } from "./journals.ts";
export { conflict, type Step } from "./plan/plan.ts";
export { applyEdits, editBetween, type Edit } from "./plan/splice.ts";

export interface Operation {
  /** What is done, in a sentence for the history. */
  readonly message: string;
  readonly steps: readonly Step[];
}

export interface Written {
  readonly id: string;
  readonly tool: string;
  readonly paths: readonly string[];
  readonly message: string;
}

export interface Past extends Written {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly undone: boolean;
}

/** What `undo` or `redo` would take by itself. */
export interface Next {
  readonly id: string;
  /** Whether this journal made it, or undid it: another process of the same files did otherwise. */
  readonly isOwn: boolean;
  /** Grows with time, in all journals alike. */
  readonly order: number;
}

/** The content of a file under the lock; undefined where there is none. What is read so is not read again. */
export type Read = (path: VaultPath, most?: number) => Content | undefined;

/** What an operation changed, for an index to take in. */
export interface Changed {
  /** Everything that is there, no longer there, or other than before lies at or below one of these. */
  readonly paths: readonly string[];
  /** Folders that were moved: what is in them is the same unless it was changed besides. */
  readonly folders: readonly MovedFolder[];
}

interface About {
  readonly tool: string;
  readonly signal?: AbortSignal | undefined;
  /** Hears how many files are written, of how many, before any of them is put in its place. */
  readonly onProgress?: ((written: number, of: number) => void) | undefined;
}

export interface Journal {
  /**
   * Plans under the lock, then carries out the plan. Undefined where it changes
   * nothing. A signal ends the wait and the plan; once the first file of the vault is changed, it is brought to
   * its end.
   */
  readonly change: (about: About, plan: (read: Read) => Operation | Promise<Operation>) => Promise<Written | undefined>;
  /** Takes back that entry, else this journal's newest that is not undone, else anybody's. */
  readonly undo: (which?: Which) => Promise<Written>;
  /** Brings back that entry, else what this journal undid last, else anybody. */
  readonly redo: (which?: Which) => Promise<Written>;
  /** What `undo` or `redo` without a name would take now; undefined where there is nothing. */
  readonly next: (step: "undo" | "redo") => Next | undefined;
  /** Whether this journal has an entry of this id. */
  readonly has: (id: string) => boolean;
  /** Newest first. The cursor is that of the page before. */
  readonly history: (page?: { readonly limit?: number; readonly cursor?: string }) => {
    readonly entries: readonly Past[];
    readonly nextCursor?: string;
  };
  /** Forgets everything that could be undone. @returns how many entries that was */
  readonly purge: () => Promise<number>;
  /** Waits for the change under way. */
  readonly close: () => Promise<void>;
}

interface Which {
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface JournalOptions {
  /** Hears of changes that had to be taken back. */
  readonly log: (message: string) => void;
  /** Hears of what was changed by this journal, undone and redone too. */
  readonly changed?: (changed: Changed) => void;
  /** What the journal is of, where that is not the whole root: the real path of an outline. */
  readonly subject?: string;
  /** How long to wait for another process, in milliseconds. */
  readonly wait?: number;
  readonly retention?: Retention;
}

const WAIT = 20_000;
const RETENTION: Retention = { milliseconds: 30 * 24 * 60 * 60 * 1000, bytes: 500 * 1024 * 1024 };

/** Between two attempts on a busy database, in milliseconds. */
const RETRY_EVERY = 50;

/** How long what may also be done by the next change is tried, in milliseconds. */
const BRIEF = 1000;

/** The oldest entries are looked at once in so many changes. */
const TRIM_EVERY = 50;

/** The name of a journal's files, by the real path of what it is of. */
export function journalName(subject: string): string {
  return contentHash(Buffer.from(subject)).slice(0, 32);
}

/** Whether anything of this subject was ever changed. */
export function hasJournal(folder: string, subject: string): boolean {
  return existsSync(join(folder, `${journalName(subject)}.db`));
}

/** Opens nothing and makes nothing before it is used. */
export function openJournal(folder: string, root: VaultRoot, options: JournalOptions): Journal {
  const { log, changed = () => {}, retention = RETENTION } = options;
  // A search opens the journal with the vault, and has no use for it: SHA-256 takes Node 10 ms to load.
  let hashed: string | undefined;
  const name = () => (hashed ??= journalName(options.subject ?? root.folder));
  const path = () => join(folder, name());
  const wait = options.wait ?? WAIT;
  let isMissed = false;
  const lock = openLock(path, wait, () => (isMissed = true));
  let kept: Entries | undefined;
  let changes = 0;
  /** Operations of this journal, and those that it undid: oldest first. */
  const own: number[] = [];
  const undid: number[] = [];

  // The first letters of the name tell the entries of several journals apart.
  const idOf = (number: number) => `${name().slice(0, 6)}-${number.toString(36)}`;
  const numberOf = (id: string) => {
    const [, prefix, digits = ""] = /^([0-9a-f]{6})-([0-9a-z]{1,10})$/.exec(id) ?? [];
    return prefix === name().slice(0, 6) ? Number.parseInt(digits, 36) : undefined;
  };
  const writtenOf = (entry: Pick<Entry, "number" | "tool" | "actions" | "message">): Written => ({
    id: idOf(entry.number),
    tool: entry.tool,
    paths: pathsOf(entry.actions),
    message: entry.message,
  });

  const pastOf = (entry: Entry): Past => ({ ...writtenOf(entry), time: entry.time, undone: entry.isUndone });

  /** Every change goes through here: alone, on a vault that is there, with nothing unfinished in it. */
  const underLock = async <T>(
    signal: AbortSignal | undefined,
    work: (entries: Entries, retry: Retry) => Promise<T>,
  ): Promise<T> => {
    const holding = lock.hold(async () => {
      const retry = { every: RETRY_EVERY, deadline: Date.now() + wait, signal };
      root.check();
      const entries = await retryWhileBusy(current, retry);
      await retryWhileBusy(() => recover(root, entries, log), retry);
      return work(entries, retry);
    }, signal);
    try {
      return await holding;
    } catch (error) {
      throw isSystemError(error) ? notMade(error) : error;
    }
  };

  /** The entries at the path, which may have been deleted or moved away since they were opened. */
  const current = (): Entries => {
    if (kept?.isCurrent() === false) {
      kept.close();
      kept = undefined;
      isMissed = true;
    }
    if (isMissed) log("the journal was deleted or moved away while it was in use: a new one is begun");
    isMissed = false;
    kept ??= Entries.open(`${path()}.db`);
    return kept;
  };

  /** Without the lock: a change may be under way, whose connection must stay open. */
  const reading = <T>(work: (entries: Entries) => T): T | undefined => {
    kept ??= Entries.openExisting(`${path()}.db`);
    if (kept?.isCurrent() !== false) return kept && work(kept);
    const other = Entries.openExisting(`${path()}.db`);
    try {
      return other && work(other);
    } finally {
      other?.close();
    }
  };

  /** A failed intent that stays is found by whoever comes next, with nothing to take back. */
  const forget = async (entries: Entries, number: number): Promise<void> => {
    try {
      await retryWhileBusy(() => entries.drop(number), { every: RETRY_EVERY, deadline: Date.now() + BRIEF });
    } catch (error) {
      log(`a change that was not made stays in the journal for now: ${messageOf(error)}`);
    }
  };

  /**
   * The intent is handed to the system first, so that a killed process leaves
   * no file that nobody knows of. Then the disk takes the new content and the
   * intent at the same time: together they cost little more than one of them.
   */
  const write = async (
    entries: Entries,
    entry: NewEntry,
    planned: readonly Planned[],
    retry: Retry,
    onProgress?: About["onProgress"],
  ): Promise<number> => {
    const number = await retryWhileBusy(() => {
      if (changes % TRIM_EVERY === 0) entries.trim(retention);
      return entries.plan(entry);
    }, retry);
    changes++;
    const held = holdFolders(root);
    try {
      const writing = { signal: retry.signal, onProgress };
      await applyOrRollBack(held, planned, entry.tool, entries.flush(), writing);
    } catch (error) {
      if (!(error instanceof NotRolledBack)) await forget(entries, number);
      throw error;
    } finally {
      held.close();
    }
    try {
      await retryWhileBusy(() => entries.finish({ number, origin: entry.origin }), {
        every: RETRY_EVERY,
        deadline: Date.now() + BRIEF,
      });
    } catch (error) {
      // It is done, and on the disk; whoever comes next finds that out and marks it.
      log(`the end of ${entry.tool} could not be marked: ${messageOf(error)}`);
    }
    changed({ paths: outermost(pathsOf(entry.actions)), folders: foldersMovedBy(entry.actions) });
    return number;
  };

  /** Changes the files, or leaves them as they were. */
  const applyOrRollBack = async (
    held: HeldRoot,
    planned: readonly Planned[],
    tool: string,
    intent: Promise<void>,
    writing: WriteOptions,
  ): Promise<void> => {
    const actions = planned.map(({ action }) => action);
    const [first = [], ...others] = batchesOf(held.folder, planned);
    // Of parts, each is reported when it is in place.
    const writingFirst = others.length === 0 ? writing : { signal: writing.signal };
    const written = await Promise.allSettled([intent, writeContents(held, first, writingFirst)]);
    const failed = written.find((result) => result.status === "rejected");
    if (failed !== undefined) {
      await discardContents(held, actions);
      throw failed.reason;
    }
    const applied: Action[] = [];
    try {
      await apply(held, first, (action) => applied.push(action));
      for (const batch of others) {
        await writeContents(held, batch);
        await apply(held, batch, (action) => applied.push(action));
        writing.onProgress?.(applied.length, actions.length);
      }
      await syncAll(held, actions);
    } catch (error) {
      try {
        const half = actions[applied.length];
        if (half !== undefined) await removeSecondName(held, half);
        // What is left of the new content goes first: the disk may be full.
        await discardContents(held, actions.slice(applied.length));
        await rollback(held, applied);
      } catch (reason) {
        log(`${tool} failed (${messageOf(error)}) and could not be rolled back yet: ${messageOf(reason)}`);
        throw new NotRolledBack(error);
      } finally {
        await discardContents(held, actions);
      }
      throw error;
    }
  };

  const flip = async (entries: Entries, origin: Entry, tool: "undo" | "redo", retry: Retry): Promise<Written> => {
    const { actions, isReadable } = (origin.latest === undefined ? undefined : entries.find(origin.latest)) ?? origin;
    if (!isReadable)
      throw new Problem(
        "denied",
        `Entry ${idOf(origin.number)} is damaged: it cannot be taken back. Nothing was changed.`,
        `Name the entry to ${tool}: the history lists the others.`,
      );
    const planned = await planInverse(root, actions, retry.signal);
    retry.signal?.throwIfAborted();
    const message = `${tool === "undo" ? "Undid" : "Redid"}: ${origin.message}`;
    await write(
      entries,
      { tool, message, origin: origin.number, actions: planned.map(({ action }) => action) },
      planned,
      retry,
    );
    if (tool === "undo") undid.push(origin.number);
    return { ...writtenOf(origin), message };
  };

  const named = (entries: Entries, id: string): Entry => {
    const number = numberOf(id);
    const entry = number === undefined ? undefined : entries.find(number);
    const origin = entry?.origin === undefined ? entry : entries.find(entry.origin);
    if (origin !== undefined) return origin;
    throw new Problem("not_found", `There is no journal entry ${id}.`, "The history lists those that are kept.");
  };

  const nextOf = (entries: Entries, step: "undo" | "redo") =>
    newestOf(entries, step === "redo" ? undid : own, step === "redo");

  const undoOrRedo =
    (tool: "undo" | "redo") =>
    (which: Which = {}) =>
      underLock(which.signal, async (entries, retry) => {
        const isUndone = tool === "redo";
        const entry = which.id === undefined ? nextOf(entries, tool)?.entry : named(entries, which.id);
        if (entry === undefined) throw new Problem("not_found", `There is nothing to ${tool}.`);
        if (entry.isUndone !== isUndone)
          throw new Problem("conflict", `Entry ${idOf(entry.number)} is ${isUndone ? "not" : "already"} undone.`);
        return flip(entries, entry, tool, retry);
      });

  return {
    change: ({ tool, signal, onProgress }, plan) =>
      underLock(signal, async (entries, retry) => {
        const now = new ProjectedVault(root);
        const { message, steps } = await plan((path, most) => now.read(path, most));
        const planned = await planSteps(root, steps, now, signal);
        if (planned.length === 0) return undefined;
        signal?.throwIfAborted();
        const actions = planned.map(({ action }) => action);
        const entry = { tool, message, origin: undefined, actions };
        const number = await write(entries, entry, planned, retry, onProgress);
        own.push(number);
        return writtenOf({ number, tool, message, actions });
      }),
    undo: undoOrRedo("undo"),
    redo: undoOrRedo("redo"),
    next: (step) => {
      const found = reading((entries) => nextOf(entries, step));
      if (found === undefined) return undefined;
      const { entry, isOwn } = found;
      return { id: idOf(entry.number), isOwn, order: (step === "redo" ? entry.latest : undefined) ?? entry.number };
    },
    has: (id) => {
      const number = numberOf(id);
      return number !== undefined && reading((entries) => entries.find(number)) !== undefined;
    },
    history: ({ limit = 20, cursor } = {}) => {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : numberOf(cursor);
      if (before === undefined) throw new Problem("invalid", `Invalid cursor: ${cursor}`);
      const found = reading((entries) => entries.list(before, limit + 1)) ?? [];
      const entries = found.slice(0, limit).map(pastOf);
      const last = entries.at(-1);
      return found.length > limit && last !== undefined ? { entries, nextCursor: last.id } : { entries };
    },
    purge: async () => {
      if (!existsSync(`${path()}.db`)) return 0;
      return underLock(undefined, async (entries, retry) => {
        const count = await retryWhileBusy(() => entries.purge(), retry);
        await retryWhileBusy(() => entries.compact(), retry);
        return count;
      });
    },
    close: async () => {
      await lock.close();
      kept?.close();
      kept = undefined;
    },
  };
}

/** What the system refused before anything was changed: often what another program moved or removed just then. */
function notMade(error: unknown): Problem {
  return new Problem(
    "denied",
    `The files could not be looked at (${codeOf(error)}): nothing was changed.`,
    "Another program may have moved or removed them. Look at what is there now, then try again.",
  );
}

/** A change that failed half-way, and whose way back failed too. Its entry stays: the next change takes it back first. */
class NotRolledBack extends Problem {
  constructor(error: unknown) {
    super(
      "denied",
      // The reason was worded for a change of which nothing is left.
      `The change failed half-way and could not be rolled back yet. ${messageOf(error).replace(/[:.] nothing was changed\.$/i, ".")}`,
      "The next change rolls it back or completes it. Look at what is there, then try again.",
    );
  }
}

/** The newest of these operations that is undone, or is not; else the newest of all. */
function newestOf(
  entries: Entries,
  numbers: readonly number[],
  isUndone: boolean,
): { readonly entry: Entry; readonly isOwn: boolean } | undefined {
  for (const number of numbers.toReversed()) {
    const entry = entries.find(number);
    if (entry?.isUndone === isUndone) return { entry, isOwn: true };
  }
  const entry = isUndone ? entries.lastUndone() : entries.lastStanding();
  return entry && { entry, isOwn: false };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
