// Joins several journals: the vault's, and that of each outline. Used by the
// tools and commands for undo, redo and history, which work on all of them.
import { Problem } from "../kernel/kernel.ts";
import type { EntryChanges, Journal, Past, Reversed, UndoForecast } from "./journal.ts";

/** The part of a journal that is needed here. */
export type Undoing = Pick<Journal, "undo" | "redo" | "next" | "has" | "history" | "count" | "purge"> &
  Partial<Pick<Journal, "changes" | "forecastUndo" | "recoverInterrupted" | "takeRolledBack" | "idPrefix">> & {
    /** The name of its vault, if there are several. */
    readonly vault?: string;
  };

/** The vault of an entry. */
interface InVault {
  /** The name of the vault, if there are several. */
  readonly vault?: string;
}

export interface Journals {
  /** Undoes that entry in whichever journal it is, else this process's newest operation, else the newest of all. */
  readonly undo: (which?: Which) => Promise<Reversed & InVault>;
  readonly redo: (which?: Which) => Promise<Reversed & InVault>;
  /** Lists the entries of all journals, newest first, and counts them. @param path only entries that may concern it */
  readonly history: (
    limit: number,
    path?: string,
  ) => Promise<{ readonly entries: readonly (Past & InVault)[]; readonly total: number }>;
  /** Returns the changes of that entry, in whichever journal it is; undefined if that journal cannot say. */
  readonly changes: (id: string, signal?: AbortSignal) => Promise<EntryChanges | undefined>;
  /** How many of these entries could be undone in this order, in whichever journals they are, and what stands in the way. */
  readonly forecastUndo: (ids: readonly string[], signal?: AbortSignal) => Promise<UndoForecast>;
  /** How many other vaults and outlines have a journal, which are not open here. */
  readonly elsewhere: () => Promise<number>;
  /** Deletes everything that could be undone. @returns the number of entries */
  readonly purge: () => Promise<number>;
}

