// Puts what a source tells into the tables. One object serves one transaction
// of refresh.ts: what it holds in memory is written by `flush`, and forgotten
// with the transaction where that fails.
import type { SQLInputValue } from "node:sqlite";
import type { IndexDatabase } from "../../index/database.ts";
import { indexText } from "../../text/search-text.ts";
import { keywordsOf, typeOf } from "../conversation-type.ts";
import { comparableFile, filesNamedIn } from "../file-references.ts";
import type { ConversationFacts, MessagePart, Role, SourceName, Turn, Unit } from "../source.ts";
import { hashOf, jsonOf, PAGE_SIZES, type PartHash } from "./pages.ts";
import { partsOfPage } from "./reading.ts";
import { markArchived } from "./archiving.ts";
import {
  addFile,
  change,
  COLUMNS,
  endRepetition,
  extendTimes,
  isRepeated,
  type HeldConversation,
  type HeldPage,
  type HeldPart,
  type Row,
} from "./held-conversation.ts";
import { cluesIn, namingBy, type PreparedPart, type PreparedTold } from "./preparing.ts";
import { KnownParts } from "./known.ts";
import { removeUnitText } from "./removing.ts";

/** A unit as the tables know it. */
export interface StoredUnit {
  readonly id: number;
  readonly source: SourceName;
  /** What is not prose is told once only: see source.ts. */
  readonly tellsOnce: boolean;
  /** What is told now is the rest of what was told before. */
  readonly isRest: boolean;
  readonly unit: Unit;
}

export class TakingIn {
  readonly #database: IndexDatabase;
  readonly #known: KnownParts;
  readonly #conversations = new Map<string, HeldConversation>();
  readonly #pages = new Map<number, HeldPage>();
  readonly #held = new Set<string>();
  readonly #anew: Set<number>;

  /** What is to go into the full text, by row. It takes rows fastest in ascending order. */
  readonly #text = new Map<number, { readonly title: string; readonly prose: string }>();
  readonly #ended: { readonly stored: StoredUnit; readonly unreadable: string | undefined }[] = [];

  /** @param anew units that are read anew and have told no part yet: the first one may come in a later transaction */
  constructor(database: IndexDatabase, anew = new Set<number>()) {
    this.#database = database;
    this.#anew = anew;
    this.#known = new KnownParts(database);
  }

  take(stored: StoredUnit, batch: readonly PreparedTold[]): void {
    const hashes = batch.map((told) =>
      told.kind === "part" && (told.part.kind === "prose" || !stored.tellsOnce)
        ? hashOf(stored.source, "part", told.part.key)
        : "",
    );
    const messages = batch.flatMap((told) => {
      if (told.kind === "turn") return [hashOf(stored.source, "message", told.turn.message)];
      return told.kind === "part" && isCounted(told.part) && told.part.message !== told.part.key
        ? [hashOf(stored.source, "message", told.part.message)]
        : [];
    });
    this.#known.look([...hashes.filter((hash) => hash !== ""), ...messages]);
    for (const [i, told] of batch.entries()) this.#take(stored, told, hashes[i]!);
  }

  /** The unit is read to its end, or as far as it can be. */
  end(stored: StoredUnit, unreadable: string | undefined): void {
    this.#ended.push({ stored, unreadable });
  }

