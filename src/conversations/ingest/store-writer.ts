// Puts what a source tells into the tables. One object serves one transaction
// of refresh.ts: what it holds in memory is written by `flush`, and forgotten
// with the transaction where that fails.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { filesNamedIn } from "../recall/file-references.ts";
import type { Abandoned, ConversationFacts, MessagePart, SourceName, TranscriptFile } from "../sources/source.ts";
import { columnsOf } from "../store/abandoned.ts";
import { markArchived } from "./archive-mark.ts";
import {
  addFile,
  beginRepetition,
  change,
  endRepetition,
  extendTimes,
  isRepeated,
  isRepeating,
  retitle,
  retitleByProgram,
  type BufferedConversation,
  type BufferedPart,
} from "./buffered-conversation.ts";
import { WriteBuffer } from "./write-buffer.ts";
import { SeenMessages, type SeenIn } from "./seen-messages.ts";
import { hashOf, type PartHash } from "../store/pages.ts";
import { namingBy, type PreparedPart, type PreparedEvent, type Turns } from "./part-preparation.ts";
import { readAgain, removeTranscriptText } from "../store/removal.ts";
import { BufferFlush } from "./buffer-flush.ts";

/** A unit as the tables know it. */
export interface StoredTranscript {
  readonly id: number;
  readonly source: SourceName;
  /** The version of the source's reader. */
  readonly reader: number;
  /** What is not prose is told once only: see source.ts. */
  readonly emitsNonProseOnce: boolean;
  /** What is told now is the rest of what was told before. */
  readonly isNonProse: boolean;
  readonly transcript: TranscriptFile;
}

export class StoreWriter {
  readonly #database: IndexDatabase;
  readonly #seen: SeenMessages;
  readonly #buffer: WriteBuffer;
  readonly #flush: BufferFlush;
  readonly #rewritten: Set<number>;
  readonly #toReadAgain: Set<number>;
  readonly #ended: { readonly stored: StoredTranscript; readonly unreadable: string | undefined }[] = [];

  /**
   * @param anew units that are read anew and have told no part yet: the first one may come in a later transaction
   * @param toReadAgain units whose text was removed since it belongs to another conversation: they are to be read again, so
   * what else is told of them in this reading is passed over
   */
  constructor(database: IndexDatabase, rewritten = new Set<number>(), toReadAgain = new Set<number>()) {
    this.#database = database;
    this.#rewritten = rewritten;
    this.#toReadAgain = toReadAgain;
    this.#seen = new SeenMessages(database);
    this.#flush = new BufferFlush(database, () => this.#buffer.nextTextRow());
    this.#buffer = new WriteBuffer(database, (page) => page.isChanged && this.#flush.page(page));
  }

