// Puts what a source tells into the tables. One object serves one transaction
// of refresh.ts: what it holds in memory is written by `flush`, and forgotten
// with the transaction where that fails.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { filesNamedIn } from "../recall/file-references.ts";
import type { Abandoned, ConversationFacts, MessagePart, SourceName, Unit } from "../sources/source.ts";
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
  type HeldConversation,
  type HeldPart,
} from "./buffered-conversation.ts";
import { Holding } from "./write-buffer.ts";
import { KnownParts } from "./seen-messages.ts";
import { hashOf, type PartHash } from "../store/pages.ts";
import { namingBy, type PreparedPart, type PreparedTold, type Turns } from "./part-preparation.ts";
import { readAgain, removeUnitText } from "../store/removal.ts";
import { WritingDown } from "./buffer-flush.ts";

/** A unit as the tables know it. */
export interface StoredUnit {
  readonly id: number;
  readonly source: SourceName;
  /** The version of the source's reader. */
  readonly reader: number;
  /** What is not prose is told once only: see source.ts. */
  readonly tellsOnce: boolean;
  /** What is told now is the rest of what was told before. */
  readonly isRest: boolean;
  readonly unit: Unit;
}

export class TakingIn {
  readonly #database: IndexDatabase;
  readonly #known: KnownParts;
  readonly #holding: Holding;
  readonly #writing: WritingDown;
  readonly #anew: Set<number>;
  readonly #givenUp: Set<number>;
  readonly #ended: { readonly stored: StoredUnit; readonly unreadable: string | undefined }[] = [];

  /**
   * @param anew units that are read anew and have told no part yet: the first one may come in a later transaction
   * @param givenUp units whose text was removed since it belongs to another conversation: they are to be read again, so
   * what else is told of them in this reading is passed over
   */
  constructor(database: IndexDatabase, anew = new Set<number>(), givenUp = new Set<number>()) {
    this.#database = database;
    this.#anew = anew;
    this.#givenUp = givenUp;
    this.#known = new KnownParts(database);
    this.#writing = new WritingDown(database);
    this.#holding = new Holding(database, (page) => page.isChanged && this.#writing.page(page));
  }

