// Whole texts of non-prose parts (tool calls and output, thinking, sub-agents),
// redacted and compressed. Pages have their beginnings, and say where the whole
// is. Used by ingest, and by conversation-library.ts to read them.
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import type { WholeText } from "../pages.ts";
import { addBytes, dropBlocks, keptBytes, lastBlock, oldestConversations, setLastBlock } from "./block-rows.ts";
import { EarlierTexts, earlierFileOf } from "./earlier-texts.ts";
import { FULL_BLOCK, packedTexts, textsIn } from "./text-blocks.ts";

/** A block of fewer bytes takes further texts: a session that is appended to would leave one for each. */
const TAKES_MORE = 12_000;
/** Beyond the limit, the oldest go until so much of it is used: not a few with every text that comes. */
const USED_AFTER_TRIMMING = 0.95;

interface OpenBlock {
  readonly id: number;
  readonly conversation: number;
  readonly transcript: number;
  readonly texts: string[];
  length: number;
}

export class ToolTexts {
  readonly #database: IndexDatabase;
  readonly #earlier: EarlierTexts;
  readonly #limit: number;

  /**
   * @param store its file
   * @param limit bytes of compressed text that are kept
   */
  constructor(database: IndexDatabase, store: string, limit: number) {
    this.#database = database;
    this.#earlier = new EarlierTexts(database, earlierFileOf(store));
    this.#limit = limit;
  }

  /** For one transaction of the store. A temporary store keeps no texts. */
  writer(): ToolTextWriter {
    const isKept = this.#limit > 0 && !this.#database.isTemporary;
    return new ToolTextWriter(this.#database, isKept ? (id) => this.#texts(id) : undefined);
  }

  #texts(id: number): Uint8Array | undefined {
    const texts = this.#database.get("SELECT texts FROM block WHERE id = ?", id)?.["texts"];
    return texts instanceof Uint8Array ? texts : this.#earlier.texts(id);
  }

  /** For one reading: the last block stays unpacked. Undefined for a text that is no longer kept. */
  reader(): (whole: WholeText) => string | undefined {
    let last: { readonly id: number; readonly texts: readonly string[] } | undefined;
    return ({ block: id, index }) => {
      if (last?.id !== id || index >= last.texts.length) {
        const block = this.#texts(id);
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
      dropBlocks(this.#database, { conversation });
      kept -= bytes;
    }
  }

  /** Takes over the texts that 0.1.0 kept in a file of their own. */
  async moveEarlier(signal: AbortSignal): Promise<void> {
    await this.#earlier.move(signal);
  }
}

/** Collects texts until the transaction ends. One object serves one transaction. */
export class ToolTextWriter {
  readonly #database: IndexDatabase;
  /** Undefined if texts are not kept: their blocks then count as dropped. */
  readonly #textsOf: ((block: number) => Uint8Array | undefined) | undefined;
  readonly #open = new Map<string, OpenBlock>();
  #last: number;

  constructor(database: IndexDatabase, textsOf: ((block: number) => Uint8Array | undefined) | undefined) {
    this.#database = database;
    this.#textsOf = textsOf;
    this.#last = lastBlock(database);
  }

  add(conversation: number, transcript: number, text: string): WholeText {
    const name = `${conversation} ${transcript}`;
    const block = this.#open.get(name) ?? this.#openBlock(conversation, transcript);
    this.#open.set(name, block);
    const index = this.#textsOf === undefined ? 0 : block.texts.push(text) - 1;
    block.length += text.length;
    if (block.length >= FULL_BLOCK && this.#textsOf !== undefined) {
      this.#write(block);
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
    const block = this.#textsOf?.(Number(row["id"]));
    if (block === undefined) return undefined;
    const texts = textsIn(block);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    return { id: Number(row["id"]), conversation, transcript, texts, length };
  }

  /** Before the transaction is committed. */
  flush(): void {
    for (const block of this.#open.values()) this.#write(block);
    this.#open.clear();
  }

  #write({ id, conversation, transcript, texts }: OpenBlock): void {
    const packed = this.#textsOf === undefined ? undefined : packedTexts(texts);
    const size = packed?.length ?? 0;
    const before = Number(this.#database.get("SELECT size FROM tool_block WHERE id = ?", id)?.["size"] ?? 0);
    this.#database.run(
      `INSERT INTO tool_block (id, conversation, unit, size, is_dropped) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET size = excluded.size, is_dropped = excluded.is_dropped`,
      id,
      conversation,
      transcript,
      size,
      Number(packed === undefined),
    );
    if (packed !== undefined) this.#database.run("INSERT OR REPLACE INTO block VALUES (?, ?)", id, packed);
    addBytes(this.#database, size - before);
    setLastBlock(this.#database, Math.max(id, lastBlock(this.#database)));
  }
}