  add(stored: StoredTranscript, batch: readonly PreparedEvent[]): void {
    if (this.#toReadAgain.has(stored.id)) return;
    const hashes = batch.map((event) =>
      event.kind === "part" && (event.part.kind === "prose" || !stored.emitsNonProseOnce)
        ? hashOf(stored.source, "part", event.part.key)
        : "",
    );
    const others = batch.flatMap((event) => othersAskedFor(stored.source, event));
    this.#seen.look([...hashes.filter((hash) => hash !== ""), ...others]);
    // What was copied shows only by its first prose whether the original is here: what stands before that waits.
    let waiting: PreparedEvent[] = [];
    for (const [i, event] of batch.entries()) {
      if (this.#isPerhapsCopied(stored, event)) {
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

  /** Whether something that is not prose may be told of the conversation that was copied as well. */
  #isPerhapsCopied(stored: StoredTranscript, event: PreparedEvent): boolean {
    if (!stored.emitsNonProseOnce || (event.kind !== "turns" && (event.kind !== "part" || event.part.kind === "prose")))
      return false;
    const key = event.kind === "turns" ? event.turns.conversation : event.part.conversation;
    const time = event.kind === "turns" ? event.turns.times.at(-1) : event.part.time;
    const { row } = this.#buffer.conversation(stored.id, stored.source, key);
    const isUndecided = row.copied_at !== null && row.continues === null && row.is_listed === 0;
    return isUndecided && time !== undefined && time < row.copied_at!;
  }

  /** Removes what an older reader made of the unit. */
  readAgain(stored: StoredTranscript): void {
    this.#writeAll();
    for (const transcript of readAgain(this.#database, stored))
      if (transcript !== stored.id) this.#toReadAgain.add(transcript);
  }

  /** The unit is read to its end, or as far as it can be. */
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
        return this.#addTurns(stored, event.turns);
      case "remembered":
        return this.#addRemembered(stored, event.facts, event.part);
      case "title":
        return this.#addTitle(stored, event.message, event.title);
      case "named":
        return this.#addName(stored, event.conversation, event.title);
      case "abandoned":
        return this.#addAbandoned(stored, event.conversation, event.abandoned);
      case "rewritten":
        // Where nothing follows, the program has emptied the file: what was in it stays, archived.
        this.#rewritten.add(stored.id);
        this.#database.run("UPDATE unit SET skipped = NULL WHERE id = ?", stored.id);
        this.#database.run(
          "UPDATE conversation SET is_archived = 1 WHERE id IN (SELECT conversation FROM holding WHERE unit = ?)",
          stored.id,
        );
        this.#database.run("DELETE FROM holding WHERE unit = ?", stored.id);
        return;
      case "present":
        return this.#archiveAbsent(stored, event.conversations);
      case "skipped":
      case "unreadable":
        return this.#countSkipped(stored, event.kind, event.reason, event.count);
      case "checkpoint":
        this.#database.run(
          `UPDATE unit SET ${stored.isNonProse ? "rest_checkpoint" : "checkpoint"} = ? WHERE id = ?`,
          event.checkpoint,
          stored.id,
        );
    }
  }

  #addFacts(stored: StoredTranscript, facts: ConversationFacts): void {
    const conversation = this.#buffer.conversation(stored.id, stored.source, facts.id);
    const { row } = conversation;
    if (
      facts.title !== undefined &&
      facts.title.trim() !== "" &&
      !(row.title_by === "user" && facts.titleBy !== "user")
    )
      retitle(conversation, facts.title, facts.titleBy ?? "program");
    if (facts.folder !== undefined) change(conversation, "folder", facts.folder);
    if (facts.workspace !== undefined) change(conversation, "workspace", facts.workspace);
    if (facts.branch !== undefined) change(conversation, "branch", facts.branch);
    if (facts.unavailable !== undefined && row.is_listed === 0) {
      change(conversation, "unavailable", facts.unavailable);
      change(conversation, "is_listed", 1);
    }
    if (facts.model !== undefined) change(conversation, "model", facts.model);
    if (facts.copiedAt !== undefined) change(conversation, "copied_at", facts.copiedAt);
    if (facts.continues !== undefined) change(conversation, "continues_key", facts.continues);
    if (facts.created !== undefined && (row.created_known !== "stored" || facts.created.at < row.created!)) {
      change(conversation, "created", facts.created.at);
      change(conversation, "created_known", facts.created.known);
    }
    if (facts.updated !== undefined && (row.updated_known !== "stored" || facts.updated.at > row.updated!)) {
      change(conversation, "updated", facts.updated.at);
      change(conversation, "updated_known", facts.updated.known);
    }
  }

