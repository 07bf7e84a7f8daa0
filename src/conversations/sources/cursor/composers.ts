// The conversations of Cursor's global database since 2025: a value
// `composerData:<id>` in `cursorDiskKV` for each, and one
// `bubbleId:<id>:<bubble>` for each message. These databases grow to gigabytes,
// so changes are found by row ids and sizes, without reading values: a key that
// is written again gets a new row. Used by state-database.ts.
import { hash } from "node:crypto";
import type { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { batchesBySize } from "../kit/changed-sessions.ts";
import { cutIf, type CutKeys } from "../kit/brief-json.ts";
import type { Batch, SourceEvent, Wanted } from "../source.ts";
import { MAX_VALUE_SIZE, recordOf, recordsOf, storedJson, textOf } from "../kit/stored-json.ts";
import {
  bubbleId,
  factsOf,
  headOf,
  standingAt,
  eventsOfAll,
  eventsOfBubble,
  type Fields,
  type Head,
} from "./bubbles.ts";

const HEADERS = "composer.composerHeaders";

/** Composers per query; bubbles, and their bytes, in memory at a time. */
const COMPOSERS_AT_ONCE = 200;
const BUBBLES_AT_ONCE = 64;
/** Milliseconds after which an empty batch is yielded, so that other work gets a turn. */
const TURN = 8;

/**
 * The used fields of a bubble: the others, which are most of it, never leave the
 * database. Values may be blobs, and may not be JSON.
 */
const BUBBLE = `SELECT key, CASE WHEN json_valid(bubble) THEN json_object(
    'type', bubble -> '$.type', 'text', bubble -> '$.text', 'rawText', bubble -> '$.rawText',
    'richText', json(CASE WHEN coalesce(bubble ->> '$.text', '') = '' THEN bubble -> '$.richText' END),
    'images', json(CASE WHEN coalesce(json_array_length(bubble, '$.images'), 0) > 0
      OR coalesce(json_array_length(bubble, '$.context.selectedImages'), 0) > 0 THEN json_array(1) END),
    'isThought', bubble -> '$.isThought', 'thinking', bubble -> '$.thinking',
    'createdAt', bubble -> '$.createdAt', 'timingInfo', bubble -> '$.timingInfo',
    'toolFormerData', json(CASE WHEN bubble ->> '$.toolFormerData.name' IS NOT NULL THEN json_object(
      'name', bubble ->> '$.toolFormerData.name', 'status', bubble ->> '$.toolFormerData.status',
      'rawArgs', bubble ->> '$.toolFormerData.rawArgs', 'params', bubble ->> '$.toolFormerData.params',
      'result', bubble ->> '$.toolFormerData.result') END)) END AS value
  FROM (SELECT key, CAST(value AS TEXT) AS bubble FROM cursorDiskKV
    WHERE key IN (SELECT value FROM json_each(?)) AND octet_length(value) <= ?)`;

/** The same bubbles as they are stored: to find what may be left out takes less time than SQLite's reading of JSON. */
const STORED_BUBBLE = `SELECT key, CAST(value AS BLOB) AS value FROM cursorDiskKV
  WHERE key IN (SELECT value FROM json_each(?)) AND octet_length(value) <= ?`;

/** The output of tools, and what was given to the model with a prompt. */
const TOOL_OUTPUT: CutKeys = [
  { key: "result" },
  { key: "context" },
  { key: "images" },
  ...["codeBlocks", "attachedCodeChunks", "codebaseContextChunks", "suggestedCodeBlocks", "diffHistories"].map(
    (key) => ({ key, isLeftOut: true as const }),
  ),
];

interface Composer {
  readonly id: string;
  /** The conversation of its messages: itself, or the one whose assistant started it. */
  readonly conversation: string;
  readonly isSubagent: boolean;
  /** Read before: its skipped records were counted then. */
  readonly isKnown: boolean;
}

export class CursorComposers {
  readonly #database: ForeignDatabase;
  readonly #before: Readonly<Record<string, string>>;
  readonly #complete: (head: Head) => Head;
  readonly #wanted: Wanted;
  readonly #signal: AbortSignal;
  readonly #heads = new Map<string, Head>();
  /** A mark per composer: it differs if the composer, or one of its messages, has changed. */
  readonly marks: Record<string, string> = {};

  /**
   * @param before the marks of an earlier reading
   * @param complete adds the facts that follow from the location of the database
   */
  constructor(
    database: ForeignDatabase,
    before: Readonly<Record<string, string>>,
    complete: (head: Head) => Head,
    wanted: Wanted,
    signal: AbortSignal,
  ) {
    this.#database = database;
    this.#before = before;
    this.#complete = complete;
    this.#wanted = wanted;
    this.#signal = signal;
  }

  async *read(): AsyncGenerator<Batch> {
    await this.#readHeads();
    let turn = performance.now();
    for (let last = "composerData:"; !this.#signal.aborted;) {
      const rows = await this.#database.rows(
        `SELECT key, rowid AS row, octet_length(value) AS size FROM cursorDiskKV
         WHERE key > ? AND key < 'composerData;' ORDER BY key LIMIT ?`,
        last,
        COMPOSERS_AT_ONCE,
      );
      for (const { key, row, size } of rows) {
        if (this.#signal.aborted) return;
        if (size === null) continue;
        const id = String(key).slice("composerData:".length);
        const mark = `${row}.${size}.${await this.#markOfBubbles(id)}.${markOf(this.#heads.get(id))}`;
        if (this.#before[id] !== mark) yield* this.#readComposer(id);
        if (!this.#signal.aborted) this.marks[id] = mark;
        if (performance.now() - turn < TURN) continue;
        yield [];
        turn = performance.now();
      }
      if (rows.length < COMPOSERS_AT_ONCE) return;
      last = String(rows.at(-1)!["key"]);
    }
  }

  /** The list of all conversations of newer versions: one value, later a table. */
  async #readHeads(): Promise<void> {
    if (await this.#database.hasTable("ItemTable")) {
      const list = recordOf(await this.#valueOf("ItemTable", HEADERS));
      for (const composer of recordsOf(list?.["allComposers"]))
        this.#takeHead(textOf(composer["composerId"]), composer);
    }
    if (!(await this.#database.hasTable("composerHeaders"))) return;
    for (let last = ""; ;) {
      const rows = await this.#database.rows(
        `SELECT composerId AS id, value FROM composerHeaders
         WHERE composerId > ? AND octet_length(value) <= ? ORDER BY composerId LIMIT ?`,
        last,
        MAX_VALUE_SIZE,
        COMPOSERS_AT_ONCE,
      );
      for (const { id, value } of rows) this.#takeHead(textOf(id), recordOf(storedJson(value)));
      if (rows.length < COMPOSERS_AT_ONCE) return;
      last = String(rows.at(-1)!["id"]);
    }
  }

  #takeHead(id: string | undefined, composer: Fields | undefined): void {
    if (id !== undefined && composer !== undefined) this.#heads.set(id, headOf(composer));
  }

  /** How many bubbles there are, and which was written last: both are in the index of keys. */
  async #markOfBubbles(id: string): Promise<string> {
    const [row] = await this.#database.rows(
      "SELECT count(*) AS count, max(rowid) AS newest FROM cursorDiskKV WHERE key >= ? AND key < ?",
      ...bubbleRange(id),
    );
    return `${row?.["count"]}.${row?.["newest"] ?? 0}`;
  }

  async #valueOf(table: "ItemTable" | "cursorDiskKV", key: string): Promise<unknown> {
    const [row] = await this.#database.rows(
      `SELECT value FROM ${table} WHERE key = ? AND octet_length(value) <= ?`,
      key,
      MAX_VALUE_SIZE,
    );
    return storedJson(row?.["value"]);
  }

  async *#readComposer(id: string): AsyncGenerator<Batch> {
    const record = recordOf(await this.#valueOf("cursorDiskKV", `composerData:${id}`));
    if (record === undefined) {
      yield [{ kind: "unreadable", count: 1, reason: "conversations that are no JSON, or larger than 64 MB" }];
      return;
    }
    const head = this.#complete(merged(headOf(record), this.#heads.get(id)));
    const isSubagent = head.parent !== undefined;
    const composer = { id, conversation: head.parent ?? id, isSubagent, isKnown: this.#before[id] !== undefined };
    const facts: SourceEvent[] = isSubagent ? [] : [factsOf(id, head)];
    const inline = recordsOf(record["conversation"]);
    if (inline.length > 0) {
      yield [...facts, ...eventsOfAll(inline, composer.conversation, isSubagent)];
      return;
    }
    const order = recordsOf(record["fullConversationHeadersOnly"]).map(bubbleId);
    yield facts;
    yield* this.#readBubbles(
      composer,
      order.filter((bubble) => bubble !== undefined),
    );
  }

  /** In the order of the composer; bubbles that it does not list were edited away. */
  async *#readBubbles(composer: Composer, order: readonly string[]): AsyncGenerator<Batch> {
    const sizes = await this.#sizesOfBubbles(composer.id);
    yield composer.isKnown ? [] : passedOver(order, sizes);
    const queue = order.map((bubble, at) => ({ bubble, at })).filter(({ bubble }) => sizes.has(bubble));
    for (const some of batchesBySize(queue, BUBBLES_AT_ONCE, ({ bubble }) => sizes.get(bubble)!, this.#signal))
      yield await this.#readSome(composer, some, order);
  }

  async #readSome(
    { id, conversation, isSubagent }: Composer,
    some: readonly { readonly bubble: string; readonly at: number }[],
    order: readonly string[],
  ): Promise<SourceEvent[]> {
    const rows = await this.#database.rows(
      this.#wanted === "briefly" ? STORED_BUBBLE : BUBBLE,
      JSON.stringify(some.map(({ bubble }) => `bubbleId:${id}:${bubble}`)),
      MAX_VALUE_SIZE,
    );
    const cut = cutIf(this.#wanted, TOOL_OUTPUT);
    const values = new Map(rows.map(({ key, value }) => [key, recordOf(storedJson(value, cut))]));
    const events: SourceEvent[] = [];
    let unreadable = 0;
    for (const { bubble, at } of some) {
      const value = values.get(`bubbleId:${id}:${bubble}`);
      if (value === undefined) unreadable++;
      else events.push(...eventsOfBubble(value, bubble, standingAt(conversation, at, order[at - 1], isSubagent)));
    }
    if (unreadable > 0)
      events.push({ kind: "unreadable", count: unreadable, reason: "messages that are no JSON, or larger than 64 MB" });
    return events;
  }

  async #sizesOfBubbles(id: string): Promise<Map<string, number>> {
    const [from, to] = bubbleRange(id);
    const rows = await this.#database.rows(
      `SELECT substr(key, ?) AS bubble, octet_length(value) AS size FROM cursorDiskKV
       WHERE key >= ? AND key < ? AND value IS NOT NULL`,
      from.length + 1,
      from,
      to,
    );
    return new Map(rows.map(({ bubble, size }) => [String(bubble), Number(size)]));
  }
}