interface Which {
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** "near": the vault and the outlines in use. "all": every outline that may be opened. */
export type Reach = "near" | "all";
export type Opener = (reach: Reach) => Promise<readonly Undoing[]>;

/**
 * Opens nothing before it is used.
 * @param prefixes with which the ids begin of all journals that there are: see idPrefixesIn
 */
export function joinJournals(openers: readonly Opener[], prefixes: () => readonly string[] = () => []): Journals {
  /** A missing vault must not prevent the undo of an outline: its error is thrown only if nothing else is found. */
  const open = async (reach: Reach): Promise<{ journals: Undoing[]; failure: unknown }> => {
    const opened = await Promise.allSettled(openers.map((opener) => opener(reach)));
    return {
      journals: opened.flatMap((each) => (each.status === "fulfilled" ? each.value : [])),
      failure: opened.find((each) => each.status === "rejected")?.reason,
    };
  };

  const step =
    (name: "undo" | "redo") =>
    async ({ id, signal }: Which = {}): Promise<Reversed & InVault> => {
      const near = id === undefined ? (await open("near")).journals : [];
      await recovered(near, name);
      const own = await newest(near, name);
      if (own?.isOwn) return { ...(await own.journal[name]({ signal })), ...vaultOf(own.journal) };
      // Another process may have changed an outline that is not open here.
      const { journals, failure } = await open("all");
      const chosen = id === undefined ? (await newest(journals, name))?.journal : await journalWith(journals, id);
      if (chosen !== undefined) return { ...(await chosen[name]({ id, signal })), ...vaultOf(chosen) };
      if (failure !== undefined) throw failure;
      if (id === undefined) throw new Problem("not_found", `There is nothing to ${name}.`);
      throw prefixes().some((prefix) => id.startsWith(`${prefix}-`)) &&
        !journals.some((journal) => id.startsWith(`${journal.idPrefix?.()}-`))
        ? new Problem(
            "not_found",
            `Entry ${id} belongs to another vault or outline.`,
            `It can be ${name === "undo" ? "undone" : "redone"} where that is open: with its --vault DIR or --outline FILE.`,
          )
        : new Problem(
            "not_found",
            `There is no journal entry ${id}.`,
            "history lists the ids of those that are kept; undo without an id takes the last one.",
          );
    };

  return {
    undo: step("undo"),
    redo: step("redo"),
    history: async (limit, path) => {
      const { journals, failure } = await open("all");
      for (const journal of journals) await journal.recoverInterrupted?.();
      const listed = await Promise.all(
        journals.map(async (journal) => {
          const [{ entries }, count] = await Promise.all([journal.history({ limit, path }), journal.count()]);
          return { entries: entries.map((entry) => ({ ...entry, ...vaultOf(journal) })), count };
        }),
      );
      const entries = listed.flatMap((each) => each.entries);
      if (entries.length === 0 && failure !== undefined) throw failure;
      return {
        entries: entries.toSorted((a, b) => b.time - a.time).slice(0, limit),
        total: listed.reduce((sum, { count }) => sum + count, 0),
      };
    },
    changes: async (id, signal) => {
      const { journals } = await open("all");
      const chosen = await journalWith(journals, id);
      if (chosen === undefined) throw new Problem("not_found", `There is no journal entry ${id}.`);
      return chosen.changes?.(id, signal);
    },
    forecastUndo: async (ids, signal) => {
      const { journals } = await open("all");
      let first: UndoForecast = { possible: ids.length };
      const homes = await Promise.all(ids.map((id) => journalWith(journals, id)));
      const strange = homes.indexOf(undefined);
      if (strange !== -1) first = { possible: strange, obstacle: "It is no longer in the history." };
      // Journals have different files: what is undone in one changes nothing for another.
      for (const journal of journals) {
        const own = ids.filter((_, i) => homes[i] === journal);
        const { possible, obstacle } = (await journal.forecastUndo?.(own, signal)) ?? { possible: own.length };
        const at = ids.indexOf(own[possible] ?? "");
        if (obstacle !== undefined && at !== -1 && at < first.possible) first = { possible: at, obstacle };
      }
      return first;
    },
    elsewhere: async () => {
      const { journals } = await open("all");
      const here = new Set(journals.map((journal) => journal.idPrefix?.()));
      return prefixes().filter((prefix) => !here.has(prefix)).length;
    },
    purge: async () => {
      const { journals, failure } = await open("all");
      if (journals.length === 0 && failure !== undefined) throw failure;
      const counts = await Promise.all(journals.map((journal) => journal.purge()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

async function journalWith(journals: readonly Undoing[], id: string): Promise<Undoing | undefined> {
  for (const journal of journals) if (await journal.has(id)) return journal;
  return undefined;
}

function vaultOf({ vault }: Undoing): InVault {
  return vault === undefined ? {} : { vault };
}

/**
 * A killed process may have left a change half done. Undo means that change: it
 * is rolled back, and what was done before it stays.
 */
async function recovered(journals: readonly Undoing[], name: "undo" | "redo"): Promise<void> {
  for (const journal of journals) {
    await journal.recoverInterrupted?.();
    const rolledBack = name === "undo" ? journal.takeRolledBack?.() : undefined;
    if (rolledBack === undefined) continue;
    throw new Problem(
      "conflict",
      `An interrupted change was rolled back instead: ${rolledBack}. Nothing else was undone.`,
      "Call undo again to undo the change before it.",
    );
  }
}

/** The journal whose next step is this process's own and newest; else the one with the newest of all. */
async function newest(journals: readonly Undoing[], name: "undo" | "redo") {
  const nexts = await Promise.all(journals.map(async (journal) => ({ journal, next: await journal.next(name) })));
  const [first] = nexts
    .flatMap(({ journal, next }) => (next === undefined ? [] : [{ journal, ...next }]))
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.order - a.order);
  return first;
}