  take(stored: StoredUnit, batch: readonly PreparedTold[]): void {
    if (this.#givenUp.has(stored.id)) return;
    const hashes = batch.map((told) =>
      told.kind === "part" && (told.part.kind === "prose" || !stored.tellsOnce)
        ? hashOf(stored.source, "part", told.part.key)
        : "",
    );
    const others = batch.flatMap((told) => othersAskedFor(stored.source, told));
    this.#known.look([...hashes.filter((hash) => hash !== ""), ...others]);
    // What was copied shows only by its first prose whether the original is here: what stands before that waits.
    let waiting: PreparedTold[] = [];
    for (const [i, told] of batch.entries()) {
      if (this.#isPerhapsCopied(stored, told)) {
        waiting.push(told);
        continue;
      }
      this.#take(stored, told, hashes[i]!);
      if (waiting.length === 0 || told.kind !== "part") continue;
      if (!isRepeating(this.#holding.conversation(stored.id, stored.source, told.part.conversation)))
        for (const one of waiting) this.#take(stored, one, "");
      waiting = [];
    }
    for (const one of waiting) this.#take(stored, one, "");
  }

  /** Whether something that is not prose may be told of the conversation that was copied as well. */
  #isPerhapsCopied(stored: StoredUnit, told: PreparedTold): boolean {
    if (!stored.tellsOnce || (told.kind !== "turns" && (told.kind !== "part" || told.part.kind === "prose")))
      return false;
    const key = told.kind === "turns" ? told.turns.conversation : told.part.conversation;
    const time = told.kind === "turns" ? told.turns.times.at(-1) : told.part.time;
    const { row } = this.#holding.conversation(stored.id, stored.source, key);
    const isUndecided = row.copied_at !== null && row.continues === null && row.is_listed === 0;
    return isUndecided && time !== undefined && time < row.copied_at!;
  }

  /** Removes what an older reader made of the unit. */
  readAgain(stored: StoredUnit): void {
    this.#writeAll();
    for (const unit of readAgain(this.#database, stored)) if (unit !== stored.id) this.#givenUp.add(unit);
  }

  /** The unit is read to its end, or as far as it can be. */
  end(stored: StoredUnit, unreadable: string | undefined): void {
    if (this.#givenUp.has(stored.id)) return;
    this.#ended.push({ stored, unreadable });
  }

  #take(stored: StoredUnit, told: PreparedTold, hash: PartHash): void {
    switch (told.kind) {
      case "conversation":
        return this.#takeFacts(stored, told.facts);
      case "part":
        return this.#takePart(stored, told.part, hash);
      case "turns":
        return this.#takeTurns(stored, told.turns);
      case "remembered":
        return this.#takeRemembered(stored, told.facts, told.part);
      case "title":
        return this.#takeTitle(stored, told.message, told.title);
      case "named":
        return this.#takeName(stored, told.conversation, told.title);
      case "abandoned":
        return this.#takeAbandoned(stored, told.conversation, told.abandoned);
      case "anew":
        // Where nothing follows, the program has emptied the file: what was in it stays, archived.
        this.#anew.add(stored.id);
        this.#database.run("UPDATE unit SET skipped = NULL WHERE id = ?", stored.id);
        this.#database.run(
          "UPDATE conversation SET is_archived = 1 WHERE id IN (SELECT conversation FROM holding WHERE unit = ?)",
          stored.id,
        );
        this.#database.run("DELETE FROM holding WHERE unit = ?", stored.id);
        return;
      case "present":
        return this.#takePresent(stored, told.conversations);
      case "skipped":
      case "unreadable":
        return this.#countSkipped(stored, told.kind, told.reason, told.count);
      case "checkpoint":
        this.#database.run(
          `UPDATE unit SET ${stored.isRest ? "rest_checkpoint" : "checkpoint"} = ? WHERE id = ?`,
          told.checkpoint,
          stored.id,
        );
    }
  }

  #takeFacts(stored: StoredUnit, facts: ConversationFacts): void {
    const conversation = this.#holding.conversation(stored.id, stored.source, facts.id);
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

  #takePart(stored: StoredUnit, told: PreparedPart, hash: PartHash): void {
    const { conversation: key, key: partKey, follows, files = [], isOfMessage, ...part } = told;
    if (this.#anew.delete(stored.id)) {
      this.#writeAll();
      for (const unit of removeUnitText(this.#database, stored)) this.#givenUp.add(unit);
    }
    const conversation = this.#holding.conversation(stored.id, stored.source, key);
    const own: HeldPart = {
      ...part,
      hash,
      message: part.kind === "prose" ? part.message : "",
      ...(follows !== undefined && { follows: followsHash(stored.source, key, follows) }),
    };
    const known = hash === "" ? undefined : this.#known.pageOf(hash);
    if (known !== undefined) {
      const owner = this.#holding.page(known, stored.source)?.conversation;
      if (owner !== undefined && isCopyOf(owner, conversation) && this.#giveUp(owner))
        return this.#takePart(stored, told, hash);
      return this.#retold(conversation, known, own);
    }
    if (part.kind === "prose") endRepetition(conversation, part.order);
    else if (hash === "" && isRepeated(conversation, part.order)) return;
    const page = this.#holding.openPage(conversation, stored.id, part.kind === "prose" ? part.message : undefined);
    page.parts.push(own);
    page.size += part.text.length + 40;
    page.isChanged = true;
    if (hash !== "") this.#known.add(hash, page.id);
    if (part.time !== undefined) extendTimes(conversation, part.time);
    for (const file of files) addFile(conversation, file);
    if (isCounted({ kind: part.kind, isOfMessage })) {
      const isFirst = part.message === partKey || this.#isFirstOf(part.message, stored.source, page.id);
      if (isFirst) change(conversation, "messages", conversation.row.messages + 1);
      // Whoever removes the part has to know that it was counted.
      if (isFirst) page.parts[page.parts.length - 1] = { ...own, message: part.message };
    }
    if (part.kind !== "prose") return;
    change(conversation, "is_listed", 1);
    change(conversation, "unavailable", null);
    for (const file of part.prepared?.files ?? filesNamedIn(part.text)) addFile(conversation, file);
    if (part.role === "user") this.#takePrompt(conversation, own, page.id);
  }

  #takeTurns(stored: StoredUnit, { conversation: key, messages, times, files }: Turns): void {
    const conversation = this.#holding.conversation(stored.id, stored.source, key);
    if (isRepeating(conversation)) return;
    for (const time of times) extendTimes(conversation, time);
    for (const file of files) addFile(conversation, file);
    const count = messages.filter((message) => this.#isFirstOf(message, stored.source, -stored.id)).length;
    if (count === 0) return;
    change(conversation, "messages", conversation.row.messages + count);
    conversation.turns.set(stored.id, (conversation.turns.get(stored.id) ?? 0) + count);
  }

  #takeRemembered(stored: StoredUnit, facts: ConversationFacts, part: MessagePart): void {
    const other = this.#database.get(
      "SELECT 1 FROM conversation JOIN page ON page.conversation = conversation.id WHERE source = ? AND key = ? AND unit <> ?",
      stored.source,
      facts.id,
      stored.id,
    );
    if (other !== undefined || this.#holding.hasPageOfOther(stored.id, stored.source, facts.id)) return;
    this.#takeFacts(stored, facts);
    this.#takePart(stored, part, hashOf(stored.source, "part", part.key));
  }

  #isFirstOf(message: string, source: SourceName, page: number): boolean {
    const hash = hashOf(source, "message", message);
    if (this.#known.pageOf(hash) !== undefined) return false;
    this.#known.add(hash, page);
    return true;
  }

  #takePrompt(conversation: HeldConversation, { text, follows, hash, prepared }: HeldPart, page: number): void {
    const { row } = conversation;
    if (row.opening === null || row.title === null) {
      const { title, opening } = prepared?.naming ?? namingBy(text);
      if (row.opening === null) change(conversation, "opening", opening);
      if (row.title === null) retitle(conversation, title, "prompt");
    }
    if (follows === undefined) return;
    const before = this.#known.pageOf(follows);
    this.#known.add(follows, page);
    const edited = before === undefined ? undefined : this.#holding.page(before, conversation.source);
    if (edited === undefined) return;
    for (const [i, part] of edited.parts.entries())
      if (part.follows === follows && part.hash !== hash) edited.parts[i] = { ...part, isEdited: true };
    edited.isChanged = true;
  }

  /** A part that is here already: newer text in its own conversation, a repetition in another one. */
  #retold(conversation: HeldConversation, pageId: number, part: HeldPart): void {
    const page = this.#holding.page(pageId, conversation.source);
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
  #giveUp(copy: HeldConversation): boolean {
    this.#writeAll();
    const units = this.#database.all(
      "SELECT unit.id AS id FROM holding JOIN unit ON unit.id = holding.unit WHERE conversation = ? AND NOT is_gone",
      copy.id,
    );
    for (const { id } of units)
      for (const unit of readAgain(this.#database, { id: Number(id), source: copy.source })) this.#givenUp.add(unit);
    return units.length > 0;
  }

  #takeName({ source }: StoredUnit, key: string, title: string): void {
    const conversation = this.#holding.known(source, key);
    if (conversation === undefined)
      this.#database.run("INSERT OR REPLACE INTO pending_name VALUES (?, ?, ?)", source, key, title);
    else if (conversation.row.title_by !== "user") retitle(conversation, title, "program");
  }

  #takeAbandoned({ id, source }: StoredUnit, key: string, abandoned: Abandoned): void {
    const conversation = this.#holding.conversation(id, source, key);
    this.#database.run("INSERT OR IGNORE INTO abandoned VALUES (?, ?, ?, ?)", conversation.id, ...columnsOf(abandoned));
  }

