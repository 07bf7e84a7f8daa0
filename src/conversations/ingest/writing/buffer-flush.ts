// Writes buffered conversations and pages to the tables: also their types and
// keywords, titles that were read before them, the files that they touch, and
// their words for the full text. One object serves one transaction. Used by store-writer.ts.
import type { SQLInputValue } from "node:sqlite";
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import { indexText } from "../../../search/search.ts";
import { cuesIn, keywordsOf, MAX_LOOKED_AT, significantWords, typeOf } from "../../recall/conversation-type.ts";
import { comparableFile } from "../../recall/file-references.ts";
import type { Role } from "../../sources/source.ts";
import {
  change,
  retitle,
  retitleByProgram,
  type BufferedConversation,
  type BufferedPage,
  type Row,
} from "./buffered-conversation.ts";
import { indexedText, jsonOf } from "../../store/pages.ts";
import { withoutMarks, withoutSecrets } from "../../store/titles.ts";

/** Files that a summary lists. */
const MAX_FILES = 10;

export class BufferFlush {
  readonly #database: IndexDatabase;
  readonly #nextTextRow: () => number;
  /** By row, what is to be written to the full text, which takes rows fastest in ascending order. */
  readonly #text = new Map<number, { readonly title: string; readonly prose: string }>();

  constructor(database: IndexDatabase, nextTextRow: () => number) {
    this.#database = database;
    this.#nextTextRow = nextTextRow;
  }

  page(page: BufferedPage): void {
    const { id, conversation, transcript, isNonProse, parts, size } = page;
    const orders = parts.map(({ order }) => order);
    const [first, last] = [Math.min(...orders), Math.max(...orders)];
    if (page.isNew) {
      const sql = "INSERT INTO page (id, conversation, unit, first, last, size, is_rest) VALUES (?, ?, ?, ?, ?, ?, ?)";
      this.#database.run(sql, id, conversation.id, transcript, first, last, size, Number(isNonProse));
    } else {
      this.#database.run("UPDATE page SET first = ?, last = ?, size = ? WHERE id = ?", first, last, size, id);
      this.#unindex(page);
    }
    if (!isNonProse) this.#text.set(id, { title: "", prose: indexedText(parts.map(({ text }) => text)) });
    this.#database.run("INSERT OR REPLACE INTO waiting VALUES (?, ?)", id, jsonOf(parts));
    page.isNew = false;
    page.isChanged = false;
    this.#applyPendingTitle(page);
    classify(page);
  }

  #unindex({ id, isNonProse }: BufferedPage): void {
    const isPacked = this.#database.run("DELETE FROM content WHERE page = ?", id).changes > 0;
    if (!isNonProse && !this.#text.delete(id)) this.#database.run("DELETE FROM text WHERE rowid = ?", id);
    if (isNonProse && isPacked) this.#database.run("DELETE FROM tool_text WHERE rowid = ?", id);
  }

  /** The title of one of these messages may have been read before the message. */
  #applyPendingTitle({ conversation, parts }: BufferedPage): void {
    if (conversation.row.title_by === "user" || conversation.row.title_by === "program") return;
    if (this.#database.get("SELECT 1 FROM pending_title LIMIT 1") === undefined) return;
    for (const { hash } of parts) {
      const title = this.#database.get("SELECT title FROM pending_title WHERE hash = ?", hash)?.["title"];
      if (title === undefined) continue;
      this.#database.run("DELETE FROM pending_title WHERE hash = ?", hash);
      retitleByProgram(conversation, String(title));
    }
  }

