// Of which messages those of a forked session are copies. A copy has another id,
// and the time of its original, which is in a session that was made before that
// time. Used by session-messages.ts and json-storage.ts.

export interface Original {
  readonly message: string;
  /** Undefined if the original has fewer parts: some were removed since. */
  readonly part: string | undefined;
}

/** The sessions of the project of a fork, without itself. */
export interface OtherSessions {
  /**
   * All messages, in their order, of the newest session that was made before this time and has a message of it. A fork
   * of a fork has several such sessions.
   */
  readonly messagesFrom: (time: number) => Promise<readonly { readonly id: string; readonly time: number }[]>;
  /** Their ids, in their order. */
  readonly partsOf: (message: string) => Promise<readonly string[]>;
}

export class Originals {
  readonly #others: OtherSessions;
  /** By time, the ids of messages in the sessions that were copied from, as far as they were looked up. */
  readonly #messages = new Map<number, readonly string[]>();
  /** By message. */
  readonly #parts = new Map<string, readonly string[]>();
  /** How many copies of the same time came before: by the id of the copy. */
  readonly #copies = new Map<number, string[]>();

  constructor(others: OtherSessions) {
    this.#others = others;
  }

  /** Undefined if there is no original, or no longer. */
  async of(copy: { readonly id: string; readonly time: number }, index: number): Promise<Original | undefined> {
    if (!this.#messages.has(copy.time)) await this.#lookUp(copy.time);
    const copies = this.#copies.get(copy.time) ?? [];
    if (!copies.includes(copy.id)) copies.push(copy.id);
    this.#copies.set(copy.time, copies);
    const message = this.#messages.get(copy.time)?.[copies.indexOf(copy.id)];
    if (message === undefined) return undefined;
    return { message, part: (await this.#partsOf(message))[index] };
  }

  async #lookUp(time: number): Promise<void> {
    this.#messages.set(time, []);
    for (const [at, same] of Map.groupBy(await this.#others.messagesFrom(time), (one) => one.time))
      if (at >= time)
        this.#messages.set(
          at,
          same.map(({ id }) => id),
        );
  }

  async #partsOf(message: string): Promise<readonly string[]> {
    const known = this.#parts.get(message) ?? (await this.#others.partsOf(message));
    this.#parts.set(message, known);
    return known;
  }
}
