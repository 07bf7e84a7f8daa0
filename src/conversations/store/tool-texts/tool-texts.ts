// Whole texts of non-prose parts (tool calls and output, thinking, sub-agents),
// redacted and compressed. Pages have their beginnings, and say where the whole
// is. Used by ingest, and by conversation-library.ts to read them.
//
// Two files that cannot be committed together: blocks are written before the
// store refers to them, and removed after it no longer does. Whatever a kill
// leaves in between is found by comparing the numbers of their last blocks.
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import type { WholeText } from "../pages.ts";
import { addBytes, freeBlocks, keptBytes, lastBlock, oldestConversations, setLastBlock } from "./block-rows.ts";
import { FULL_BLOCK, packedTexts, textsIn } from "./text-blocks.ts";
import type { Block, ToolTextFile } from "./text-file.ts";

/** A block of fewer bytes takes further texts: a session that is appended to would leave one for each. */
const TAKES_MORE = 12_000;
/** Beyond the limit, the oldest go until so much of it is used: not a few with every text that comes. */
const USED_AFTER_TRIMMING = 0.95;
const REMOVED_AT_ONCE = 200;
const PAGES_AT_ONCE = 500;

/** Beside the store. */
export function toolTextFileOf(store: string): string {
  return store.replace(/\.db$/, "-tools.db");
}

interface OpenBlock {
  readonly id: number;
  readonly conversation: number;
  readonly transcript: number;
  readonly texts: string[];
  length: number;
}

export class ToolTexts {
  readonly #database: IndexDatabase;
  readonly #file: ToolTextFile;
  readonly #limit: number;

  /** @param limit bytes of compressed text that are kept */
  constructor(database: IndexDatabase, file: ToolTextFile, limit: number) {
    this.#database = database;
    this.#file = file;
    this.#limit = limit;
  }

