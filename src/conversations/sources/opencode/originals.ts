// Of which messages those of a forked session are copies. A copy has another id,
// and the time of its original, which is in a session that was made before that
// time. Used by session-messages.ts.
import type { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import type { Session } from "./sessions.ts";

export interface Original {
  readonly message: string;
  /** Undefined if the original has fewer parts: some were removed since. */
  readonly part: string | undefined;
}

export class Originals {
  readonly #database: ForeignDatabase;
  readonly #session: Session;
  /** By time, the ids of messages in the sessions that were copied from, as far as they were looked up. */
  readonly #messages = new Map<number, readonly string[]>();
  /** By message. */
  readonly #parts = new Map<string, readonly string[]>();
  /** How many copies of the same time came before: by the id of the copy. */
  readonly #copies = new Map<number, string[]>();

  constructor(database: ForeignDatabase, session: Session) {
    this.#database = database;
    this.#session = session;
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

  /** All messages of the session with an original of that time. A fork of a fork has several such sessions. */
  async #lookUp(time: number): Promise<void> {
    this.#messages.set(time, []);
    const rows = await this.#database.rows(
      `SELECT CAST(id AS TEXT) AS id, CAST(time_created AS REAL) AS time FROM message WHERE session_id = (
         SELECT id FROM session WHERE project_id = ? AND id <> ? AND time_created <= ? AND EXISTS (
           SELECT 1 FROM message WHERE session_id = session.id AND time_created = ?)
         ORDER BY time_created DESC LIMIT 1)
       ORDER BY time_created, id`,
      this.#session.project ?? "",
      this.#session.id,
      time,
      time,
    );
    for (const [at, same] of Map.groupBy(rows, (row) => Number(row["time"])))
      if (at >= time)
        this.#messages.set(
          at,
          same.map(({ id }) => String(id)),
        );
  }

  async #partsOf(message: string): Promise<readonly string[]> {
    const known = this.#parts.get(message);
    if (known !== undefined) return known;
    const rows = await this.#database.rows(
      "SELECT CAST(id AS TEXT) AS id FROM part WHERE message_id = ? ORDER BY id",
      message,
    );
    const ids = rows.map(({ id }) => String(id));
    this.#parts.set(message, ids);
    return ids;
  }
}