  #addPart(stored: StoredTranscript, event: PreparedPart, hash: PartHash): void {
    const { conversation: key, key: partKey, follows, files = [], isOfMessage, ...part } = event;
    if (this.#rewritten.delete(stored.id)) {
      this.#writeAll();
      for (const transcript of removeTranscriptText(this.#database, stored)) this.#toReadAgain.add(transcript);
    }
    const conversation = this.#buffer.conversation(stored.id, stored.source, key);
    const own: BufferedPart = {
      ...part,
      hash,
      message: part.kind === "prose" ? part.message : "",
      ...(follows !== undefined && { follows: followsHash(stored.source, key, follows) }),
    };
    const seen = hash === "" ? undefined : this.#seen.pageOf(hash);
    if (seen !== undefined) {
      const owner = this.#buffer.page(seen, stored.source)?.conversation;
      if (owner !== undefined && isCopyOf(owner, conversation) && this.#yieldToOriginal(owner))
        return this.#addPart(stored, event, hash);
      return this.#addKnownPart(conversation, seen, own);
    }
    if (part.kind === "prose") endRepetition(conversation, part.order);
    else if (hash === "" && isRepeated(conversation, part.order)) return;
    const page = this.#buffer.openPage(conversation, stored.id, part.kind === "prose" ? part.message : undefined);
    page.parts.push(own);
    page.size += part.text.length + 40;
    page.isChanged = true;
    if (hash !== "") this.#seen.add(hash, { page: page.id });
    if (part.time !== undefined) extendTimes(conversation, part.time);
    for (const file of files) addFile(conversation, file);
    if (isCounted({ kind: part.kind, isOfMessage })) {
      const isFirst = part.message === partKey || this.#isFirstOf(part.message, stored.source, { page: page.id });
      if (isFirst) change(conversation, "messages", conversation.row.messages + 1);
      // Whoever removes the part has to know that it was counted.
      if (isFirst) page.parts[page.parts.length - 1] = { ...own, message: part.message };
    }
    if (part.kind !== "prose") return;
    change(conversation, "is_listed", 1);
    change(conversation, "unavailable", null);
    for (const file of part.prepared?.files ?? filesNamedIn(part.text)) addFile(conversation, file);
    if (part.role === "user") this.#addPrompt(conversation, own, page.id);
  }

  #addTurns(stored: StoredTranscript, { conversation: key, messages, times, files }: Turns): void {
    const conversation = this.#buffer.conversation(stored.id, stored.source, key);
    if (isRepeating(conversation)) return;
    for (const time of times) extendTimes(conversation, time);
    for (const file of files) addFile(conversation, file);
    const count = messages.filter((message) =>
      this.#isFirstOf(message, stored.source, { transcript: stored.id }),
    ).length;
    if (count === 0) return;
    change(conversation, "messages", conversation.row.messages + count);
    conversation.turns.set(stored.id, (conversation.turns.get(stored.id) ?? 0) + count);
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

  #isFirstOf(message: string, source: SourceName, where: SeenIn): boolean {
    const hash = hashOf(source, "message", message);
    if (this.#seen.has(hash)) return false;
    this.#seen.add(hash, where);
    return true;
  }

  #addPrompt(conversation: BufferedConversation, { text, follows, hash, prepared }: BufferedPart, page: number): void {
    const { row } = conversation;
    if (row.opening === null || row.title === null) {
      const { title, opening } = prepared?.naming ?? namingBy(text);
      if (row.opening === null) change(conversation, "opening", opening);
      if (row.title === null) retitle(conversation, title, "prompt");
    }
    if (follows === undefined) return;
    const before = this.#seen.pageOf(follows);
    this.#seen.add(follows, { page });
    const edited = before === undefined ? undefined : this.#buffer.page(before, conversation.source);
    if (edited === undefined) return;
    for (const [i, part] of edited.parts.entries())
      if (part.follows === follows && part.hash !== hash) edited.parts[i] = { ...part, isEdited: true };
    edited.isChanged = true;
  }

  /** A part that is here already: newer text in its own conversation, a repetition in another one. */
  #addKnownPart(conversation: BufferedConversation, pageId: number, part: BufferedPart): void {
    const page = this.#buffer.page(pageId, conversation.source);
    if (page === undefined) return;
    if (page.conversation.id !== conversation.id) {
      return beginRepetition(conversation, page.conversation.id, part.order);
    }
    const at = page.parts.findIndex(({ hash }) => hash === part.hash);
    const before = page.parts[at];
    if (before === undefined || (before.text === part.text && before.order === part.order)) return;
    page.parts[at] = { ...part, isEdited: before.isEdited };
    page.size += part.text.length - before.text.length;
    page.isChanged = true;
    if (part.time !== undefined) extendTimes(conversation, part.time);
    if (part.kind === "prose") for (const file of filesNamedIn(part.text)) addFile(conversation, file);
  }

