// An entry of the journal as the page gets it. Pure.
import type { ResultNamed } from "../../src/tools/tools.ts";

export type Entry = ResultNamed<"history">["entries"][number];

/** Leaves out the entries of undo and redo themselves: the entry they apply to shows its state. */
export function withoutUndoSteps(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ tool }) => tool !== "undo" && tool !== "redo");
}

/** Returns whether the entry is about a note at that path, and there still is one. */
export function isNoteOf({ paths, gone = [] }: Pick<Entry, "paths" | "gone">, path: string): boolean {
  return /\.md$/i.test(path) && paths.includes(path) && !gone.includes(path);
}

/** In milliseconds. */
export function timeOf({ time }: Pick<Entry, "time">): number {
  return Date.parse(time);
}
