// Writes the events of sources to the tables. One object serves one
// transaction: what it buffers in memory is written by `flush`, and lost with
// the transaction if that fails. Used by refresh.ts and finish-indexing.ts.
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import type { Abandoned, ConversationFacts, MessagePart, SourceName, Usage } from "../../sources/source.ts";
import type { ToolTextWriter } from "../../store/tool-texts/tool-texts.ts";
import { columnsOf } from "../../store/abandoned.ts";
import { hashOf, type PartHash } from "../../store/part-hash.ts";
import { readAgain, removeTranscriptText } from "../../store/removal.ts";
import { ForgottenConversations } from "../../store/forgotten.ts";
import { BufferFlush } from "./buffer-flush.ts";
import { addUsage, isRepeating, retitle, retitleByProgram } from "./buffered-conversation.ts";
import { applyFacts } from "./conversation-facts.ts";
import { hashesLookedUp, MessageWriter } from "./message-writer.ts";
import type { PreparedEvent, PreparedPart } from "../reading/part-preparation.ts";
import { SeenMessages } from "./seen-messages.ts";
import {
  archiveAbsent,
  countSkipped,
  hasStored,
  markRead,
  markRewritten,
  setCheckpoint,
  type StoredTranscript,
} from "../transcript-rows.ts";
import { WriteBuffer } from "./write-buffer.ts";

export class StoreWriter {
  readonly #database: IndexDatabase;
  readonly #seen: SeenMessages;
  readonly #buffer: WriteBuffer;
  readonly #bufferFlush: BufferFlush;
  readonly #messages: MessageWriter;
  readonly #texts: ToolTextWriter | undefined;
  readonly #rewritten: Set<number>;
  readonly #toReadAgain: Set<number>;
  readonly #forgotten: ForgottenConversations;
  readonly #ended: { readonly stored: StoredTranscript; readonly unreadable: string | undefined }[] = [];