  #take(stored: StoredUnit, told: PreparedTold, hash: PartHash): void {
    switch (told.kind) {
      case "conversation":
        return this.#takeFacts(stored, told.facts);
      case "part":
        return this.#takePart(stored, told.part, hash);
      case "turn":
        return this.#takeTurn(stored, told.turn);
      case "remembered":
        return this.#takeRemembered(stored, told.facts, told.part);
      case "title":
        return this.#takeTitle(stored, told.message, told.title);
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
    const conversation = this.#conversation(stored, facts.id);
    const { row } = conversation;
    if (
      facts.title !== undefined &&
      facts.title.trim() !== "" &&
      !(row.title_by === "user" && facts.titleBy !== "user")
    )
      this.#retitle(conversation, facts.title, facts.titleBy ?? "program");
    if (facts.folder !== undefined) change(conversation, "folder", facts.folder);
    if (facts.workspace !== undefined) change(conversation, "workspace", facts.workspace);
    if (facts.branch !== undefined) change(conversation, "branch", facts.branch);
    if (facts.created !== undefined) {
      change(conversation, "created", facts.created.at);
      change(conversation, "created_known", facts.created.known);
    }
    if (facts.updated !== undefined) {
      change(conversation, "updated", facts.updated.at);
      change(conversation, "updated_known", facts.updated.known);
    }
  }