  /**
   * Removes what a copy told first, so that the conversation that it was copied from can have it; the copy is read
   * again after that.
   * @returns false where nothing of it can be read again
   */
  #yieldToOriginal(copy: BufferedConversation): boolean {
    this.#writeAll();
    const transcripts = this.#database.all(
      "SELECT unit.id AS id FROM holding JOIN unit ON unit.id = holding.unit WHERE conversation = ? AND NOT is_gone",
      copy.id,
    );
    for (const { id } of transcripts)
      for (const transcript of readAgain(this.#database, { id: Number(id), source: copy.source }))
        this.#toReadAgain.add(transcript);
    return transcripts.length > 0;
  }

  #addName({ source }: StoredTranscript, key: string, title: string): void {
    const conversation = this.#buffer.known(source, key);
    if (conversation === undefined)
      this.#database.run("INSERT OR REPLACE INTO pending_name VALUES (?, ?, ?)", source, key, title);
    else if (conversation.row.title_by !== "user") retitle(conversation, title, "program");
  }

  #addAbandoned({ id, source }: StoredTranscript, key: string, abandoned: Abandoned): void {
    const conversation = this.#buffer.conversation(id, source, key);
    this.#database.run("INSERT OR IGNORE INTO abandoned VALUES (?, ?, ?, ?)", conversation.id, ...columnsOf(abandoned));
  }

  #addTitle({ source }: StoredTranscript, message: string, title: string): void {
    const hash = hashOf(source, "part", message);
    const seen = this.#seen.pageOf(hash);
    const page = seen === undefined ? undefined : this.#buffer.page(seen, source);
    if (page === undefined) this.#database.run("INSERT OR REPLACE INTO pending_title VALUES (?, ?)", hash, title);
    else retitleByProgram(page.conversation, title);
  }

  #archiveAbsent({ id, source }: StoredTranscript, keys: readonly string[]): void {
    this.#writeAll();
    const gone = this.#database.all(
      `SELECT holding.conversation AS id FROM holding JOIN conversation ON conversation.id = holding.conversation
       WHERE holding.unit = ? AND source = ? AND key NOT IN (SELECT value FROM json_each(?))`,
      id,
      source,
      JSON.stringify(keys),
    );
    for (const { id: conversation } of gone) {
      this.#database.run("DELETE FROM holding WHERE unit = ? AND conversation = ?", id, conversation as number);
      markArchived(this.#database, "id = ?", conversation as number);
    }
  }

  #countSkipped({ id }: StoredTranscript, kind: string, reason: string, count: number): void {
    const before = this.#database.get("SELECT skipped FROM unit WHERE id = ?", id)?.["skipped"];
    const counts = (typeof before === "string" ? JSON.parse(before) : {}) as Record<string, number>;
    const key = `${kind}: ${reason}`;
    this.#database.run(
      "UPDATE unit SET skipped = ? WHERE id = ?",
      JSON.stringify({ ...counts, [key]: (counts[key] ?? 0) + count }),
      id,
    );
  }

  /** Writes everything that is held in memory. */
  flush(): void {
    for (const page of this.#buffer.pages()) if (page.isChanged) this.#flush.page(page);
    for (const conversation of this.#buffer.conversations()) this.#flush.conversation(conversation);
    this.#flush.flush();
    this.#seen.flush();
    for (const ended of this.#ended.splice(0)) this.#writeEnd(ended.stored, ended.unreadable);
  }

  #writeEnd({ id, transcript, reader, isNonProse }: StoredTranscript, unreadable: string | undefined): void {
    if (isNonProse) {
      // However it ended: what was said is there, and the next change brings another try.
      this.#database.run("UPDATE unit SET rest_stamp = ? WHERE id = ?", transcript.stamp, id);
      return;
    }
    // What could not be read is tried again the next time, whatever its stamp.
    const stamp = unreadable === undefined ? transcript.stamp : null;
    const sql = "UPDATE unit SET stamp = ?, unreadable = ?, reader = ? WHERE id = ?";
    this.#database.run(sql, stamp, unreadable ?? null, reader, id);
    if (this.#database.run("UPDATE unit SET is_gone = 0 WHERE id = ? AND is_gone", id).changes > 0)
      markArchived(this.#database, "id IN (SELECT conversation FROM holding WHERE unit = ?)", id);
    // What carries no time of its own has that of its file.
    this.#database.run(
      `UPDATE conversation SET created = coalesce(created, ?), created_known = coalesce(created_known, 'file'),
         updated = coalesce(updated, ?), updated_known = coalesce(updated_known, 'file')
       WHERE id IN (SELECT conversation FROM holding WHERE unit = ?) AND (created IS NULL OR updated IS NULL)`,
      transcript.changed,
      transcript.changed,
      id,
    );
  }

  /** Also forgets it: what follows changes the tables themselves. */
  #writeAll(): void {
    this.flush();
    this.#buffer.clear();
    this.#seen.forget();
  }
}

/** What will be looked for beside the part itself. */
function othersAskedFor(source: SourceName, event: PreparedEvent): PartHash[] {
  if (event.kind === "turns") return event.turns.messages.map((message) => hashOf(source, "message", message));
  if (event.kind !== "part") return [];
  const { part } = event;
  const hashes = part.follows === undefined ? [] : [followsHash(source, part.conversation, part.follows)];
  if (isCounted(part) && part.message !== part.key) hashes.push(hashOf(source, "message", part.message));
  return hashes;
}

/** Prompts of two conversations may follow the same message: neither is an edit of the other. */
function followsHash(source: SourceName, conversation: string, follows: string): PartHash {
  return hashOf(source, "follows", `${conversation} ${follows}`);
}

/** Whether a part makes a message that is counted. */
function isCounted({ kind, isOfMessage }: Pick<MessagePart, "kind" | "isOfMessage">): boolean {
  return kind === "prose" || isOfMessage === true;
}

/** Whether a conversation was made as a copy after another one was, or while that one is no copy at all. */
function isCopyOf(one: BufferedConversation, other: BufferedConversation): boolean {
  return one.id !== other.id && (one.row.copied_at ?? 0) > (other.row.copied_at ?? 0);
}
