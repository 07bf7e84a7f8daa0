// The journal of a space in a shared store: plans are made and committed under the
// lock of the space, in one transaction with their entry. Opened by shared-store.ts.
import { NO_RULES, type PlannableFiles } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { changesOf, forecastUndo } from "../changes.ts";
import type { Entry, EntryReader, NewEntry } from "../entry.ts";
import { idOfEntry, idPrefixOf, journalName, numberOfEntry } from "../journal-names.ts";
import type { Journal, Past, Which, Written } from "../journal.ts";
import type { JournalOptions } from "../open-journal.ts";
import { readOnlyVault } from "../plan/access.ts";
import { foldersMovedBy, outermost, pathsOf, type Planned, trashedBy } from "../plan/action.ts";
import { plannerOf } from "../plan/planner.ts";
import { operationOf, OwnOperations, reverse, type UndoStep } from "../undo.ts";
import { isShown, shownEntries, shownMoves, withoutHiddenNames } from "../visible-entries.ts";
import { isForUndo, VISIT } from "../visits.ts";
import { applyToRows } from "./row-actions.ts";
import { type ChangeInProgress, sharedChanges } from "./shared-change.ts";
import { addEntry, sharedEntries, trimEntries } from "./shared-entries.ts";
import type { SharedSpace } from "../../shared/shared.ts";

/** Old entries are trimmed once in so many changes. */
const TRIM_EVERY = 50;

interface SharedOptions extends JournalOptions {
  /** By one of several servers: undo and redo take the newest of the member, whichever server made it. */
  readonly isServed?: true | undefined;
}

