// What an outline is to whoever reads or changes one: rows in an order, edits
// of them, and the document that holds them. The tools speak of nothing else;
// a file (file/file-document.ts) and OmniOutliner itself are two kinds of document.

/** A parent's is rolled up from its rows. `none`: there is no checkbox. */
export type State = "checked" | "unchecked" | "mixed" | "none";

/** What a row can be set to. On a parent it reaches every leaf below. */
export type SettableState = Exclude<State, "mixed">;

export interface Row {
  readonly id: string;
  readonly topic: string;
  readonly note: string | null;
  readonly state: State;
  /** 0 at the top. */
  readonly level: number;
  /** null at the top. */
  readonly parentId: string | null;
  readonly childIds: readonly string[];
  /** How many rows are below it, at any depth. */
  readonly descendants: number;
}

export type OutlineFormat = "ooutline" | "oo3" | "opml" | "markdown" | "app";

/** What a document holds at one moment. It stays as it is while others change the document. */
export interface Outline {
  /** That of the file, as in "Project Plan.ooutline". */
  readonly name: string;
  readonly path: string | null;
  readonly format: OutlineFormat;
  /** Another one after every change of the content, and the same again where the content is. */
  readonly version: string;
  readonly rowCount: number;
  readonly topIds: readonly string[];
  /** Undefined where no row has this id. */
  readonly row: (id: string) => Row | undefined;
  /**
   * Rows by their numbers, in the order of the document, for what looks at all
   * of them: a text or a state costs much less than a whole row.
   */
  readonly numbered: NumberedRows;
}

export interface NumberedRows {
  /** The number of a row; undefined where none has this id. Those below a row have the numbers that follow its own. */
  readonly numberOf: (id: string) => number | undefined;
  readonly row: (number: number) => Row;
  readonly topic: (number: number) => string;
  readonly note: (number: number) => string | null;
  readonly state: (number: number) => State;
  readonly descendants: (number: number) => number;
  /** Undefined where the rows are not read from a file, or the file's bytes are decoded already. */
  readonly written?: WrittenTexts | undefined;
}

/**
 * Where the texts stand in the bytes of an XML file, in UTF-8 and as they are
 * but for references, line breaks and tabs: for what looks at all of them, since
 * bytes are copied in a third of the time that it takes to decode each text.
 */
export interface WrittenTexts {
  readonly bytes: Uint8Array;
  /** The number of the row that is written at each place; undefined where they are written in their order. */
  readonly order?: Int32Array | undefined;
  /** Where a text begins; -1 where it is not written in one piece, and has to be asked for. */
  readonly start: (place: number, field: "topic" | "note") => number;
  readonly end: (place: number, field: "topic" | "note") => number;
}

export interface NewRow {
  readonly topic: string;
  readonly note?: string | undefined;
  readonly state?: "checked" | "unchecked" | undefined;
  readonly children?: readonly NewRow[] | undefined;
}

/** Where a row goes: before the child that has this index, or after the last. For a move, counted without the moved row. */
export interface Place {
  /** null: the top. */
  readonly parentId: string | null;
  readonly index: number;
}

/** One wish. Several are carried out in order, each on what those before it have left. */
export type Edit =
  | { readonly kind: "add"; readonly rows: readonly NewRow[]; readonly place: Place }
  | {
      readonly kind: "update";
      readonly id: string;
      readonly topic?: string | undefined;
      /** "" takes the note away. */
      readonly note?: string | undefined;
      readonly state?: SettableState | undefined;
    }
  | { readonly kind: "move"; readonly id: string; readonly place: Place }
  | { readonly kind: "delete"; readonly id: string };

export interface Plan {
  readonly edits: readonly Edit[];
  /** What is done, in a sentence for the history. */
  readonly message: string;
}

export interface Changed {
  /** As it is after the change. */
  readonly outline: Outline;
  /** The ids of the rows that were added: each before those below it, in the order of the edits. */
  readonly added: readonly string[];
  /** Rows that were moved and could not keep their id, as the application's dictionary cannot: the old one, and the new. */
  readonly renamed?: ReadonlyMap<string, string>;
}

export interface OutlineDocument {
  readonly read: (signal?: AbortSignal) => Promise<Outline>;
  /**
   * Plans on what is there once nobody else can change it, and carries that
   * out: all of it, saved before this returns, or nothing. A row that is not
   * there is `row_not_found`, another version than the expected a `conflict`.
   */
  readonly change: (
    about: {
      readonly tool: string;
      readonly signal?: AbortSignal | undefined;
      readonly expectedVersion?: string | undefined;
    },
    plan: (outline: Outline) => Plan,
  ) => Promise<Changed>;
  readonly canUndo: () => Promise<boolean>;
  readonly canRedo: () => Promise<boolean>;
  /** Waits for what is under way. */
  readonly close: () => Promise<void>;
}