function bubbleRange(id: string): [from: string, to: string] {
  return [`bubbleId:${id}:`, `bubbleId:${id};`];
}

function passedOver(order: readonly string[], sizes: ReadonlyMap<string, number>): SourceEvent[] {
  const named = new Set(order);
  const orphans = [...sizes.keys()].filter((bubble) => !named.has(bubble)).length;
  if (orphans > 0) return [{ kind: "skipped", count: orphans, reason: "messages that were edited away" }];
  if (order.length > 0 && sizes.size === 0)
    return [{ kind: "unreadable", count: 1, reason: "conversations whose messages are not in the database" }];
  return [];
}

function markOf(head: Head | undefined): string {
  return head === undefined ? "" : hash("sha1", JSON.stringify(head), "base64url").slice(0, 8);
}

/** The conversation's own record, completed from the list of all. */
function merged(own: Head, listed: Head | undefined): Head {
  if (listed === undefined) return own;
  const later = Math.max(own.updated ?? 0, listed.updated ?? 0);
  return {
    title: listed.title ?? own.title,
    folder: own.folder ?? listed.folder,
    workspace: own.workspace ?? listed.workspace,
    branch: own.branch ?? listed.branch,
    created: own.created ?? listed.created,
    updated: later === 0 ? undefined : later,
    model: own.model ?? listed.model,
    parent: own.parent ?? listed.parent,
  };
}
