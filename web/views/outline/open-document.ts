// An outline that is open in the page: its rows, read in pages so that the window
// never freezes, and its edits, which are shown at once and saved one after the
// other. Every call names the document and the version that it expects: nothing
// is written into another document or over the edits of somebody else. Used by
// use-outline.ts.
import type { ResultNamed, ToolName } from "../../../src/tools/tools.ts";
import { Problem, type Client, type InputOf } from "../../server/server.ts";
import { applyEdit, replaced, stateBeside, textOf, type RowEdit } from "./row-edits.ts";
import { RowIds } from "./row-ids.ts";
import type { Place } from "./row-places.ts";
import { Rows, toggledState, type Row } from "./row-tree.ts";

export interface ShownOutline {
  /** The file name. */
  readonly name: string;
  /** Undefined until the first rows are there. */
  readonly rows: Rows | undefined;
  readonly rowCount: number;
  readonly isComplete: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** A saved edit that can be undone. */
interface Step {
  readonly undoId: string;
  /** What was there before it. */
  readonly rows: Rows;
  readonly version: string;
}

/** What a change of a row returns. */
interface Saved {
  readonly version: string;
  /** Absent if nothing had to be written. */
  readonly undoId?: string;
  /** Undefined if the row was deleted. */
  readonly row?: Row;
}

/** Reading this many takes 20 ms in the page. */
const ROWS_PER_PAGE = 2_000;
/** Each keeps a list of all rows: 0.8 MB if there are 100,000. */
const MAX_STEPS = 100;
/** How often reading begins again because somebody else wrote in between. */
const MAX_TRIES = 5;

/** Somebody else changed the text that the person was editing. */
export class TextConflict extends Problem {
  readonly edit: Extract<RowEdit, { kind: "update" }>;
  readonly theirs: string;

  constructor(edit: Extract<RowEdit, { kind: "update" }>, theirs: string) {
    super(`This ${edit.field === "note" ? "note" : "row"} was changed elsewhere while you edited it.`);
    this.edit = edit;
    this.theirs = theirs;
  }
}

export class OpenDocument {
  readonly ids = new RowIds();
  readonly #client: Client;
  /** As the address has it; empty for the current document. */
  readonly #asked: string;
  readonly #onShown: (outline: ShownOutline) => void;
  #name = "";
  /** As results return it; undefined if the document has none. */
  #path: string | undefined;
  /** As the server has them. */
  #rows: Rows | undefined;
  /** Empty if the rows have to be read again. */
  #version = "";
  #rowCount = 0;
  #isComplete = false;
  /** Shown, and not saved yet. */
  #pending: readonly RowEdit[] = [];
  #undoable: readonly Step[] = [];
  #redoable: readonly string[] = [];
  #lastTask: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(client: Client, asked: string, onShown: (outline: ShownOutline) => void) {
    this.#client = client;
    this.#asked = asked;
    this.#onShown = onShown;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Reads the rows, unless they are those that are shown. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#load());
  }

