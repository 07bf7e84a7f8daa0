// The messages of one session in the tables of opencode's next version:
// `session_message` has a row for each, with all its parts, and `session_input`
// prompts that wait to be sent. Read for sessions that are not in the tables of
// this version. Used by database.ts.
import type { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { batchesBySize } from "../kit/changed-sessions.ts";
import { MAX_VALUE_SIZE, recordOf, recordsOf, storedJson, textOf } from "../kit/stored-json.ts";
import { timeOf, type Batch, type SourceEvent } from "../source.ts";
import { eventsOfPart, orderOf, type Message, type Part, type Place } from "./messages.ts";
import type { Session } from "./sessions.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Messages, and their bytes, in memory at a time. */
const MESSAGES_AT_ONCE = 32;

interface Listed {
  readonly id: string;
  readonly time: number;
  readonly size: number;
  readonly follows: string | undefined;
}

export class NextMessages {
  readonly #database: ForeignDatabase;
  readonly #session: Session & { readonly conversation: string; readonly isSubagent: boolean };
  readonly #signal: AbortSignal;

  constructor(
    database: ForeignDatabase,
    session: Session & { readonly conversation: string; readonly isSubagent: boolean },
    signal: AbortSignal,
  ) {
    this.#database = database;
    this.#session = session;
    this.#signal = signal;
  }

  /** @param since only messages that changed at that time or later; everything if none has */
  async *read(since: number | undefined): AsyncGenerator<Batch> {
    if (await this.#database.hasTable("session_input")) yield await this.#readInput();
    const order = await this.#listed();
    const changed = since === undefined ? new Set<string>() : await this.#changedSince(since);
    const queue = changed.size === 0 ? order : order.filter(({ id }) => changed.has(id));
    for (const some of batchesBySize(queue, MESSAGES_AT_ONCE, ({ size }) => size, this.#signal))
      yield await this.#readSome(some, since === undefined);
  }

  async #listed(): Promise<Listed[]> {
    if (!(await this.#database.hasTable("session_message"))) return [];
    const rows = await this.#database.rows(
      `SELECT CAST(id AS TEXT) AS id, CAST(time_created AS REAL) AS time, octet_length(data) AS size
       FROM session_message WHERE session_id = ? ORDER BY time_created, id`,
      this.#session.id,
    );
    const order: Listed[] = [];
    for (const { id, time, size } of rows)
      order.push({ id: String(id), time: timeOf(time) ?? 0, size: Number(size), follows: order.at(-1)?.id });
    return order;
  }

  async #changedSince(since: number): Promise<Set<string>> {
    if (!(await this.#database.hasTable("session_message"))) return new Set();
    const rows = await this.#database.rows(
      "SELECT CAST(id AS TEXT) AS id FROM session_message WHERE session_id = ? AND time_updated >= ?",
      this.#session.id,
      since,
    );
    return new Set(rows.map(({ id }) => String(id)));
  }

  async #readSome(some: readonly Listed[], isNew: boolean): Promise<SourceEvent[]> {
    const rows = await this.#database.rows(
      `SELECT CAST(id AS TEXT) AS id, type, data FROM session_message
       WHERE id IN (SELECT value FROM json_each(?)) AND octet_length(data) <= ?`,
      JSON.stringify(some.map(({ id }) => id)),
      MAX_VALUE_SIZE,
    );
    const byId = new Map(rows.map((row) => [String(row["id"]), row]));
    const events: SourceEvent[] = [];
    let unreadable = 0;
    let unknown = 0;
    for (const one of some) {
      const row = byId.get(one.id);
      const data = recordOf(storedJson(row?.["data"]));
      if (row === undefined || data === undefined) {
        unreadable++;
        continue;
      }
      const own = this.#eventsOf(row["type"], data, one);
      if (own === undefined) unknown++;
      else events.push(...own);
    }
    if (unreadable > 0 && isNew)
      events.push({ kind: "unreadable", count: unreadable, reason: "messages that are no JSON, or larger than 64 MB" });
    if (unknown > 0 && isNew) events.push({ kind: "skipped", count: unknown, reason: "messages of an unknown type" });
    return events;
  }

  /** Undefined for an unknown type. */
  #eventsOf(type: unknown, data: Fields, listed: Listed): SourceEvent[] | undefined {
    const place = (index: number, key: string): Place => ({
      conversation: this.#session.conversation,
      isSubagent: this.#session.isSubagent,
      key,
      message: listed.id,
      order: orderOf(listed.time, index),
      time: listed.time === 0 ? undefined : listed.time,
      follows: listed.follows,
    });
    const only = (role: "user" | "assistant", part: Part, isSummary = false) =>
      eventsOfPart(part, { id: listed.id, role, isSummary }, place(0, listed.id));
    switch (type) {
      case "user":
        return only("user", { type: "text", text: promptIn(data) });
      case "assistant":
        return this.#eventsOfAnswer(data, listed, place);
      case "compaction":
        return only("assistant", { type: "text", text: textOf(data["summary"]) }, true);
      // A command that the person ran.
      case "shell":
        return only("user", {
          type: "tool",
          tool: "shell",
          input: textOf(data["command"]),
          output: textOf(data["output"]),
        });
      case "synthetic":
      case "system":
      case "agent-switched":
      case "model-switched":
        return [];
      default:
        return undefined;
    }
  }

  #eventsOfAnswer(data: Fields, { id }: Listed, place: (index: number, key: string) => Place): SourceEvent[] {
    const message: Message = { id, role: "assistant", isSummary: false };
    const model = textOf(recordOf(data["model"])?.["id"]);
    const conversation = this.#session.conversation;
    const facts: SourceEvent[] =
      model === undefined || this.#session.isSubagent
        ? []
        : [{ kind: "conversation", facts: { id: conversation, model } }];
    const parts = recordsOf(data["content"]).flatMap(
      (content, index) => eventsOfPart(partIn(content), message, place(index, `${id}:${index}`)) ?? [],
    );
    return [...facts, ...parts];
  }

  /** Prompts that wait until the assistant is done: then they become messages of the same id. */
  async #readInput(): Promise<SourceEvent[]> {
    const rows = await this.#database.rows(
      `SELECT CAST(id AS TEXT) AS id, CAST(time_created AS REAL) AS time, prompt FROM session_input
       WHERE session_id = ? AND promoted_seq IS NULL AND octet_length(prompt) <= ? ORDER BY admitted_seq LIMIT ?`,
      this.#session.id,
      MAX_VALUE_SIZE,
      MESSAGES_AT_ONCE,
    );
    return rows.flatMap(({ id, time, prompt }) => {
      const listed = { id: String(id), time: timeOf(time) ?? 0, size: 0, follows: undefined };
      return this.#eventsOf("user", recordOf(storedJson(prompt)) ?? {}, { ...listed, follows: listed.id }) ?? [];
    });
  }

  /** The message that was reverted to stays; those after it are left until the next prompt, which removes them. */
  async eventsOfRevert(before: string | undefined): Promise<SourceEvent[]> {
    const { conversation, reverted } = this.#session;
    if (reverted === undefined && before === undefined) return [];
    const order = (await this.#listed()).map(({ id }) => id);
    const after = (id: string | undefined) =>
      id !== undefined && order.includes(id) ? order.slice(order.indexOf(id) + 1) : [];
    const left = new Set(after(reverted));
    return [
      ...[...left].map((message): SourceEvent => ({ kind: "abandoned", conversation, abandoned: { message } })),
      ...after(before).flatMap((message): SourceEvent[] =>
        left.has(message) ? [] : [{ kind: "revived", conversation, message }],
      ),
    ];
  }
}

function promptIn(data: Fields): string {
  const hasImage = recordsOf(data["files"]).some(({ mime }) => String(mime).startsWith("image/"));
  return [textOf(data["text"]) ?? "", hasImage ? "[image]" : ""].filter((text) => text !== "").join("\n\n");
}

function partIn(content: Fields): Part {
  const state = recordOf(content["state"]);
  const output = recordsOf(state?.["content"]).map(({ text }) => textOf(text) ?? "");
  const input = state?.["input"];
  return {
    type: content["type"],
    text: textOf(content["text"]),
    tool: textOf(content["name"]),
    status: textOf(state?.["status"]),
    input: typeof input === "string" ? input : input === undefined ? undefined : JSON.stringify(input),
    output: [...output, textOf(recordOf(state?.["error"])?.["message"]) ?? ""].filter((text) => text !== "").join("\n"),
    file: textOf(recordOf(input)?.["filePath"]) ?? textOf(recordOf(input)?.["path"]),
  };
}
