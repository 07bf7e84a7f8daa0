// Conversations and pages in memory while transcripts are ingested: read from
// the tables when first needed, changed here, written by buffer-flush.ts. One
// object serves one transaction. Used by store-writer.ts.
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import type { SourceName } from "../../sources/source.ts";
import {
  change,
  COLUMNS,
  newRow,
  type BufferedConversation,
  type BufferedPage,
  type Row,
} from "./buffered-conversation.ts";
import { PAGE_SIZES } from "../../store/pages.ts";
import { partsOfPage } from "../../store/conversation-reader.ts";

export class WriteBuffer {
  readonly #database: IndexDatabase;
  /** Called with each full page: it is written at once and leaves memory. */
  readonly #filled: (page: BufferedPage) => void;
  readonly #conversations = new Map<string, BufferedConversation>();
  readonly #pages = new Map<number, BufferedPage>();
  /** Pairs of transcript and conversation that the table `holding` has. */
  readonly #listed = new Set<string>();
  #lastTextRow: number | undefined;

  constructor(database: IndexDatabase, filled: (page: BufferedPage) => void) {
    this.#database = database;
    this.#filled = filled;
  }

  conversations(): Iterable<BufferedConversation> {
    return this.#conversations.values();
  }

  pages(): Iterable<BufferedPage> {
    return this.#pages.values();
  }

  clear(): void {
    this.#pages.clear();
    this.#conversations.clear();
    this.#listed.clear();
  }

  /** A conversation of a transcript, created if it does not exist yet. */
  conversation(transcript: number, source: SourceName, key: string): BufferedConversation {
    const conversation = this.known(source, key) ?? this.#make(source, key);
    const holding = `${transcript} ${conversation.id}`;
    if (this.#listed.has(holding)) return conversation;
    this.#listed.add(holding);
    const sql = "INSERT OR IGNORE INTO holding (conversation, unit) VALUES (?, ?)";
    if (this.#database.run(sql, conversation.id, transcript).changes > 0 && !conversation.isNew)
      this.#database.run("UPDATE conversation SET is_archived = 0 WHERE id = ? AND is_archived", conversation.id);
    return conversation;
  }

  /** An existing conversation, of whichever transcript. */
  known(source: SourceName, key: string): BufferedConversation | undefined {
    const listed = this.#conversations.get(nameOf(source, key));
    if (listed !== undefined) return listed;
    const found = this.#database.get(
      `SELECT id, ${COLUMNS} FROM conversation WHERE source = ? AND key = ?`,
      source,
      key,
    );
    return found === undefined ? undefined : this.#add(source, key, Number(found["id"]), rowIn(found));
  }

  #make(source: SourceName, key: string): BufferedConversation {
    const { id } = this.#database.run("INSERT INTO conversation (source, key) VALUES (?, ?)", source, key);
    return this.#add(source, key, id, undefined);
  }

  #add(source: SourceName, key: string, id: number, row: Row | undefined): BufferedConversation {
    const conversation: BufferedConversation = {
      id,
      source,
      key,
      isNew: row === undefined,
      row: row ?? newRow(),
      changes: {},
      files: new Map(),
      usages: new Map(),
      openPages: { prose: new Map(), nonProse: new Map() },
      isRetitled: false,
    };
    this.#conversations.set(nameOf(source, key), conversation);
    return conversation;
  }

  /** Returns whether another transcript has buffered pages of the conversation. */
  hasPageOfOther(transcript: number, source: SourceName, key: string): boolean {
    const open = this.#conversations.get(nameOf(source, key))?.openPages;
    return open !== undefined && [...open.prose.keys(), ...open.nonProse.keys()].some((one) => one !== transcript);
  }

  /**
   * The page for the next part: the transcript's last one of the conversation, unless that is full.
   * @param message of prose, which stays together on one page; undefined for non-prose
   */
  openPage(conversation: BufferedConversation, transcript: number, message: string | undefined): BufferedPage {
    const isNonProse = message === undefined;
    const pages = isNonProse ? conversation.openPages.nonProse : conversation.openPages.prose;
    const open = pages.get(transcript);
    if (open !== undefined && takes(open, message)) return open;
    const left =
      open === undefined && !conversation.isNew ? this.#lastPage(conversation, transcript, message) : undefined;
    if (open !== undefined) {
      this.#filled(open);
      this.#pages.delete(open.id);
    }
    const next = left ?? this.#newPage(conversation, transcript, isNonProse);
    pages.set(transcript, next);
    return next;
  }

  /** The page that an earlier transaction left, if it is not full. */
  #lastPage(
    conversation: BufferedConversation,
    transcript: number,
    message: string | undefined,
  ): BufferedPage | undefined {
    const last = this.#database.get(
      "SELECT id FROM page WHERE unit = ? AND conversation = ? AND is_rest = ? ORDER BY id DESC LIMIT 1",
      transcript,
      conversation.id,
      Number(message === undefined),
    );
    const page = last === undefined ? undefined : this.page(Number(last["id"]), conversation.source);
    return page !== undefined && takes(page, message) ? page : undefined;
  }

  #newPage(conversation: BufferedConversation, transcript: number, isNonProse: boolean): BufferedPage {
    const id = this.nextTextRow();
    const page: BufferedPage = {
      id,
      conversation,
      transcript,
      isNonProse,
      parts: [],
      size: 0,
      isNew: true,
      isChanged: true,
    };
    this.#pages.set(id, page);
    if (!isNonProse && conversation.row.first_page === null) change(conversation, "first_page", id);
    return page;
  }

  /** A new row of the full text: pages and titles are counted together. */
  nextTextRow(): number {
    this.#lastTextRow ??= Number(
      this.#database.get(
        `SELECT max(coalesce((SELECT max(id) FROM page), 0),
           coalesce((SELECT max(title_row) FROM conversation), 0)) AS last`,
      )!["last"],
    );
    return ++this.#lastTextRow;
  }

  /** Undefined if there is no such page, or no longer. */
  page(id: number, source: SourceName): BufferedPage | undefined {
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
      this.#add(source, key, Number(found["conversation"]), rowIn(found));
    const page: BufferedPage = {
      id,
      conversation,
      transcript: Number(found["unit"]),
      isNonProse: found["is_rest"] === 1,
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

/** Only the columns of `Row`. */
function rowIn(found: Record<string, unknown>): Row {
  const names = Object.keys(newRow());
  return Object.fromEntries(names.map((name) => [name, found[name]])) as unknown as Row;
}

/** Returns whether a page takes one more part: it is not full, or the part continues its last message. */
function takes({ size, isNonProse, parts }: BufferedPage, message: string | undefined): boolean {
  if (size < (isNonProse ? PAGE_SIZES.nonProse : PAGE_SIZES.prose)) return true;
  return message !== undefined && parts.at(-1)?.message === message;
}
