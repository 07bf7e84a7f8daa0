// The rows of a simulated document, which both interfaces change.
import { randomBytes } from "node:crypto";
import type { SimulatedDocument, SimulatedRow, SimulatedState } from "./state.ts";

/** An error as JavaScript for Automation throws it. */
export class AppleEventError extends Error {
  readonly errorNumber: number;
  constructor(errorNumber: number, message: string) {
    super(message);
    this.errorNumber = errorNumber;
  }
}

export const noSuchObject = () => new AppleEventError(-1728, "Can't get object.");
export const notUnderstood = () => new AppleEventError(-1708, "Message not understood.");

/** Where a row is inserted: into this list, before that row or at the end. */
export interface Location {
  readonly parent: SimulatedRow | null;
  readonly before: SimulatedRow | null;
}

export class Model {
  readonly document: SimulatedDocument;
  readonly #state: SimulatedState;
  isChanged = false;
  #rows: Map<string, { row: SimulatedRow; parent: SimulatedRow | null }> | undefined;
  #group: SimulatedRow[] | undefined;

  constructor(document: SimulatedDocument, state: SimulatedState) {
    this.document = document;
    this.#state = state;
  }

  /** One event of the application: all its changes are one undo step. */
  event<T>(work: () => T): T {
    if (this.#group !== undefined) return work();
    this.#group = [];
    let before: string | undefined;
    this.#touch = () => (before ??= JSON.stringify(this.document.rows));
    try {
      return work();
    } finally {
      this.#group = undefined;
      if (before !== undefined) {
        this.document.undo.push(JSON.parse(before) as SimulatedRow[]);
        this.document.redo = [];
      }
    }
  }

  #touch: () => void = () => {};

  changing(): void {
    if (this.#state.failsAt > 0 && --this.#state.failsAt === 0) throw new Error("Something went wrong.");
    this.isChanged = true;
    this.#touch();
  }

  step(step: "undo" | "redo"): void {
    const { document } = this;
    const [from, to] = step === "undo" ? [document.undo, document.redo] : [document.redo, document.undo];
    const rows = from.pop();
    if (rows === undefined) throw new AppleEventError(-10000, `Nothing to ${step}.`);
    to.push(document.rows);
    document.rows = rows;
    this.isChanged = true;
    this.#rows = undefined;
  }

  childrenOf(parent: SimulatedRow | null): SimulatedRow[] {
    return parent === null ? this.document.rows : parent.children;
  }

  get all(): Map<string, { row: SimulatedRow; parent: SimulatedRow | null }> {
    if (this.#rows !== undefined) return this.#rows;
    const all = new Map<string, { row: SimulatedRow; parent: SimulatedRow | null }>();
    const visit = (row: SimulatedRow, parent: SimulatedRow | null): void => {
      all.set(row.id, { row, parent });
      for (const child of row.children) visit(child, row);
    };
    for (const row of this.document.rows) visit(row, null);
    return (this.#rows = all);
  }

  levelOf(id: string): number {
    let level = 0;
    for (let at: SimulatedRow | null = this.all.get(id)!.row; at !== null; at = this.all.get(at.id)!.parent) level++;
    return level;
  }

  insert(row: SimulatedRow, to: Location): void {
    this.changing();
    this.#put(row, to);
  }

  remove(id: string): void {
    this.changing();
    this.#take(id);
  }

  move(id: string, to: Location): void {
    for (let at = to.parent; at !== null; at = this.all.get(at.id)!.parent)
      if (at.id === id) throw new AppleEventError(-10000, "A row cannot contain itself.");
    this.changing();
    this.#put(this.#take(id), to);
  }

  #put(row: SimulatedRow, { parent, before }: Location): void {
    const siblings = this.childrenOf(parent);
    siblings.splice(before === null ? siblings.length : siblings.indexOf(before), 0, row);
    this.#rows = undefined;
  }

  #take(id: string): SimulatedRow {
    const { row, parent } = this.all.get(id)!;
    const siblings = this.childrenOf(parent);
    siblings.splice(siblings.indexOf(row), 1);
    this.#rows = undefined;
    return row;
  }

  newRow(): SimulatedRow {
    return { id: newId(), topic: "", note: "", state: null, children: [] };
  }

  copyOf(row: SimulatedRow): SimulatedRow {
    return { ...row, id: newId(), children: row.children.map((child) => this.copyOf(child)) };
  }
}

function newId(): string {
  return `k${randomBytes(8).toString("base64url").slice(0, 10)}`;
}
