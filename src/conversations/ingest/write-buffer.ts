// The conversations and pages that are held in memory while units are taken in,
// as the tables have them and as they will. One object serves one transaction.
// Used by taking-in.ts.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { SourceName } from "../sources/source.ts";
import { change, COLUMNS, newRow, type HeldConversation, type HeldPage, type Row } from "./buffered-conversation.ts";
import { PAGE_SIZES } from "../store/pages.ts";
import { partsOfPage } from "../store/reader.ts";

export class Holding {
  readonly #database: IndexDatabase;
  /** Told of a page that is full: it is not held until the end. */
  readonly #filled: (page: HeldPage) => void;
  readonly #conversations = new Map<string, HeldConversation>();
  readonly #pages = new Map<number, HeldPage>();
  /** Which units are known to have which conversations. */
  readonly #held = new Set<string>();
  #lastId: number | undefined;

  constructor(database: IndexDatabase, filled: (page: HeldPage) => void) {
    this.#database = database;
    this.#filled = filled;
  }

  conversations(): Iterable<HeldConversation> {
    return this.#conversations.values();
  }

  pages(): Iterable<HeldPage> {
    return this.#pages.values();
  }

  clear(): void {
    this.#pages.clear();
    this.#conversations.clear();
    this.#held.clear();
  }

  /** A conversation of a unit, made where there is none yet. */
  conversation(unit: number, source: SourceName, key: string): HeldConversation {
    const conversation = this.known(source, key) ?? this.#make(source, key);
    const holding = `${unit} ${conversation.id}`;
    if (this.#held.has(holding)) return conversation;
    this.#held.add(holding);
    const sql = "INSERT OR IGNORE INTO holding (conversation, unit) VALUES (?, ?)";
    if (this.#database.run(sql, conversation.id, unit).changes > 0 && !conversation.isNew)
      this.#database.run("UPDATE conversation SET is_archived = 0 WHERE id = ? AND is_archived", conversation.id);
    return conversation;
  }

  /** A conversation that is here already, whichever unit has it. */
  known(source: SourceName, key: string): HeldConversation | undefined {
    const held = this.#conversations.get(nameOf(source, key));
    if (held !== undefined) return held;
    const found = this.#database.get(
      `SELECT id, ${COLUMNS} FROM conversation WHERE source = ? AND key = ?`,
      source,
      key,
    );
    return found === undefined ? undefined : this.#hold(source, key, Number(found["id"]), rowIn(found));
  }

  #make(source: SourceName, key: string): HeldConversation {
    const { id } = this.#database.run("INSERT INTO conversation (source, key) VALUES (?, ?)", source, key);
    return this.#hold(source, key, id, undefined);
  }

  #hold(source: SourceName, key: string, id: number, row: Row | undefined): HeldConversation {
    const conversation: HeldConversation = {
      id,
      source,
      key,
      isNew: row === undefined,
      row: row ?? newRow(),
      changes: {},
      files: new Map(),
      turns: new Map(),
      open: new Map(),
      isRetitled: false,
    };
    this.#conversations.set(nameOf(source, key), conversation);
    return conversation;
  }

  /** Whether another unit has told something of the conversation that is still held. */
  hasPageOfOther(unit: number, source: SourceName, key: string): boolean {
    const units = this.#conversations.get(nameOf(source, key))?.open.keys() ?? [];
    return [...units].some((one) => Math.abs(one) !== unit);
  }

  /**
   * The page to which the next part goes: the unit's last one of the conversation, unless it is full.
   * @param message whose prose it is: all of that stays together; undefined for the rest
   */
  openPage(conversation: HeldConversation, unit: number, message: string | undefined): HeldPage {
    const isRest = message === undefined;
    const key = isRest ? -unit : unit;
    const open = conversation.open.get(key);
    if (open !== undefined && takes(open, message)) return open;
    const left = open === undefined && !conversation.isNew ? this.#lastPage(conversation, unit, message) : undefined;
    if (open !== undefined) {
      this.#filled(open);
      this.#pages.delete(open.id);
    }
    const next = left ?? this.#newPage(conversation, unit, isRest);
    conversation.open.set(key, next);
    return next;
  }

  /** The page that an earlier transaction left, where it still takes something. */
  #lastPage(conversation: HeldConversation, unit: number, message: string | undefined): HeldPage | undefined {
    const last = this.#database.get(
      "SELECT id FROM page WHERE unit = ? AND conversation = ? AND is_rest = ? ORDER BY id DESC LIMIT 1",
      unit,
      conversation.id,
      Number(message === undefined),
    );
    const page = last === undefined ? undefined : this.page(Number(last["id"]), conversation.source);
    return page !== undefined && takes(page, message) ? page : undefined;
  }

  #newPage(conversation: HeldConversation, unit: number, isRest: boolean): HeldPage {
    this.#lastId ??= Number(this.#database.get("SELECT max(id) AS id FROM page")?.["id"] ?? 0);
    const id = ++this.#lastId;
    const page: HeldPage = { id, conversation, unit, isRest, parts: [], size: 0, isNew: true, isChanged: true };
    this.#pages.set(id, page);
    if (!isRest && conversation.row.first_page === null) change(conversation, "first_page", id);
    return page;
  }

  /** Undefined where there is none, or none any more. */
  page(id: number, source: SourceName): HeldPage | undefined {
    const known = this.#pages.get(id);
    if (known !== undefined) return known;
    const found = this.#database.get(
      `SELECT conversation, key, unit, size, is_rest, ${COLUMNS}
       FROM page JOIN conversation ON conversation.id = page.conversation WHERE page.id = ?`,
      id,
    );
    if (found === undefined) return undefined;
    const key = String(found["key"]);
    const conversation =
      this.#conversations.get(nameOf(source, key)) ??
      this.#hold(source, key, Number(found["conversation"]), rowIn(found));
    const page: HeldPage = {
      id,
      conversation,
      unit: Number(found["unit"]),
      isRest: found["is_rest"] === 1,
      parts: partsOfPage(this.#database, id),
      size: Number(found["size"]),
      isNew: false,
      isChanged: false,
    };
    this.#pages.set(id, page);
    return page;
  }
}

function nameOf(source: SourceName, key: string): string {
  return `${source}\0${key}`;
}

/** Its columns only. */
function rowIn(found: Record<string, unknown>): Row {
  const names = Object.keys(newRow());
  return Object.fromEntries(names.map((name) => [name, found[name]])) as unknown as Row;
}

/** Whether a page takes one more part: it is not full, or the part goes on with the message that it ends with. */
function takes({ size, isRest, parts }: HeldPage, message: string | undefined): boolean {
  if (size < (isRest ? PAGE_SIZES.rest : PAGE_SIZES.prose)) return true;
  return message !== undefined && parts.at(-1)?.message === message;
}
