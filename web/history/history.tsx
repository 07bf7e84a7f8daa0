// The front door of history/: what a session changed, as a card; an entry of the
// journal with what it changed and its undo. Used beside a note, in Today and in
// the activity view.
export { timeOf, withoutUndoSteps, type Entry } from "./entry.ts";
export { HistoryEntry } from "./history-entry.tsx";
export { SessionCard } from "./session-card.tsx";
export type { SessionOfEntries } from "./session-groups.ts";
export { useSessions } from "./use-sessions.ts";
