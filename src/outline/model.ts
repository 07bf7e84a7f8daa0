// The model the tools work with: rows in order, edits of rows, and the document
// that holds them. A file (file/file-document.ts) and a document open in
// OmniOutliner (omnioutliner/document.ts) are its two implementations.
import type { About } from "../journal/journal.ts";

/** In OmniOutliner a parent's state combines those of its leaves. `none`: no checkbox. */
export type State = "checked" | "unchecked" | "mixed" | "none";

/** Returns whether every row has a checkbox of its own or none; elsewhere a parent has that of its leaves, and `none` was never checked. */
export function hasPlainRows(format: OutlineFormat): boolean {
  return format === "opml" || format === "markdown";
}

/** The states a row can be set to. In OmniOutliner setting a parent sets every leaf below it. */
export type SettableState = Exclude<State, "mixed">;

export interface Row {
  readonly id: string;
  readonly topic: string;
  readonly note: string | null;
  readonly state: State;
  /** 0 at the top level. */
  readonly level: number;
  /** null at the top level. */
  readonly parentId: string | null;
  readonly childIds: readonly string[];
  /** Number of rows below it, at any depth. */
  readonly descendants: number;
}

export type OutlineFormat = "ooutline" | "oo3" | "opml" | "markdown" | "app";

/** An immutable snapshot of a document. */
export interface Outline {
  /** The file name, as in "Project Plan.ooutline". */
  readonly name: string;
  /** Of a file in a shared store, `store:SPACE/path`. */
  readonly path: string | null;
  readonly format: OutlineFormat;
  /** Depends on the content only: equal content has an equal version. */
  readonly version: string;
  readonly rowCount: number;
  readonly topIds: readonly string[];
  /** Undefined if no row has this id. */
  readonly row: (id: string) => Row | undefined;
  /**
   * Rows by number, in document order, for code that visits all of them:
   * reading one text or state costs much less than building a whole row.
   */
  readonly numbered: NumberedRows;
}

export interface NumberedRows {
  /** Undefined if no row has this id. The descendants of a row have the numbers that follow its own. */
  readonly numberOf: (id: string) => number | undefined;
  readonly row: (number: number) => Row;
  readonly topic: (number: number) => string;
  readonly note: (number: number) => string | null;
  readonly state: (number: number) => State;
  readonly descendants: (number: number) => number;
  /** Undefined if the rows do not come from a file, or the file is decoded as a whole (Markdown). */
  readonly written?: WrittenTexts | undefined;
}

/**
 * The offsets of the texts in an XML file in UTF-8. The bytes are the text except
 * for character references, line breaks and tabs. For search: copying bytes takes
 * a third of the time of decoding each text.
 */
export interface WrittenTexts {
  readonly bytes: Uint8Array;
  /** Maps the index in the file to the row number; undefined if the file has the rows in document order. */
  readonly order?: Int32Array | undefined;
  /** The offset of a text; -1 if it is not contiguous and must be read with `topic` or `note`. */
  readonly start: (index: number, field: "topic" | "note") => number;
  readonly end: (index: number, field: "topic" | "note") => number;
}

export interface NewRow {
  readonly topic: string;
  readonly note?: string | undefined;
  readonly state?: "checked" | "unchecked" | undefined;
  readonly children?: readonly NewRow[] | undefined;
}

/** Before the child with this index, or after the last. For a move, the moved row is not counted. */
export interface RowPosition {
  /** null: the top level. */
  readonly parentId: string | null;
  readonly index: number;
}

/** Several edits are applied in order, each to the result of the one before. */
export type Edit =
  | { readonly kind: "add"; readonly rows: readonly NewRow[]; readonly position: RowPosition }
  | {
      readonly kind: "update";
      readonly id: string;
      readonly topic?: string | undefined;
      /** "" removes the note. */
      readonly note?: string | undefined;
      readonly state?: SettableState | undefined;
    }
  | { readonly kind: "move"; readonly id: string; readonly position: RowPosition }
  | { readonly kind: "delete"; readonly id: string };

export interface Plan {
  readonly edits: readonly Edit[];
  /** A sentence for the history. */
  readonly message: string;
}

export interface Changed {
  /** The outline after the change. */
  readonly outline: Outline;
  /** The ids of the added rows, each before its descendants, in the order of the edits. */
  readonly added: readonly string[];
  /** Old to new id of moved rows that could not keep theirs: OmniOutliner's scripting dictionary copies rows. */
  readonly renamed?: ReadonlyMap<string, string>;
}

export interface OutlineDocument {
  readonly read: (signal?: AbortSignal) => Promise<Outline>;
  /** When its file was last written, in milliseconds; undefined if it has none. */
  readonly modified: () => Promise<number | undefined>;
  /**
   * Plans on the outline while holding the lock, and applies the plan as a
   * whole: saved before this returns, or nothing changes. Throws `row_not_found`
   * for a missing row, `conflict` if the version is not the expected one.
   */
  readonly change: (
    about: {
      readonly tool: string;
      readonly signal?: AbortSignal | undefined;
      readonly expectedVersion?: string | undefined;
      readonly onWritten?: About["onWritten"];
      readonly isPreview?: About["isPreview"];
    },
    plan: (outline: Outline) => Plan,
  ) => Promise<Changed>;
  readonly canUndo: () => Promise<boolean>;
  readonly canRedo: () => Promise<boolean>;
  /** Waits for running operations. */
  readonly close: () => Promise<void>;
}