  /**
   * @param rewritten transcripts that were rewritten and of which no part was read yet: it may come in a later
   * transaction
   * @param toReadAgain transcripts whose text was removed because it belongs to another conversation: they have to be
   * read again, so their further events are ignored
   * @param texts takes whole texts of non-prose
   */
  constructor(
    database: IndexDatabase,
    rewritten = new Set<number>(),
    toReadAgain = new Set<number>(),
    texts?: ToolTextWriter,
  ) {
    this.#database = database;
    this.#rewritten = rewritten;
    this.#toReadAgain = toReadAgain;
    this.#seen = new SeenMessages(database);
    this.#forgotten = new ForgottenConversations(database);
    this.#bufferFlush = new BufferFlush(database, () => this.#buffer.nextTextRow());
    this.#buffer = new WriteBuffer(database, (page) => page.isChanged && this.#bufferFlush.page(page));
    this.#texts = texts;
    this.#messages = new MessageWriter(database, this.#buffer, this.#seen, texts, (transcript) => {
      this.#writeAndClear();
      for (const id of readAgain(database, transcript)) toReadAgain.add(id);
    });
  }

  add(stored: StoredTranscript, events: readonly PreparedEvent[]): void {
    if (this.#toReadAgain.has(stored.id)) return;
    const batch = this.#forgotten.without(stored.source, events);
    const hashes = batch.map((event) =>
      event.kind === "part" && (event.part.kind === "prose" || event.part.mayRepeat || !stored.emitsNonProseOnce)
        ? hashOf(stored.source, "part", event.part.key)
        : "",
    );
    const others = batch.flatMap((event) => hashesLookedUp(stored.source, event));
    this.#seen.look([...hashes.filter((hash) => hash !== ""), ...others]);
    // Only the first prose of a copy shows whether the original is stored: non-prose events before it have to wait.
    let waiting: PreparedEvent[] = [];
    for (const [i, event] of batch.entries()) {
      if (this.#mayBeCopied(stored, event)) {
        waiting.push(event);
        continue;
      }
      this.#add(stored, event, hashes[i]!);
      if (waiting.length === 0 || event.kind !== "part") continue;
      if (!isRepeating(this.#buffer.conversation(stored.id, stored.source, event.part.conversation)))
        for (const one of waiting) this.#add(stored, one, "");
      waiting = [];
    }
    for (const one of waiting) this.#add(stored, one, "");
  }

  /** Returns whether a non-prose event may have been copied from another conversation, which then has it too. */
  #mayBeCopied(stored: StoredTranscript, event: PreparedEvent): boolean {
    if (!stored.emitsNonProseOnce || (event.kind !== "turns" && (event.kind !== "part" || event.part.kind === "prose")))
      return false;
    const key = event.kind === "turns" ? event.turns.conversation : event.part.conversation;
    const time = event.kind === "turns" ? event.turns.times.at(-1) : event.part.time;
    const { row } = this.#buffer.conversation(stored.id, stored.source, key);
    const isUndecided = row.copied_at !== null && row.continues === null && row.is_listed === 0;
    return isUndecided && time !== undefined && time < row.copied_at!;
  }

  /** Removes what an older reader made of the transcript. */
  readAgain(stored: StoredTranscript): void {
    this.#writeAndClear();
    for (const id of readAgain(this.#database, stored)) if (id !== stored.id) this.#toReadAgain.add(id);
  }

  /** The transcript was read to its end, or as far as possible. */
  end(stored: StoredTranscript, unreadable: string | undefined): void {
    if (this.#toReadAgain.has(stored.id)) return;
    this.#ended.push({ stored, unreadable });
  }

  #add(stored: StoredTranscript, event: PreparedEvent, hash: PartHash): void {
    switch (event.kind) {
      case "conversation":
        return this.#addFacts(stored, event.facts);
      case "part":
        return this.#addPart(stored, event.part, hash);
      case "turns":
        this.#removeRewritten(stored);
        return this.#messages.addTurns(stored, event.turns);
      case "usage":
        return this.#addUsage(stored, event.usage);
      case "remembered":
        return this.#addRemembered(stored, event.facts, event.part);
      case "title":
        return this.#addTitleOfMessage(stored.source, event.message, event.title);
      case "named":
        return this.#addTitleOfConversation(stored.source, event.conversation, event.title);
      case "abandoned":
        return this.#addAbandoned(stored, event.conversation, event.abandoned);
      case "revived":
        return this.#removeAbandoned(stored, event.conversation, event.message);
      case "rewritten":
        // Removing looks at every known message, which is much work for thousands of new files.
        if (hasStored(this.#database, stored.id)) this.#rewritten.add(stored.id);
        return markRewritten(this.#database, stored.id);
      case "present":
        this.#writeAndClear();
        return archiveAbsent(this.#database, stored, event.conversations);
      case "skipped":
      case "unreadable":
        return countSkipped(this.#database, stored, event);
      case "checkpoint":
        setCheckpoint(this.#database, stored, event.checkpoint);
    }
  }

  #addFacts({ id, source }: StoredTranscript, facts: ConversationFacts): void {
    applyFacts(this.#buffer.conversation(id, source, facts.id), facts);
  }

  #addUsage(stored: StoredTranscript, usage: Usage): void {
    this.#removeRewritten(stored);
    const conversation = this.#buffer.conversation(stored.id, stored.source, usage.conversation);
    // The tokens of a copy were counted in the original.
    if (usage.isTotal || !isRepeating(conversation)) addUsage(conversation, stored.id, usage);
  }

  #addPart(stored: StoredTranscript, part: PreparedPart, hash: PartHash): void {
    this.#removeRewritten(stored);
    this.#messages.addPart(stored, part, hash);
  }

  #removeRewritten(stored: StoredTranscript): void {
    if (!this.#rewritten.delete(stored.id)) return;
    this.#writeAndClear();
    for (const id of removeTranscriptText(this.#database, stored)) this.#toReadAgain.add(id);
  }

  #addRemembered(stored: StoredTranscript, facts: ConversationFacts, part: MessagePart): void {
    const other = this.#database.get(
      "SELECT 1 FROM conversation JOIN page ON page.conversation = conversation.id WHERE source = ? AND key = ? AND unit <> ?",
      stored.source,
      facts.id,
      stored.id,
    );
    if (other !== undefined || this.#buffer.hasPageOfOther(stored.id, stored.source, facts.id)) return;
    this.#addFacts(stored, facts);
    this.#addPart(stored, part, hashOf(stored.source, "part", part.key));
  }

  #addTitleOfConversation(source: SourceName, key: string, title: string): void {
    const conversation = this.#buffer.known(source, key);
    if (conversation === undefined)
      this.#database.run("INSERT OR REPLACE INTO pending_name VALUES (?, ?, ?)", source, key, title);
    else if (conversation.row.title_by !== "user") retitle(conversation, title, "program");
  }

  #addTitleOfMessage(source: SourceName, message: string, title: string): void {
    const hash = hashOf(source, "part", message);
    const seenOn = this.#seen.pageOf(hash);
    const page = seenOn === undefined ? undefined : this.#buffer.page(seenOn, source);
    if (page === undefined) this.#database.run("INSERT OR REPLACE INTO pending_title VALUES (?, ?)", hash, title);
    else retitleByProgram(page.conversation, title);
  }

  #addAbandoned({ id, source }: StoredTranscript, key: string, abandoned: Abandoned): void {
    const conversation = this.#buffer.conversation(id, source, key);
    this.#database.run("INSERT OR IGNORE INTO abandoned VALUES (?, ?, ?, ?)", conversation.id, ...columnsOf(abandoned));
  }

  #removeAbandoned({ id, source }: StoredTranscript, key: string, message: string): void {
    const conversation = this.#buffer.conversation(id, source, key);
    const sql = "DELETE FROM abandoned WHERE conversation = ? AND kind = 'message' AND name = ?";
    this.#database.run(sql, conversation.id, message);
  }

  /** Writes everything that is buffered. */
  flush(): void {
    for (const page of this.#buffer.pages()) if (page.isChanged) this.#bufferFlush.page(page);
    for (const conversation of this.#buffer.conversations()) this.#bufferFlush.conversation(conversation);
    this.#bufferFlush.flush();
    this.#seen.flush();
    this.#texts?.flush();
    for (const { stored, unreadable } of this.#ended.splice(0)) markRead(this.#database, stored, unreadable);
  }

  /** Before the tables are changed directly: what is buffered would be outdated. */
  #writeAndClear(): void {
    this.flush();
    this.#buffer.clear();
    this.#seen.forget();
  }
}
