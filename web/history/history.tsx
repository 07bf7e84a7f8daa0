// The front door of history/: an entry of the journal with what it changed and
// its undo, and all entries of a session at once. Used beside a note and in the
// activity view.
export { timeOf, withoutUndoSteps, type Entry } from "./entry.ts";
export { HistoryEntry } from "./history-entry.tsx";
export { SessionUndo } from "./session-undo.tsx";
