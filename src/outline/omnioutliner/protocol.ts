// What is said between this program and the scripts: one request in, one answer
// out, both JSON. The scripts in scripts/ are the other side of these types.
import type { SettableState, State } from "../model.ts";

/** By what the rows are reached; probed once. */
export type Way = "automation" | "dictionary";

export type Request = {
  /** The document that is at one of these paths; null: the one in front. */
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
      /** The version to be at afterwards, how many rows it has, and how many steps that may take. */
      readonly until: string;
      readonly count: number;
      readonly most: number;
    };

/** What has to be as it was, or nothing is done: a row's own values, the ids of its children, or all that is below. */
export interface Expectation {
  /** null: the root above all rows. */
  readonly id: string | null;
  readonly what: "self" | "children" | "below";
  readonly is: string;
}

/** One edit as a script carries it out: everything in it is named or counted. */
export type ScriptEdit =
  | {
      readonly kind: "add";
      readonly parentId: string | null;
      readonly index: number;
      readonly rows: readonly ScriptRow[];
      /** The number of the first of these rows among all new ones of the request. */
      readonly first: number;
    }
  | { readonly kind: "update"; readonly rows: readonly ScriptUpdate[] }
  | { readonly kind: "move"; readonly id: string; readonly parentId: string | null; readonly index: number }
  | { readonly kind: "delete"; readonly id: string };

export interface ScriptRow {
  /** The number of the new row above it; -1: where the edit says. */
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

/** Every row after the one above it, in lists of the same length. */
export interface ScriptRows {
  readonly ids: readonly string[];
  /** 0 at the top. */
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
  /** null where the document was never saved. */
  readonly path: string | null;
}

export interface ScriptResult {
  /** Why nothing was done. */
  readonly failed?: string;
  /** False where the document was not as expected. */
  readonly isDone?: boolean;
  /** What the whole document was right before a change. */
  readonly before?: { readonly version: string; readonly rowCount: number };
  readonly added?: readonly string[];
  /** Rows that could not keep their id: what it was, and what it is. */
  readonly renamed?: readonly (readonly [string, string])[];
  /** null where the application does not tell. */
  readonly canUndo?: boolean | null;
  readonly canRedo?: boolean | null;
  readonly rows?: ScriptRows;
  /** The application's version. */
  readonly version?: string;
}