export function sharedJournal(space: SharedSpace, files: PlannableFiles, options: SharedOptions): Journal {
  const { access = NO_RULES, changed: onChanged = () => {} } = options;
  const place = { root: files, access, checkContent: options.checkContent };
  const planner = plannerOf(place);
  // The same on every machine, whatever it calls the host of the store.
  const name = journalName(`store:${space.name}`);
  const idOf = (number: number) => idOfEntry(name, number);
  const numberOf = (id: string) => numberOfEntry(name, id);
  const own = new OwnOperations();
  const change = sharedChanges(space);
  let changes = 0;

  const read = <T>(work: (entries: EntryReader) => Promise<T>): Promise<T> =>
    space.ask((sql, id) => space.within(sql, () => work(sharedEntries(sql, id))));

  const writtenOf = ({ number, tool, actions, message }: Pick<Entry, "number" | "tool" | "actions" | "message">) => ({
    id: idOf(number),
    tool,
    paths: planner.shownPaths(actions),
    message,
    ...trashedNote(actions),
  });
  const pastOf = async (entries: EntryReader, entry: Entry): Promise<Past> => ({
    ...writtenOf(entry),
    undone: entry.isUndone,
    moves: shownMoves(entry, access),
    ...(await madeOf(entries, entry)),
  });

  const named = async (entries: EntryReader, id: string): Promise<Entry> => {
    const number = numberOf(id);
    const entry = number === undefined ? undefined : await operationOf(entries, number);
    if (entry !== undefined && isShown(entry, access)) return entry;
    throw new Problem("not_found", `There is no journal entry ${id}.`, "The history lists those that are kept.");
  };

  /** After the commit. */
  const report = (planned: Pick<Entry, "actions">) => {
    const { actions } = planned;
    onChanged({ paths: outermost(pathsOf(actions)), folders: foldersMovedBy(actions) });
    // Nobody waits for it, and the next attempt comes soon.
    if (++changes % TRIM_EVERY === 0) void space.write((sql, id) => trimEntries(sql, id)).catch(() => {});
  };

  const refuseReadOnly = () => {
    if (access.readOnly !== undefined) throw readOnlyVault(access.readOnly);
  };

  const nextOf = async (entries: EntryReader, step: UndoStep) => {
    if (options.isServed !== true) return own.next(entries, step, access);
    const accepts = (each: Entry) => isShown(each, access) && isForUndo(each);
    const entry = await entries.last({ isUndone: step === "redo", accepts });
    return entry && { entry, isOwn: true };
  };

  const undoOrRedo =
    (step: UndoStep) =>
    async ({ id, signal }: Which = {}) => {
      refuseReadOnly();
      const done = await change(signal, async (inProgress) => {
        const entries = sharedEntries(inProgress.sql, inProgress.space);
        const next = id === undefined ? await nextOf(entries, step) : { entry: await named(entries, id), isOwn: true };
        if (next === undefined) throw new Problem("not_found", `There is nothing to ${step}.`);
        const { entry, isOwn } = next;
        const isNamedOfOthers = id !== undefined && (await entries.otherMemberOf?.(entry.number)) !== undefined;
        const made = !isOwn || isNamedOfOthers ? { ofOthers: await madeOf(entries, entry) } : {};
        const reversal = {
          ...place,
          idOf,
          signal,
          commit: (about: Pick<Entry, "tool" | "message" | "origin">, planned: readonly Planned[]) =>
            commit(inProgress, about, planned),
        };
        const { message, actions } = await reverse(reversal, entries, entry, step);
        return { entry, message, actions, made };
      });
      const { entry, message, actions, made } = done!;
      own.add(step === "undo" ? "redo" : "undo", entry.number);
      report({ actions });
      // The paths are those of the operation; only what this step itself trashed is in the trash now.
      const { trashed: _, ...written } = writtenOf(entry);
      return { ...written, message, ...trashedNote(actions), ...made };
    };

  return {
    preview: async ({ signal }, plan) => {
      refuseReadOnly();
      await planner.plan(plan, signal);
    },
    change: async ({ tool: named, by, signal, onProgress, onWritten, isPreview, visit }, plan) => {
      refuseReadOnly();
      if (isPreview === true) return planner.preview(plan, signal);
      const done = await change(signal, async (inProgress) => {
        const { message, planned } = await planner.plan(plan, signal);
        if (planned.length === 0) return undefined;
        signal?.throwIfAborted();
        const tool = visit === undefined ? named : VISIT;
        const actions = planned.map(({ action }) => action);
        await commit(inProgress, { tool, message, origin: undefined, by }, planned, onProgress).catch(
          (error: unknown) => {
            throw withoutHiddenNames(error, actions, access);
          },
        );
        return { number: inProgress.number, tool, message, actions };
      });
      if (done === undefined) return undefined;
      if (visit === undefined) own.add("undo", done.number);
      report(done);
      const written = writtenOf(done);
      onWritten?.(written);
      return written;
    },
    changes: (id, signal) =>
      read(async (entries) => changesOf(place, entries, await named(entries, id), { idOf, signal })),
    forecastUndo: (ids, signal) =>
      read(async (entries) => {
        const undone: Entry[] = [];
        for (const id of ids) undone.push(await named(entries, id));
        return forecastUndo(place, entries, undone, signal);
      }),
    undo: undoOrRedo("undo"),
    redo: undoOrRedo("redo"),
    next: async (step) => {
      const found = await read((entries) => nextOf(entries, step));
      return (
        found && { id: idOf(found.entry.number), isOwn: found.isOwn, order: found.entry.latest ?? found.entry.number }
      );
    },
    // The database rolls back by itself what a killed process left.
    recoverInterrupted: async () => {},
    takeRolledBack: () => undefined,
    idPrefix: () => idPrefixOf(name),
    has: async (id) => {
      const number = numberOf(id);
      const entry = number === undefined ? undefined : await read(async (entries) => entries.find(number));
      return entry !== undefined && isShown(entry, access);
    },
    history: ({ limit = 20, cursor, path } = {}) =>
      read(async (all) => {
        const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : numberOf(cursor);
        if (before === undefined) throw new Problem("invalid", `Invalid cursor: ${cursor}`);
        const found = await shownEntries(all, before, limit + 1, access, path);
        const entries: Past[] = [];
        for (const entry of found.slice(0, limit)) entries.push(await pastOf(all, entry));
        const last = entries.at(-1);
        return found.length > limit && last !== undefined ? { entries, nextCursor: last.id } : { entries };
      }),
    count: () =>
      read(async (entries) =>
        access.hides
          ? (await shownEntries(entries, Number.MAX_SAFE_INTEGER, await entries.count(), access)).length
          : entries.count(),
      ),
    purge: () =>
      space.write(async (sql, id) => {
        const deleted = await sql`DELETE FROM commonplace.file_change WHERE space = ${id} RETURNING 1`;
        const [left] = await sql`SELECT 1 FROM commonplace.file_change WHERE space = ${id} LIMIT 1`;
        if (left !== undefined)
          throw new Problem("denied", `Only an owner of ${space.name} may delete its history. Nothing was deleted.`);
        return deleted.length;
      }),
    close: async () => {
      await change.idle();
    },
  };
}

async function madeOf(entries: EntryReader, { number, time }: Entry): Promise<Pick<Past, "time" | "by">> {
  const by = await entries.askerOf(number);
  return { time, ...(by !== undefined && { by }) };
}

function trashedNote(actions: Entry["actions"]): Pick<Written, "trashed"> {
  const trashed = trashedBy(actions);
  return trashed.length === 0 ? {} : { trashed };
}

async function commit(
  { sql, space, number, nonce }: ChangeInProgress,
  entry: Omit<NewEntry, "actions">,
  planned: readonly Planned[],
  onProgress?: (written: number, of: number) => void,
): Promise<void> {
  await applyToRows({ sql, space, number }, planned, onProgress);
  await addEntry(sql, space, { ...entry, number, nonce, actions: planned.map(({ action }) => action) });
}
