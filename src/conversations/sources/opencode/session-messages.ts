// The messages of one session in opencode's tables `message` and `part`. A fork
// is a new session with copies of all earlier messages under new ids; only their
// times show of which they are copies. Used by database.ts.
import type { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { batchesBySize } from "../kit/changed-sessions.ts";
import { cutIf, type CutKeys } from "../kit/brief-json.ts";
import { MAX_VALUE_SIZE, recordOf, storedJson, textOf } from "../kit/stored-json.ts";
import { timeOf, type Batch, type SourceEvent, type Wanted } from "../source.ts";
import { eventsOfPart, orderOf, partIn, type Message } from "./messages.ts";
import { Originals, type OtherSessions } from "./originals.ts";
import { copyTime, type Session } from "./sessions.ts";

/** Parts, and their bytes, in memory at a time. */
const PARTS_AT_ONCE = 64;
const MESSAGES_AT_ONCE = 200;

/** The used fields: users' messages may have the differences of all files. */
const MESSAGE = `SELECT CAST(id AS TEXT) AS id, message ->> '$.role' AS role, message ->> '$.modelID' AS model,
    json_type(message, '$.summary') = 'true' AS summary
  FROM (SELECT id, CAST(data AS TEXT) AS message FROM message
    WHERE id IN (SELECT value FROM json_each(?)) AND octet_length(data) <= ${MAX_VALUE_SIZE})
  WHERE json_valid(message)`;

const PART = `SELECT CAST(id AS TEXT) AS id, CAST(data AS BLOB) AS data FROM part
  WHERE id IN (SELECT value FROM json_each(?)) AND octet_length(data) <= ${MAX_VALUE_SIZE}`;

/** What tools gave, and what they were asked, which may be a whole file. */
const TOOL_TEXTS: CutKeys = [
  { key: "output", depth: 2 },
  { key: "error", depth: 2 },
  { key: "content", depth: 3 },
  { key: "metadata", depth: 2, isLeftOut: true },
];

/** A message in the order of its session. */
interface Listed {
  readonly id: string;
  readonly time: number;
  /** The message before it. */
  readonly follows: string | undefined;
}

/** A part to be read, with its position in the message. */
interface Queued {
  readonly id: string;
  readonly listed: Listed;
  readonly index: number;
  readonly size: number;
}

export class SessionMessages {
  readonly #database: ForeignDatabase;
  readonly #session: Session & { readonly conversation: string; readonly isSubagent: boolean };
  readonly #signal: AbortSignal;
  readonly #wanted: Wanted;
  readonly #originals: Originals;
  #order: readonly Listed[] = [];

  constructor(
    database: ForeignDatabase,
    session: Session & { readonly conversation: string; readonly isSubagent: boolean },
    signal: AbortSignal,
    wanted: Wanted,
  ) {
    this.#database = database;
    this.#session = session;
    this.#signal = signal;
    this.#wanted = wanted;
    this.#originals = new Originals(sessionsIn(database, session));
  }

  /** Lists the messages: ids and times are in an index. */
  async open(): Promise<void> {
    if (!(await this.#database.hasTable("message")) || !(await this.#database.hasTable("part"))) return;
    const rows = await this.#database.rows(
      `SELECT CAST(id AS TEXT) AS id, CAST(time_created AS REAL) AS time FROM message
       WHERE session_id = ? ORDER BY time_created, id`,
      this.#session.id,
    );
    const order: Listed[] = [];
    for (const { id, time } of rows) order.push({ id: String(id), time: timeOf(time) ?? 0, follows: order.at(-1)?.id });
    this.#order = order;
  }

  get isEmpty(): boolean {
    return this.#order.length === 0;
  }

  get copiedAt(): number | undefined {
    return copyTime(this.#session, this.#order[0]?.time);
  }

  /** @param since only messages that changed at that time or later; everything if none has */
  async *read(since: number | undefined): AsyncGenerator<Batch> {
    const changed = since === undefined ? [] : await this.#changedSince(since);
    const isNew = since === undefined;
    const order = changed.length === 0 ? this.#order : changed;
    for (let from = 0; from < order.length && !this.#signal.aborted; from += MESSAGES_AT_ONCE)
      yield* this.#readMessages(order.slice(from, from + MESSAGES_AT_ONCE), isNew);
  }

  async #changedSince(since: number): Promise<Listed[]> {
    const rows = await this.#database.rows(
      `SELECT CAST(id AS TEXT) AS id FROM message WHERE session_id = ? AND time_updated >= ?
       UNION SELECT CAST(message_id AS TEXT) FROM part WHERE session_id = ? AND time_updated >= ?`,
      this.#session.id,
      since,
      this.#session.id,
      since,
    );
    const ids = new Set(rows.map(({ id }) => String(id)));
    return this.#order.filter(({ id }) => ids.has(id));
  }

  async *#readMessages(listed: readonly Listed[], isNew: boolean): AsyncGenerator<Batch> {
    const ids = JSON.stringify(listed.map(({ id }) => id));
    const messages = new Map(
      (await this.#database.rows(MESSAGE, ids)).map(({ id, role, model, summary }): [string, Message] => [
        String(id),
        { id: String(id), role, model: textOf(model), isSummary: summary === 1 },
      ]),
    );
    const queue = await this.#partsOf(listed);
    let model: string | undefined;
    for (const some of batchesBySize(queue, PARTS_AT_ONCE, ({ size }) => size, this.#signal))
      yield await this.#readParts(some, messages, isNew);
    for (const { id } of listed) {
      const message = messages.get(id);
      if (message?.role === "assistant" && !message.isSummary) model = message.model ?? model;
    }
    const id = this.#session.conversation;
    if (model !== undefined && !this.#session.isSubagent) yield [{ kind: "conversation", facts: { id, model } }];
  }

  /** In the order of their messages, and of their ids within these. */
  async #partsOf(listed: readonly Listed[]): Promise<Queued[]> {
    const rows = await this.#database.rows(
      `SELECT CAST(id AS TEXT) AS id, CAST(message_id AS TEXT) AS message, octet_length(data) AS size FROM part
       WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, id`,
      JSON.stringify(listed.map(({ id }) => id)),
    );
    const byMessage = Map.groupBy(rows, ({ message }) => String(message));
    return listed.flatMap((one) =>
      (byMessage.get(one.id) ?? []).map(({ id, size }, index) => ({
        id: String(id),
        listed: one,
        index,
        size: Number(size),
      })),
    );
  }

  async #readParts(
    queue: readonly Queued[],
    messages: ReadonlyMap<string, Message>,
    isNew: boolean,
  ): Promise<SourceEvent[]> {
    const rows = await this.#database.rows(PART, JSON.stringify(queue.map(({ id }) => id)));
    const cut = cutIf(this.#wanted, TOOL_TEXTS);
    const parts = new Map(rows.map(({ id, data }) => [String(id), recordOf(storedJson(data, cut))]));
    const events: SourceEvent[] = [];
    let unreadable = 0;
    let unknown = 0;
    for (const { id, listed, index } of queue) {
      const part = parts.get(id);
      const message = messages.get(listed.id);
      if (part === undefined || message === undefined) {
        unreadable++;
        continue;
      }
      const isCopy = this.copiedAt !== undefined && listed.time < this.copiedAt;
      const original = isCopy ? await this.#originals.of(listed, index) : undefined;
      const place = {
        conversation: this.#session.conversation,
        isSubagent: this.#session.isSubagent,
        key: original?.part ?? id,
        message: original?.message ?? listed.id,
        order: orderOf(listed.time, index),
        time: listed.time === 0 ? undefined : listed.time,
        follows: listed.follows,
      };
      const own = eventsOfPart(partIn(part), message, place);
      if (own === undefined) unknown++;
      else events.push(...own);
    }
    if (unreadable > 0 && isNew)
      events.push({ kind: "unreadable", count: unreadable, reason: "messages that are no JSON, or larger than 64 MB" });
    if (unknown > 0 && isNew)
      events.push({ kind: "skipped", count: unknown, reason: "parts of messages of an unknown type" });
    return events;
  }

  /**
   * Messages that the person went back before stay until the next prompt, which removes them; until then they can be
   * brought back.
   * @param before where an earlier reading saw that the session was reverted to
   */
  eventsOfRevert(before: string | undefined): SourceEvent[] {
    const { conversation, reverted } = this.#session;
    const from = (id: string | undefined) => {
      const at = this.#order.findIndex((one) => one.id === id);
      return at === -1 ? [] : this.#order.slice(at);
    };
    const left = new Set(from(reverted).map(({ id }) => id));
    return [
      ...[...left].map((message): SourceEvent => ({ kind: "abandoned", conversation, abandoned: { message } })),
      ...from(before).flatMap(({ id: message }): SourceEvent[] =>
        left.has(message) ? [] : [{ kind: "revived", conversation, message }],
      ),
    ];
  }
}

/** The other sessions of the same project, in which originals are looked for. */
function sessionsIn(database: ForeignDatabase, { id: copy, project }: Session): OtherSessions {
  return {
    messagesFrom: async (time) => {
      const rows = await database.rows(
        `SELECT CAST(id AS TEXT) AS id, CAST(time_created AS REAL) AS time FROM message WHERE session_id = (
           SELECT id FROM session WHERE project_id = ? AND id <> ? AND time_created <= ? AND EXISTS (
             SELECT 1 FROM message WHERE session_id = session.id AND time_created = ?)
           ORDER BY time_created DESC LIMIT 1)
         ORDER BY time_created, id`,
        project ?? "",
        copy,
        time,
        time,
      );
      return rows.map((row) => ({ id: String(row["id"]), time: Number(row["time"]) }));
    },
    partsOf: async (message) => {
      const sql = "SELECT CAST(id AS TEXT) AS id FROM part WHERE message_id = ? ORDER BY id";
      return (await database.rows(sql, message)).map(({ id }) => String(id));
    },
  };
}
