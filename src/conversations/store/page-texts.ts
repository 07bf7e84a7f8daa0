// The text of pages that searches show passages of. To unpack a page takes
// longer than to cut a passage from it, and questions of one subject find the
// same pages: so the last ones are remembered. Used by recall.ts.
import { type IndexDatabase, writtenSince } from "../../sqlite/sqlite.ts";
import { type FoldedText, foldWithOffsets } from "../../search/search.ts";
import { partsIn } from "./pages.ts";

export interface PageText {
  /** Its parts, with an empty line between them. */
  readonly text: string;
  /** The same as searches compare it. */
  readonly folded: FoldedText;
  /** The message of each part, and where in the text the next part begins. */
  readonly messages: readonly { readonly id: string; readonly end: number }[];
}

interface Remembered extends PageText {
  /** What it was unpacked from: a page that was written anew has other bytes. */
  readonly content: unknown;
}

const BETWEEN = "\n\n";
/** Characters, of all that is remembered. */
const MOST_TEXT = 6_000_000;

export class PageTexts {
  readonly #database: IndexDatabase;
  /** Those that were asked for last at the end. */
  readonly #remembered = new Map<number, Remembered>();
  /** Those that are as they were, until something is written. */
  readonly #unchanged = new Set<number>();
  readonly #isWritten: () => boolean;
  #size = 0;

  constructor(database: IndexDatabase) {
    this.#database = database;
    this.#isWritten = writtenSince(database);
  }

  /** Those that are there, in the same order; with one look into the store, at what may have changed. */
  of(pages: readonly number[]): ReadonlyMap<number, PageText> {
    if (this.#isWritten()) this.#unchanged.clear();
    const others = pages.filter((page) => !this.#unchanged.has(page));
    if (others.length > 0) this.#read(others);
    const texts = new Map<number, PageText>();
    for (const page of pages) {
      const text = this.#remembered.get(page);
      // One that was taken out may still be remembered.
      if (text === undefined || !this.#unchanged.has(page)) continue;
      texts.set(page, text);
      this.#remembered.delete(page);
      this.#remembered.set(page, text);
    }
    this.#forget();
    return texts;
  }

  #read(pages: readonly number[]): void {
    const wanted = JSON.stringify(pages);
    const rows = this.#database.all(
      `SELECT page, parts FROM content WHERE page IN (SELECT value FROM json_each(?))
       UNION ALL SELECT page, parts FROM waiting WHERE page IN (SELECT value FROM json_each(?))`,
      wanted,
      wanted,
    );
    for (const { page: id, parts } of rows) {
      const page = Number(id);
      const before = this.#remembered.get(page);
      const text = before !== undefined && isSame(before.content, parts) ? before : unpacked(parts);
      this.#remembered.set(page, text);
      this.#unchanged.add(page);
      this.#size += text.text.length - (before?.text.length ?? 0);
    }
  }

  #forget(): void {
    for (const [page, { text }] of this.#remembered) {
      if (this.#size <= MOST_TEXT) return;
      this.#remembered.delete(page);
      this.#unchanged.delete(page);
      this.#size -= text.length;
    }
  }
}

function unpacked(content: unknown): Remembered {
  const parts = partsIn(content);
  const whole = parts.map(({ text }) => text).join(BETWEEN);
  let end = 0;
  return {
    content,
    text: whole,
    folded: foldWithOffsets(whole),
    messages: parts.map(({ message, text }) => ({ id: message, end: (end += text.length + BETWEEN.length) })),
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
}