  #takePart(
    stored: StoredUnit,
    { conversation: key, key: partKey, follows, files = [], isOfMessage, ...part }: PreparedPart,
    hash: PartHash,
  ): void {
    if (this.#anew.delete(stored.id)) {
      this.#writeAll();
      removeUnitText(this.#database, stored);
    }
    const conversation = this.#conversation(stored, key);
    const own: HeldPart = {
      ...part,
      hash,
      message: part.kind === "prose" ? part.message : "",
      ...(follows !== undefined && { follows: hashOf(stored.source, "follows", follows) }),
    };
    const known = hash === "" ? undefined : this.#known.pageOf(hash);
    if (known !== undefined) return this.#retold(conversation, known, own);
    if (part.kind === "prose") endRepetition(conversation, part.order);
    else if (hash === "" && isRepeated(conversation, part.order)) return;
    const page = this.#openPage(conversation, stored.id, part.kind === "prose" ? part.message : undefined);
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
    change(conversation, "has_prose", 1);
    for (const file of part.prepared?.files ?? filesNamedIn(part.text)) addFile(conversation, file);
    if (part.role === "user") this.#takePrompt(conversation, own, page.id);
  }

  #takeTurn(stored: StoredUnit, { conversation: key, message, time, files }: Turn): void {
    const conversation = this.#conversation(stored, key);
    if (conversation.isRepeating) return;
    if (time !== undefined) extendTimes(conversation, time);
    for (const file of files) addFile(conversation, file);
    if (!this.#isFirstOf(message, stored.source, -stored.id)) return;
    change(conversation, "messages", conversation.row.messages + 1);
    conversation.turns.set(stored.id, (conversation.turns.get(stored.id) ?? 0) + 1);
  }

  #takeRemembered(stored: StoredUnit, facts: ConversationFacts, part: MessagePart): void {
    const other = this.#database.get(
      "SELECT 1 FROM conversation JOIN page ON page.conversation = conversation.id WHERE source = ? AND key = ? AND unit <> ?",
      stored.source,
      facts.id,
      stored.id,
    );
    if (other !== undefined) return;
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
      if (row.title === null) this.#retitle(conversation, title, "prompt");
    }
    if (follows === undefined) return;
    const before = this.#known.pageOf(follows);
    this.#known.add(follows, page);
    const edited = before === undefined ? undefined : this.#page(before, conversation.source);
    if (edited === undefined) return;
    for (const [i, part] of edited.parts.entries())
      if (part.follows === follows && part.hash !== hash) edited.parts[i] = { ...part, isEdited: true };
    edited.isChanged = true;
  }

  /** A part that is here already: newer text in its own conversation, a repetition in another one. */
  #retold(conversation: HeldConversation, pageId: number, part: HeldPart): void {
    const page = this.#page(pageId, conversation.source);
    if (page === undefined) return;
    if (page.conversation.id !== conversation.id) {
      if (conversation.row.continues === null) change(conversation, "continues", page.conversation.id);
      conversation.isRepeating = true;
      return;
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

  #takeTitle({ source }: StoredUnit, message: string, title: string): void {
    const hash = hashOf(source, "part", message);
    const known = this.#known.pageOf(hash);
    const page = known === undefined ? undefined : this.#page(known, source);
    if (page === undefined) this.#database.run("INSERT OR REPLACE INTO pending_title VALUES (?, ?)", hash, title);
    else this.#retitleByMessage(page.conversation, title);
  }

  /** A title that came before the conversation it is for. */
  #retitleByMessage(conversation: HeldConversation, title: string): void {
    if (conversation.row.title_by === null || conversation.row.title_by === "prompt")
      this.#retitle(conversation, title, "program");
  }

  #retitle(conversation: HeldConversation, title: string, by: NonNullable<Row["title_by"]>): void {
    const plain = title.replace(/\s+/g, " ").trim();
    change(conversation, "title_by", by);
    if (plain === conversation.row.title) return;
    change(conversation, "title", plain);
    conversation.isRetitled = true;
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

  #conversation({ id: unit, source }: StoredUnit, key: string): HeldConversation {
    let conversation = this.#conversations.get(`${source}\0${key}`);
    if (conversation === undefined) {
      const found = this.#database.get("SELECT id FROM conversation WHERE source = ? AND key = ?", source, key)?.["id"];
      const id =
        found === undefined
          ? this.#database.run("INSERT INTO conversation (source, key) VALUES (?, ?)", source, key).id
          : Number(found);
      conversation = this.#remember(id, source, key);
    }
    const holding = `${unit} ${conversation.id}`;
    if (!this.#held.has(holding)) {
      this.#held.add(holding);
      if (
        this.#database.run("INSERT OR IGNORE INTO holding (conversation, unit) VALUES (?, ?)", conversation.id, unit)
          .changes > 0
      )
        this.#database.run("UPDATE conversation SET is_archived = 0 WHERE id = ? AND is_archived", conversation.id);
    }
    return conversation;
  }

  #remember(id: number, source: SourceName, key: string): HeldConversation {
    const known = this.#conversations.get(`${source}\0${key}`);
    if (known !== undefined) return known;
    const row = this.#database.get(`SELECT ${COLUMNS} FROM conversation WHERE id = ?`, id) as unknown as Row;
    const conversation: HeldConversation = {
      id,
      source,
      row: { ...row },
      changes: {},
      files: new Map(),
      turns: new Map(),
      open: new Map(),
      isRetitled: false,
      isRepeating: false,
    };
    this.#conversations.set(`${source}\0${key}`, conversation);
    return conversation;
  }

  /**
   * The page to which the next part goes: the unit's last one of the conversation, unless it is full.
   * @param message whose prose it is: all of that stays together; undefined for the rest
   */
  #openPage(conversation: HeldConversation, unit: number, message: string | undefined): HeldPage {
    const isRest = message === undefined;
    const key = isRest ? -unit : unit;
    const open = conversation.open.get(key);
    if (open !== undefined && takes(open, message)) return open;
    const page = open === undefined ? this.#lastPage(conversation, unit, message) : undefined;
    if (open !== undefined) this.#close(open);
    const next = page ?? this.#newPage(conversation, unit, isRest);
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
    const page = last === undefined ? undefined : this.#page(Number(last["id"]), conversation.source);
    return page !== undefined && takes(page, message) ? page : undefined;
  }

  /** A full page is not held until the end. */
  #close(page: HeldPage): void {
    if (page.isChanged) this.#writePage(page);
    this.#pages.delete(page.id);
  }

  #newPage(conversation: HeldConversation, unit: number, isRest: boolean): HeldPage {
    const { id } = this.#database.run(
      "INSERT INTO page (conversation, unit, first, last, size, is_rest) VALUES (?, ?, 0, 0, 0, ?)",
      conversation.id,
      unit,
      Number(isRest),
    );
    const page: HeldPage = { id, conversation, isRest, parts: [], size: 0, isNew: true, isChanged: true };
    this.#pages.set(id, page);
    if (!isRest && conversation.row.first_page === null) change(conversation, "first_page", id);
    return page;
  }

  #page(id: number, source: SourceName): HeldPage | undefined {
    const known = this.#pages.get(id);
    if (known !== undefined) return known;
    const row = this.#database.get(
      "SELECT conversation, key, size, is_rest FROM page JOIN conversation ON conversation.id = page.conversation WHERE page.id = ?",
      id,
    );
    if (row === undefined) return undefined;
    const conversation = this.#remember(Number(row["conversation"]), source, String(row["key"]));
    const parts = partsOfPage(this.#database, id);
    const isRest = row["is_rest"] === 1;
    const page: HeldPage = {
      id,
      conversation,
      isRest,
      parts,
      size: Number(row["size"]),
      isNew: false,
      isChanged: false,
    };
    this.#pages.set(id, page);
    return page;
  }

  /** Writes everything that is held in memory. */
  flush(): void {
    for (const page of this.#pages.values()) if (page.isChanged) this.#writePage(page);
    for (const conversation of this.#conversations.values()) this.#writeConversation(conversation);
    for (const [row, { title, prose }] of [...this.#text].sort(([a], [b]) => a - b))
      this.#database.run("INSERT INTO text (rowid, title, prose) VALUES (?, ?, ?)", row, title, prose);
    this.#text.clear();
    this.#known.flush();
    for (const ended of this.#ended.splice(0)) this.#writeEnd(ended.stored, ended.unreadable);
  }

  #writeEnd({ id, unit, isRest }: StoredUnit, unreadable: string | undefined): void {
    if (isRest) {
      // However it ended: what was said is there, and the next change brings another try.
      this.#database.run("UPDATE unit SET rest_stamp = ? WHERE id = ?", unit.stamp, id);
      return;
    }
    // What could not be read is tried again the next time, whatever its stamp.
    const stamp = unreadable === undefined ? unit.stamp : null;
    this.#database.run("UPDATE unit SET stamp = ?, unreadable = ? WHERE id = ?", stamp, unreadable ?? null, id);
    if (this.#database.run("UPDATE unit SET is_gone = 0 WHERE id = ? AND is_gone", id).changes > 0)
      markArchived(this.#database, "id IN (SELECT conversation FROM holding WHERE unit = ?)", id);
    // What carries no time of its own has that of its file.
    this.#database.run(
      `UPDATE conversation SET created = coalesce(created, ?1), created_known = coalesce(created_known, 'file'),
         updated = coalesce(updated, ?1), updated_known = coalesce(updated_known, 'file')
       WHERE id IN (SELECT conversation FROM holding WHERE unit = ?2) AND (created IS NULL OR updated IS NULL)`,
      unit.changed,
      id,
    );
  }

  /** Also forgets it: what follows changes the tables themselves. */
  #writeAll(): void {
    this.flush();
    this.#pages.clear();
    this.#conversations.clear();
    this.#held.clear();
    this.#known.forget();
  }

  #writePage(page: HeldPage): void {
    const { id, parts, size } = page;
    const orders = parts.map(({ order }) => order);
    this.#database.run(
      "UPDATE page SET first = ?, last = ?, size = ? WHERE id = ?",
      Math.min(...orders),
      Math.max(...orders),
      size,
      id,
    );
    if (!page.isNew) this.#unindex(page);
    if (!page.isRest) this.#text.set(id, { title: "", prose: parts.map(indexedPart).join("\n\n") });
    this.#database.run("INSERT OR REPLACE INTO waiting VALUES (?, ?)", id, jsonOf(parts));
    page.isNew = false;
    page.isChanged = false;
    this.#settleTitle(page);
    this.#classify(page);
  }

  #unindex({ id, isRest }: HeldPage): void {
    const isPacked = this.#database.run("DELETE FROM content WHERE page = ?", id).changes > 0;
    if (!isRest && !this.#text.delete(id)) this.#database.run("DELETE FROM text WHERE rowid = ?", id);
    if (isRest && isPacked) this.#database.run("DELETE FROM tool_text WHERE rowid = ?", id);
  }

  /** A summary that named one of these messages may have come first. */
  #settleTitle({ conversation, parts }: HeldPage): void {
    if (conversation.row.title_by === "user" || conversation.row.title_by === "program") return;
    if (this.#database.get("SELECT 1 FROM pending_title LIMIT 1") === undefined) return;
    for (const { hash } of parts) {
      const title = this.#database.get("SELECT title FROM pending_title WHERE hash = ?", hash)?.["title"];
      if (title === undefined) continue;
      this.#database.run("DELETE FROM pending_title WHERE hash = ?", hash);
      this.#retitleByMessage(conversation, String(title));
    }
  }

  /** By how it begins: the first page is what the type and the keywords are taken from. */
  #classify({ id, conversation, parts }: HeldPage): void {
    if (conversation.row.first_page !== id) return;
    const said = (role: Role) => parts.filter((part) => part.role === role);
    const cluesOf = ({ prepared, text, role }: HeldPart) => prepared?.clues ?? cluesIn(text, role);
    const title = cluesIn(conversation.row.title ?? "", "user");
    const prompts = said("user").map(cluesOf);
    const hasFiles = conversation.files.size > 0;
    change(conversation, "type", typeOf({ title: title.cues, prompts: prompts.map(({ cues }) => cues), hasFiles }));
    const keywords = keywordsOf({
      title: title.words,
      prompts: prompts.map(({ words }) => words),
      answer: said("assistant").slice(0, 1).map(cluesOf)[0]?.words ?? [],
    });
    change(conversation, "keywords", keywords.join(" "));
  }

  #writeConversation(conversation: HeldConversation): void {
    const { id, row, changes, files } = conversation;
    const names = Object.keys(changes) as (keyof Row)[];
    if (names.length > 0) {
      this.#database.run(
        `UPDATE conversation SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
        ...names.map((name): SQLInputValue => changes[name] ?? null),
        id,
      );
      for (const name of names) delete changes[name];
    }
    if (conversation.isRetitled) {
      this.#database.run("DELETE FROM text WHERE rowid = ?", -id);
      this.#text.set(-id, { title: indexText(row.title ?? ""), prose: "" });
      conversation.isRetitled = false;
    }
    for (const [unit, turns] of conversation.turns)
      this.#database.run("UPDATE holding SET turns = turns + ? WHERE conversation = ? AND unit = ?", turns, id, unit);
    conversation.turns.clear();
    if (files.size > 0) {
      const counts = [...files].map(([path, count]) => [comparableFile(path, row.folder ?? undefined), count]);
      this.#database.run(
        `INSERT INTO file SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE TRUE
         ON CONFLICT DO UPDATE SET count = count + excluded.count`,
        id,
        JSON.stringify(counts),
      );
      this.#database.run(
        `UPDATE conversation SET files = (
           SELECT group_concat(path, char(10)) FROM (SELECT path FROM file WHERE conversation = ?1 ORDER BY count DESC, path LIMIT ?2)
         ) WHERE id = ?1`,
        id,
        MOST_FILES,
      );
    }
    files.clear();
  }
}

/** Whether a page takes one more part: it is not full, or the part goes on with the message that it ends with. */
function takes({ size, isRest, parts }: HeldPage, message: string | undefined): boolean {
  if (size < (isRest ? PAGE_SIZES.rest : PAGE_SIZES.prose)) return true;
  return message !== undefined && parts.at(-1)?.message === message;
}

function indexedPart({ prepared, text }: HeldPart): string {
  return prepared?.indexed ?? indexText(text);
}

/** Whether a part makes a message that is counted. */
function isCounted({ kind, isOfMessage }: Pick<MessagePart, "kind" | "isOfMessage">): boolean {
  return kind === "prose" || isOfMessage === true;
}

/** Files that are told of a conversation. */
const MOST_FILES = 10;
