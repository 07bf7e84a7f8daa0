// The messages between this program and the scripts: one request, one answer, both
// JSON. scripts/ implements the other side. Used throughout this folder.
import type { SettableState, State } from "../model.ts";

/** The interface through which rows are accessed; detected once. */
export type Way = "automation" | "dictionary";

export type Request = {
  /** The document at one of these paths, or of one of these names; null: the frontmost one. */
  readonly paths: readonly string[] | null;
  readonly way?: Way | undefined;
} & ScriptCommand;

export type ScriptCommand =
  | { readonly do: "look" }
  | { readonly do: "read" }
  | { readonly do: "change"; readonly expects: readonly Expectation[]; readonly edits: readonly ScriptEdit[] }
  | {
      readonly do: "undo" | "redo";
      readonly expects: readonly Expectation[];
      /** The version to reach, its number of rows, and the largest number of steps. */
      readonly until: string;
      readonly count: number;
      readonly most: number;
    };

/** The parts that must be unchanged for an edit to be applied: a row's own values, the ids of its children, or all descendants. */
export interface Expectation {
  /** null: the root above all rows. */
  readonly id: string | null;
  readonly what: "self" | "children" | "below";
  readonly is: string;
}

/** One edit as a script applies it. */
export type ScriptEdit =
  | {
      readonly kind: "add";
      readonly parentId: string | null;
      readonly index: number;
      readonly rows: readonly ScriptRow[];
      /** The number of the first of these rows among all new rows of the request. */
      readonly first: number;
    }
  | { readonly kind: "update"; readonly rows: readonly ScriptUpdate[] }
  | { readonly kind: "move"; readonly id: string; readonly parentId: string | null; readonly index: number }
  | { readonly kind: "delete"; readonly id: string };

export interface ScriptRow {
  /** The number of its parent among the new rows; -1: the parent of the edit. */
  readonly parent: number;
  readonly topic: string;
  readonly note: string;
  readonly state?: SettableState | undefined;
}

export interface ScriptUpdate {
  readonly id: string;
  readonly topic?: string | undefined;
  readonly note?: string | undefined;
  readonly state?: SettableState | undefined;
}

/** All rows in order, as lists of the same length. */
export interface ScriptRows {
  readonly ids: readonly string[];
  /** 0 at the top level. */
  readonly levels: readonly number[];
  readonly states: readonly State[];
  readonly topics: readonly string[];
  readonly notes: readonly string[];
}

export type Answer =
  | { readonly isRunning: false }
  | { readonly isRunning: true; readonly isOpen: false }
  | { readonly facts: Facts; readonly answer: ScriptResult };

export interface Facts {
  readonly way: Way;
  readonly isFrontmost: boolean;
  readonly name: string;
  /** null if the document was never saved. */
  readonly path: string | null;
}

export interface ScriptResult {
  /** Why nothing was changed. */
  readonly failed?: string;
  /** False if an expectation was not met. */
  readonly isDone?: boolean;
  /** The state of the document right before a change. */
  readonly before?: { readonly version: string; readonly rowCount: number };
  readonly added?: readonly string[];
  /** Old and new ids of rows that could not keep theirs. */
  readonly renamed?: readonly (readonly [string, string])[];
  /** null if the application does not say. */
  readonly canUndo?: boolean | null;
  readonly canRedo?: boolean | null;
  readonly rows?: ScriptRows;
  /** The application's version. */
  readonly version?: string;
}