  #takeTitle({ source }: StoredUnit, message: string, title: string): void {
    const hash = hashOf(source, "part", message);
    const known = this.#known.pageOf(hash);
    const page = known === undefined ? undefined : this.#holding.page(known, source);
    if (page === undefined) this.#database.run("INSERT OR REPLACE INTO pending_title VALUES (?, ?)", hash, title);
    else retitleByProgram(page.conversation, title);
  }

  #takePresent({ id, source }: StoredUnit, keys: readonly string[]): void {
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

  #countSkipped({ id }: StoredUnit, kind: string, reason: string, count: number): void {
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
    for (const page of this.#holding.pages()) if (page.isChanged) this.#writing.page(page);
    for (const conversation of this.#holding.conversations()) this.#writing.conversation(conversation);
    this.#writing.flush();
    this.#known.flush();
    for (const ended of this.#ended.splice(0)) this.#writeEnd(ended.stored, ended.unreadable);
  }

  #writeEnd({ id, unit, reader, isRest }: StoredUnit, unreadable: string | undefined): void {
    if (isRest) {
      // However it ended: what was said is there, and the next change brings another try.
      this.#database.run("UPDATE unit SET rest_stamp = ? WHERE id = ?", unit.stamp, id);
      return;
    }
    // What could not be read is tried again the next time, whatever its stamp.
    const stamp = unreadable === undefined ? unit.stamp : null;
    const sql = "UPDATE unit SET stamp = ?, unreadable = ?, reader = ? WHERE id = ?";
    this.#database.run(sql, stamp, unreadable ?? null, reader, id);
    if (this.#database.run("UPDATE unit SET is_gone = 0 WHERE id = ? AND is_gone", id).changes > 0)
      markArchived(this.#database, "id IN (SELECT conversation FROM holding WHERE unit = ?)", id);
    // What carries no time of its own has that of its file.
    this.#database.run(
      `UPDATE conversation SET created = coalesce(created, ?), created_known = coalesce(created_known, 'file'),
         updated = coalesce(updated, ?), updated_known = coalesce(updated_known, 'file')
       WHERE id IN (SELECT conversation FROM holding WHERE unit = ?) AND (created IS NULL OR updated IS NULL)`,
      unit.changed,
      unit.changed,
      id,
    );
  }

  /** Also forgets it: what follows changes the tables themselves. */
  #writeAll(): void {
    this.flush();
    this.#holding.clear();
    this.#known.forget();
  }
}

/** What will be looked for beside the part itself. */
function othersAskedFor(source: SourceName, told: PreparedTold): PartHash[] {
  if (told.kind === "turns") return told.turns.messages.map((message) => hashOf(source, "message", message));
  if (told.kind !== "part") return [];
  const { part } = told;
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
function isCopyOf(one: HeldConversation, other: HeldConversation): boolean {
  return one.id !== other.id && (one.row.copied_at ?? 0) > (other.row.copied_at ?? 0);
}
