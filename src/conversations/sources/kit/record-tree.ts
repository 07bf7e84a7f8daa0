// A log whose records name the record that they follow: a tree. The branch of
// the newest record is the conversation; all others were abandoned when the
// person went back, and are revived if they go back to them. Pure; used by
// session-log.ts.

/** In the order of the file: the id, and the position of the record that it follows unless that is the one before. */
export type SavedTree = readonly (string | number)[];

export interface TreeChanges {
  readonly abandoned: readonly string[];
  readonly revived: readonly string[];
}

/** No program makes longer ids: a record with one counts as following the record before it. */
const MAX_ID_LENGTH = 100;
/** The record follows none. */
const ROOT = -1;

export class RecordTree {
  readonly #ids: string[] = [];
  readonly #parents: number[] = [];
  readonly #positions = new Map<string, number>();
  /** Positions of records that are not on the branch of the newest one. */
  #abandoned: ReadonlySet<number>;

  constructor(saved: SavedTree = []) {
    for (const [at, value] of saved.entries()) {
      if (typeof value === "number") continue;
      const parent = saved[at + 1];
      this.#add(value, typeof parent === "number" ? parent : this.#ids.length - 1);
    }
    this.#abandoned = this.#offBranch();
  }

  /** @param parent null if the record follows none; a record that is unknown counts as the one before */
  add(id: string, parent: string | null | undefined): void {
    // A program that was killed may write a record twice.
    if (id.length > MAX_ID_LENGTH || this.#positions.has(id)) return;
    const before = this.#ids.length - 1;
    this.#add(id, parent === null ? ROOT : ((parent === undefined ? before : this.#positions.get(parent)) ?? before));
  }

  /** What the records since the last call changed. */
  changes(): TreeChanges {
    const before = this.#abandoned;
    this.#abandoned = this.#offBranch();
    const only = (one: ReadonlySet<number>, other: ReadonlySet<number>) =>
      [...one].filter((at) => !other.has(at)).map((at) => this.#ids[at]!);
    return { abandoned: only(this.#abandoned, before), revived: only(before, this.#abandoned) };
  }

  get saved(): SavedTree {
    return this.#ids.flatMap((id, at) => (this.#parents[at] === at - 1 ? [id] : [id, this.#parents[at]!]));
  }

  #add(id: string, parent: number): void {
    this.#positions.set(id, this.#ids.length);
    this.#ids.push(id);
    this.#parents.push(parent);
  }

  #offBranch(): ReadonlySet<number> {
    const off = new Set<number>();
    // A record follows an earlier one only, so that there are no circles.
    let onBranch = this.#ids.length - 1;
    for (let at = onBranch; at >= 0; at--) {
      if (at === onBranch) onBranch = this.#parents[at]!;
      else off.add(at);
    }
    return off;
  }
}
