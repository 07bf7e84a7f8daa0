// The journal of what this process has changed in the application's documents.
// Undo uses the application's own undo, step by step, until the content is what it
// was. Kept in memory: the application forgets its undo steps when it quits, too.
// Used by documents.ts.
import { randomBytes } from "node:crypto";
import type { Past, Undoing, Written } from "../../journal/journal.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Outline } from "../model.ts";
import type { AppDocument } from "./document.ts";

/** Identifies a state of a document. */
export type DocumentState = Pick<Outline, "version" | "rowCount">;

/** One change, as the document reports it. */
export interface AppChange {
  readonly tool: string;
  readonly message: string;
  readonly document: AppDocument;
  readonly name: string;
  readonly before: DocumentState;
  readonly after: DocumentState;
  /** The largest number of undo steps it may be. */
  readonly steps: number;
}

export interface AppJournal extends Undoing {
  readonly add: (change: AppChange) => Written;
}

interface AppEntry extends AppChange {
  readonly id: string;
  /** When it was made, and when it was last undone: milliseconds, as in the journals of files, but unique. */
  readonly madeAt: number;
  undoneAt: number;
  readonly time: number;
  isUndone: boolean;
}

/** More than anybody undoes. */
const MAX_ENTRIES = 200;

export function openAppJournal(): AppJournal {
  const entries: AppEntry[] = [];
  const prefix = `app${randomBytes(2).toString("hex")}`;
  let last = 0;
  let number = 0;
  const nextOrder = () => (last = Math.max(last + 1, Date.now()));
  const writtenOf = ({ id, tool, message, name }: AppEntry): Written => ({ id, tool, message, paths: [name] });

  const nextOf = (step: "undo" | "redo"): AppEntry | undefined => {
    const fitting = entries.filter((entry) =>
      // A change can only be redone if nothing was changed since it was undone.
      step === "undo" ? !entry.isUndone : entry.isUndone && entries.every(({ madeAt }) => madeAt <= entry.undoneAt),
    );
    return fitting.toSorted((a, b) => orderOf(b, step) - orderOf(a, step))[0];
  };

  const take =
    (step: "undo" | "redo") =>
    async ({ id }: { readonly id?: string | undefined } = {}): Promise<Written> => {
      const entry = id === undefined ? nextOf(step) : entries.find((each) => each.id === id);
      if (entry === undefined) throw new Problem("not_found", `There is nothing to ${step}.`);
      if (entry.isUndone !== (step === "redo"))
        throw new Problem("conflict", `Entry ${entry.id} is ${entry.isUndone ? "already" : "not"} undone.`);
      const [from, to] = step === "undo" ? [entry.after, entry.before] : [entry.before, entry.after];
      await entry.document.step(step, { from, to, most: entry.steps });
      entry.isUndone = step === "undo";
      if (entry.isUndone) entry.undoneAt = nextOrder();
      return { ...writtenOf(entry), message: `${step === "undo" ? "Undid" : "Redid"}: ${entry.message}` };
    };

  return {
    add: (change) => {
      const madeAt = nextOrder();
      const id = `${prefix}-${++number}`;
      const entry = { ...change, id, madeAt, undoneAt: 0, time: Date.now(), isUndone: false };
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) entries.shift();
      return writtenOf(entry);
    },
    undo: take("undo"),
    redo: take("redo"),
    next: async (step) => {
      const entry = nextOf(step);
      return entry && { id: entry.id, isOwn: true, order: orderOf(entry, step) };
    },
    has: async (id) => entries.some((entry) => entry.id === id),
    history: async ({ limit = 50 } = {}) => ({
      entries: entries
        .toReversed()
        .slice(0, limit)
        .map((entry): Past => ({ ...writtenOf(entry), time: entry.time, moves: [], undone: entry.isUndone })),
    }),
    count: async () => entries.length,
    purge: async () => entries.splice(0).length,
  };
}

function orderOf({ madeAt, undoneAt }: AppEntry, step: "undo" | "redo"): number {
  return step === "undo" ? madeAt : undoneAt;
}