  /** For one transaction of the store. */
  writer(): ToolTextWriter {
    return new ToolTextWriter(this.#database, this.#isKept() ? this.#file : undefined);
  }

  /** A temporary store has no texts: its numbers would be mistaken for those of the real one. */
  #isKept(): boolean {
    if (this.#limit <= 0 || this.#database.isTemporary) return false;
    const last = lastBlock(this.#database);
    const written = this.#file.last();
    if (written === undefined) return false;
    if (written > last) return this.#file.endAfter(last);
    if (written < last) {
      readAgainAfter(this.#database, written);
      return this.#file.endAfter(last);
    }
    return true;
  }

  /** For one reading: the last block stays unpacked. Undefined for a text that is no longer kept. */
  reader(): (whole: WholeText) => string | undefined {
    let last: { readonly id: number; readonly texts: readonly string[] } | undefined;
    return ({ block: id, index }) => {
      if (last?.id !== id || index >= last.texts.length) {
        const block = this.#database.isTemporary ? undefined : this.#file.texts(id);
        if (block === undefined) return undefined;
        last = { id, texts: textsIn(block) };
      }
      return last.texts[index];
    };
  }

  /** Within a transaction: drops the texts of the oldest conversations beyond the limit. */
  trim(): void {
    let kept = keptBytes(this.#database);
    if (kept <= this.#limit) return;
    for (const { conversation, bytes } of oldestConversations(this.#database)) {
      if (kept <= this.#limit * USED_AFTER_TRIMMING) return;
      freeBlocks(this.#database, { conversation }, "dropped");
      kept -= bytes;
    }
  }

  /**
   * Removes what the store no longer refers to, and returns its space.
   * @returns false if the file cannot be used
   */
  async removeFreed(signal: AbortSignal): Promise<boolean> {
    const isAnyLeft = () => this.#database.get("SELECT 1 FROM freed_block LIMIT 1") !== undefined;
    if (!isAnyLeft()) return true;
    const step = (): boolean => {
      const freed = this.#database.all("SELECT id FROM freed_block LIMIT ?", REMOVED_AT_ONCE);
      const ids = freed.map(({ id }) => Number(id));
      if (ids.length === 0 || this.#database.isTemporary || !this.#file.remove(ids)) return false;
      const sql = "DELETE FROM freed_block WHERE id IN (SELECT value FROM json_each(?))";
      this.#database.run(sql, JSON.stringify(ids));
      return true;
    };
    while (await this.#database.write(step, signal));
    while (await this.#database.write(() => this.#file.shrink(PAGES_AT_ONCE), signal));
    return !isAnyLeft();
  }

  close(): void {
    this.#file.close();
  }
}

/** The file has lost blocks, or all of them: what programs still have is read again. */
function readAgainAfter(database: IndexDatabase, last: number): void {
  freeBlocks(database, { after: last }, "dropped");
  database.run("UPDATE unit SET reader = 0 WHERE NOT is_gone");
}

/** Collects texts until the transaction ends. One object serves one transaction. */
export class ToolTextWriter {
  readonly #database: IndexDatabase;
  /** Undefined if texts are not kept: what would have them then counts as dropped. */
  readonly #file: ToolTextFile | undefined;
  readonly #open = new Map<string, OpenBlock>();
  #full: { readonly block: OpenBlock; readonly packed: Block }[] = [];
  #last: number;

  constructor(database: IndexDatabase, file: ToolTextFile | undefined) {
    this.#database = database;
    this.#file = file;
    this.#last = lastBlock(database);
  }

  add(conversation: number, transcript: number, text: string): WholeText {
    const name = `${conversation} ${transcript}`;
    const block = this.#open.get(name) ?? this.#openBlock(conversation, transcript);
    this.#open.set(name, block);
    const index = this.#file === undefined ? 0 : block.texts.push(text) - 1;
    block.length += text.length;
    if (block.length >= FULL_BLOCK && this.#file !== undefined) {
      this.#pack(block);
      this.#open.delete(name);
    }
    return { block: block.id, index };
  }

  #openBlock(conversation: number, transcript: number): OpenBlock {
    return (
      this.#lastBlockOf(conversation, transcript) ?? {
        id: ++this.#last,
        conversation,
        transcript,
        texts: [],
        length: 0,
      }
    );
  }

  /** Texts are only ever added to a block: if this transaction fails, the others are still where the store has them. */
  #lastBlockOf(conversation: number, transcript: number): OpenBlock | undefined {
    const row = this.#database.get(
      "SELECT id, size FROM tool_block WHERE unit = ? AND conversation = ? AND NOT is_dropped ORDER BY id DESC LIMIT 1",
      transcript,
      conversation,
    );
    if (row === undefined || Number(row["size"]) >= TAKES_MORE || Number(row["id"]) > lastBlock(this.#database))
      return undefined;
    const block = this.#file?.texts(Number(row["id"]));
    if (block === undefined) return undefined;
    const texts = textsIn(block);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    return { id: Number(row["id"]), conversation, transcript, texts, length };
  }

  #pack(block: OpenBlock): void {
    this.#full.push({ block, packed: { id: block.id, texts: packedTexts(block.texts) } });
  }

  /** Before the transaction of the store is committed. */
  flush(): void {
    const isKept = this.#file !== undefined;
    for (const block of this.#open.values())
      if (isKept) this.#pack(block);
      else this.#full.push({ block, packed: { id: block.id, texts: new Uint8Array() } });
    this.#open.clear();
    const written = this.#full;
    this.#full = [];
    if (written.length === 0) return;
    const isWritten = this.#file?.put(written.map(({ packed }) => packed)) ?? false;
    for (const { block, packed } of written) this.#describe(block, isWritten ? packed.texts.length : undefined);
    setLastBlock(this.#database, this.#last);
  }

  /** @param size undefined if it is not kept */
  #describe({ id, conversation, transcript }: OpenBlock, size: number | undefined): void {
    const before = Number(this.#database.get("SELECT size FROM tool_block WHERE id = ?", id)?.["size"] ?? 0);
    this.#database.run(
      `INSERT INTO tool_block (id, conversation, unit, size, is_dropped) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET size = excluded.size, is_dropped = excluded.is_dropped`,
      id,
      conversation,
      transcript,
      size ?? 0,
      Number(size === undefined),
    );
    addBytes(this.#database, (size ?? 0) - before);
  }
}
