// Several journals as one: the vault's, and that of each outline. Undo, redo
// and history, as tools and commands, mean all of them.
import { Problem } from "../kernel/kernel.ts";
import type { Journal, Past, Written } from "./journal.ts";

/** A journal as far as this needs one: what was done, and taking it back. */
export type Undoing = Pick<Journal, "undo" | "redo" | "next" | "has" | "history" | "purge">;

export interface Journals {
  /** Takes back that entry wherever it is, else this process's newest, else anybody's. */
  readonly undo: (which?: Which) => Promise<Written>;
  readonly redo: (which?: Which) => Promise<Written>;
  /** Newest first, of all. */
  readonly history: (limit: number) => Promise<readonly Past[]>;
  /** Forgets everything that could be undone. @returns how many entries that was */
  readonly purge: () => Promise<number>;
}

interface Which {
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** "near": of the vault, and of the outlines in use. "all": of every outline that may be opened. */
export type Reach = "near" | "all";
export type Opener = (reach: Reach) => Promise<readonly Undoing[]>;

/** Nothing is opened before it is asked for. */
export function joinJournals(openers: readonly Opener[]): Journals {
  /** A vault that is missing does not keep an outline from being undone: what cannot be opened counts where nothing else does. */
  const open = async (reach: Reach): Promise<{ journals: Undoing[]; refusal: unknown }> => {
    const opened = await Promise.allSettled(openers.map((opener) => opener(reach)));
    return {
      journals: opened.flatMap((each) => (each.status === "fulfilled" ? each.value : [])),
      refusal: opened.find((each) => each.status === "rejected")?.reason,
    };
  };

  const step =
    (name: "undo" | "redo") =>
    async ({ id, signal }: Which = {}): Promise<Written> => {
      const own = id === undefined ? newest((await open("near")).journals, name) : undefined;
      if (own?.isOwn) return own.journal[name]({ signal });
      // Another process may have changed an outline that nobody has opened here.
      const { journals, refusal } = await open("all");
      const chosen = id === undefined ? newest(journals, name)?.journal : journals.find((journal) => journal.has(id));
      if (chosen !== undefined) return chosen[name]({ id, signal });
      if (refusal !== undefined) throw refusal;
      throw id === undefined
        ? new Problem("not_found", `There is nothing to ${name}.`)
        : new Problem("not_found", `There is no journal entry ${id}.`, "The history lists those that are kept.");
    };

  return {
    undo: step("undo"),
    redo: step("redo"),
    history: async (limit) => {
      const { journals, refusal } = await open("all");
      const entries = journals.flatMap((journal) => journal.history({ limit }).entries);
      if (entries.length === 0 && refusal !== undefined) throw refusal;
      return entries.toSorted((a, b) => b.time - a.time).slice(0, limit);
    },
    purge: async () => {
      const { journals, refusal } = await open("all");
      if (journals.length === 0 && refusal !== undefined) throw refusal;
      const counts = await Promise.all(journals.map((journal) => journal.purge()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

/** The journal whose next step is this process's own and newest; else the one with the newest of all. */
function newest(journals: readonly Undoing[], name: "undo" | "redo") {
  const [first] = journals
    .flatMap((journal) => {
      const next = journal.next(name);
      return next === undefined ? [] : [{ journal, ...next }];
    })
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.order - a.order);
  return first;
}
