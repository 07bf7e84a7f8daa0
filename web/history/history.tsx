// The front door of history/: what a session changed, as a card; an entry of the
// journal with what it changed and its undo; and who wrote a note. Used beside a note,
// in Today and in the activity view. Each is loaded when it is first shown: Today may
// have nothing of it to show.
import { lazy } from "../components/components.ts";

export { timeOf, withoutUndoSteps, type Entry } from "./entry.ts";
export type { SessionOfEntries } from "./session-groups.ts";
export { useSessions } from "./use-sessions.ts";

export const HistoryEntry = lazy("the change", () => import("./history-entry.tsx"), "HistoryEntry");
export const SessionCard = lazy("the session", () => import("./session-card.tsx"), "SessionCard");
export const SessionUndo = lazy("the changes", () => import("./session-undo.tsx"), "SessionUndo");
export const WrittenBy = lazy("where it comes from", () => import("./written-by.tsx"), "WrittenBy");