  /** Shows an edit, and saves it. Throws a `Problem` if it cannot be saved; it is no longer shown then. */
  edit(edit: RowEdit): Promise<void> {
    this.#pending = [...this.#pending, edit];
    this.#show();
    return this.#inTurn(async () => {
      try {
        await this.#save(edit);
      } finally {
        this.#pending = this.#pending.filter((each) => each !== edit);
        this.#show();
      }
    });
  }

  /** @returns what was undone, as the history says it; undefined if nothing is left to undo */
  undo(): Promise<string | undefined> {
    return this.#inTurn(async () => {
      const step = this.#undoable.at(-1);
      if (step === undefined) return undefined;
      const { message } = await this.#client.call("undo", { id: step.undoId });
      this.#undoable = this.#undoable.slice(0, -1);
      this.#redoable = [...this.#redoable, step.undoId];
      // Shown until the rows are read again: rows that come back may have other ids.
      const { document } = await this.#call("get_current_document", {});
      if (document.version === step.version) this.#rows = step.rows;
      await this.#reload();
      return message;
    });
  }

  redo(): Promise<string | undefined> {
    return this.#inTurn(async () => {
      const undoId = this.#redoable.at(-1);
      if (undoId === undefined) return undefined;
      const before = { rows: this.#rows!, version: this.#version };
      const { message } = await this.#client.call("redo", { id: undoId });
      this.#redoable = this.#redoable.slice(0, -1);
      this.#undoable = [...this.#undoable, { undoId, ...before }];
      await this.#reload();
      return message;
    });
  }

  /** One task at a time: each needs the version that the previous one left. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#lastTask.then(task);
    this.#lastTask = result.catch(() => undefined);
    return result;
  }

  #show(): void {
    if (this.#isClosed) return;
    // An edit that no longer fits is not shown: saving it reports why.
    const rows = this.#rows && this.#pending.reduce((before, edit) => applyEdit(before, edit) ?? before, this.#rows);
    this.#onShown({
      name: this.#name,
      rows,
      rowCount: this.#isComplete && rows !== undefined ? rows.all.length : this.#rowCount,
      isComplete: this.#isComplete,
      canUndo: this.#undoable.length > 0,
      canRedo: this.#redoable.length > 0,
    });
  }

  #call<N extends ToolName>(name: N, input: InputOf<N>): Promise<ResultNamed<N>> {
    return this.#client.call(name, { ...input, ...(this.#path !== undefined && { documentName: this.#path }) });
  }

  async #reload(): Promise<void> {
    this.#version = "";
    this.#show();
    await this.#load();
  }

  async #load(): Promise<void> {
    if (this.#rows === undefined && this.#asked !== "") {
      const { document } = await this.#client.call("open_document", { path: this.#asked });
      this.#path = document?.path ?? undefined;
    }
    const { document } = await this.#call("get_current_document", {});
    this.#path = document.path ?? undefined;
    if (document.version === this.#version && this.#isComplete) return;
    this.#name = document.name;
    for (let tries = 1; !(await this.#loadPages()); tries++)
      if (tries === MAX_TRIES)
        throw new Problem("The outline changes faster than it can be read.", "Reload the page when it is quiet.");
  }

  /** @returns whether all pages are of one version */
  async #loadPages(): Promise<boolean> {
    const rows: Row[] = [];
    let cursor: string | undefined;
    let version: string | undefined;
    do {
      if (this.#isClosed) return true;
      const input = { maxRows: ROWS_PER_PAGE, ...(cursor !== undefined && { cursor }) };
      const page: ResultNamed<"get_outline_structure"> = await this.#call("get_outline_structure", input);
      version ??= page.document.version;
      if (page.document.version !== version) return false;
      for (const row of page.rows!) rows.push(this.#named(row));
      cursor = page.nextCursor;
      this.#rowCount = page.document.rowCount;
      const isFirst = this.#rows === undefined;
      if (cursor !== undefined && !isFirst) continue;
      this.#rows = new Rows(cursor === undefined ? rows : [...rows]);
      this.#isComplete = cursor === undefined;
      this.#version = cursor === undefined ? version : "";
      this.#show();
    } while (cursor !== undefined);
    return true;
  }

  /** A row with the page's ids. */
  #named<R extends Row>(row: R): R {
    if (this.ids.isEmpty) return row;
    return { ...row, id: this.ids.page(row.id), parentId: row.parentId && this.ids.page(row.parentId) };
  }

  async #save(edit: RowEdit): Promise<void> {
    if (this.#version === "") await this.#load();
    try {
      await this.#send(edit);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "conflict") throw error;
      // Somebody else wrote: the edit is made again on what is there now, if it still fits.
      await this.#reload();
      await this.#send(edit);
    }
  }

  async #send(edit: RowEdit): Promise<void> {
    const [before, version] = [this.#rows!, this.#version];
    const after = applyEdit(before, edit);
    if (after === undefined) throw new Problem("A row that this needs was moved or deleted elsewhere.", unsaved(edit));
    if (edit.kind === "update") {
      const theirs = textOf(before.get(edit.id)!, edit.field);
      if (theirs !== edit.before && theirs !== edit.text) throw new TextConflict(edit, theirs);
    }
    const saved = await this.#write(before, edit);
    const { row } = saved;
    if (saved.undoId !== undefined) {
      this.#undoable = [...this.#undoable, { undoId: saved.undoId, rows: before, version }].slice(-MAX_STEPS);
      this.#redoable = [];
    }
    this.#rows = (row && replaced(after, edit.id, () => this.#named(row))) ?? after;
    this.#version = saved.version;
    // The state of a parent follows from its leaves, and setting it sets them.
    if (edit.kind === "toggle" && row?.hasChildren) await this.#reload();
    else if (edit.kind !== "update") await this.#readStates(ancestors(before, after, edit));
  }

  async #readStates(ids: readonly string[]): Promise<void> {
    const reads = await Promise.all(ids.map((id) => this.#call("get_row", { rowId: this.ids.server(id) })));
    for (const { row, version } of reads) {
      if (version !== this.#version) this.#version = "";
      const { id, state } = this.#named(row);
      this.#rows = replaced(this.#rows!, id, (one) => ({ ...one, state })) ?? this.#rows;
    }
    if (this.#version === "") await this.#load();
  }

  async #write(rows: Rows, edit: RowEdit): Promise<Saved> {
    const rowId = this.ids.server(edit.id);
    const expected = { expectedVersion: this.#version };
    switch (edit.kind) {
      case "add": {
        const state = stateBeside(rows, edit.place);
        const { newRow, ...saved } = await this.#call("add_row", {
          topic: edit.topic,
          ...(state !== "none" && { state }),
          ...this.#where(edit.place, "parentId"),
          ...expected,
        });
        this.ids.register(edit.id, newRow.id);
        return { ...saved, row: newRow };
      }
      case "update": {
        const { updatedRow, ...saved } = await this.#call("update_row", {
          rowId,
          [edit.field]: edit.text,
          ...expected,
        });
        return { ...saved, row: updatedRow };
      }
      case "toggle": {
        const state = toggledState(rows.get(edit.id)!.state);
        const { updatedRow, ...saved } = await this.#call("update_row", { rowId, state, ...expected });
        return { ...saved, row: updatedRow };
      }
      case "move": {
        const where = this.#where(edit.place, "newParentId");
        const { movedRow, ...saved } = await this.#call("move_row", { rowId, ...where, ...expected });
        this.ids.register(edit.id, movedRow.id);
        return { ...saved, row: movedRow };
      }
      case "delete":
        return this.#call("delete_row", { rowId, confirmed: true, ...expected });
    }
  }

  /** A place as the tools take it; they name the parent differently. */
  #where({ parentId, afterId }: Place, parent: "parentId" | "newParentId") {
    if (afterId !== null) return { siblingId: this.ids.server(afterId), relativePosition: "after" } as const;
    return { position: "first", ...(parentId !== null && { [parent]: this.ids.server(parentId) }) } as const;
  }
}

/** The person's words must not be lost with the row. */
function unsaved(edit: RowEdit): string | undefined {
  const text = edit.kind === "add" ? edit.topic : edit.kind === "update" ? edit.text : "";
  return text === "" ? undefined : `Not saved: “${text}”`;
}

/** The rows whose state may follow from the edit. */
function ancestors(before: Rows, after: Rows, { id }: RowEdit): string[] {
  const found = [...before.ancestorsOf(id), ...after.ancestorsOf(id)].map((row) => row.id);
  return [...new Set(found)];
}