  /** The title may have been read before the conversation. */
  #applyPendingName(conversation: BufferedConversation): void {
    const { source, key, row } = conversation;
    if (row.title_by === "user" || row.title_by === "program") return;
    const named = this.#database.get("SELECT title FROM pending_name WHERE source = ? AND key = ?", source, key);
    if (named === undefined) return;
    this.#database.run("DELETE FROM pending_name WHERE source = ? AND key = ?", source, key);
    retitle(conversation, String(named["title"]), "program");
  }

  conversation(conversation: BufferedConversation): void {
    this.#applyPendingName(conversation);
    if (conversation.isRetitled) this.#indexTitle(conversation);
    const { id, changes } = conversation;
    const names = Object.keys(changes) as (keyof Row)[];
    if (names.length > 0) {
      this.#database.run(
        `UPDATE conversation SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
        ...names.map((name): SQLInputValue => changes[name] ?? null),
        id,
      );
      for (const name of names) delete changes[name];
    }
    this.#files(conversation);
    this.#usages(conversation);
    conversation.isNew = false;
  }

  #indexTitle(conversation: BufferedConversation): void {
    const { row } = conversation;
    if (row.title_row === null) change(conversation, "title_row", this.#nextTextRow());
    else this.#database.run("DELETE FROM text WHERE rowid = ?", row.title_row);
    this.#text.set(row.title_row!, { title: indexText(row.title ?? ""), prose: "" });
    conversation.isRetitled = false;
  }

  #files({ id, row, files, isNew }: BufferedConversation): void {
    if (files.size === 0) return;
    const counts = new Map<string, number>();
    for (const [path, count] of files) {
      const file = comparableFile(path, row.folder ?? undefined);
      counts.set(file, (counts.get(file) ?? 0) + count);
    }
    this.#database.run(
      `INSERT INTO file SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE TRUE
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
      id,
      JSON.stringify([...counts]),
    );
    const most = isNew ? mostCounted(counts) : this.#filesOf(id);
    this.#database.run("UPDATE conversation SET files = ? WHERE id = ?", most.slice(0, MAX_FILES).join("\n"), id);
    files.clear();
  }

  #usages({ id, usages }: BufferedConversation): void {
    for (const { transcript, usage } of usages.values()) {
      const { input, output, cached } = usage.tokens;
      const added = ["input", "output", "cached"].map((name) =>
        usage.isTotal ? `${name} = excluded.${name}` : `${name} = ${name} + excluded.${name}`,
      );
      this.#database.run(
        `INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${added.join(", ")}`,
        id,
        transcript,
        usage.session ?? "",
        input,
        output,
        cached,
      );
    }
    usages.clear();
  }

  #filesOf(conversation: number): string[] {
    const rows = this.#database.all("SELECT path, count FROM file WHERE conversation = ?", conversation);
    return mostCounted(rows.map(({ path, count }) => [String(path), Number(count)]));
  }

  /** Writes the full text. */
  flush(): void {
    for (const [row, { title, prose }] of [...this.#text].sort(([a], [b]) => a - b))
      this.#database.run("INSERT INTO text (rowid, title, prose) VALUES (?, ?, ?)", row, title, prose);
    this.#text.clear();
  }
}

/** Files, the most touched first. */
function mostCounted(counts: Iterable<readonly [file: string, count: number]>): string[] {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([file]) => file);
}

/** Type and keywords are derived from the first page of a conversation. */
function classify({ id, conversation, parts }: BufferedPage): void {
  if (conversation.row.first_page !== id) return;
  const said = (role: Role) =>
    parts
      .filter((part) => part.role === role)
      .slice(0, MAX_LOOKED_AT[role])
      .map(({ text }) => text);
  const title = conversation.row.title ?? "";
  const prompts = said("user");
  change(conversation, "type", typeOf(cuesIn([title, ...prompts]), conversation.files.size > 0));
  const keywords = keywordsOf({
    title: significantWords(withoutMarks(title)),
    prompts: prompts.map((text) => wordsIn(text, "user")),
    answer: said("assistant").flatMap((text) => wordsIn(text, "assistant")),
  });
  change(conversation, "keywords", keywords.join(" "));
}

function wordsIn(text: string, role: Role): string[] {
  return significantWords(withoutSecrets(text), role);
}
