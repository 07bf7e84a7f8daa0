// Reads some lines of a note that is too large to be read whole, such as a log
// of a gigabyte: once, a piece at a time, up to the last line that is asked for,
// keeping only those lines, with other calls in between. Used by readContent.
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FileTooLarge, megabytes, MAX_FILE_BYTES, type VaultPath } from "../../files/files.ts";
import { readNoteText } from "../../markdown/markdown.ts";
import { Problem } from "../../kernel/kernel.ts";
import { missingNote } from "./missing-note.ts";
import type { Excerpt } from "./note-reader.ts";
import { existingNotePath } from "./note-paths.ts";
import type { Vault } from "../vault.ts";

export interface LargeNote {
  readonly path: VaultPath;
  readonly excerpt: Excerpt;
  /** Both are undefined if the file was not read to its end. */
  readonly totalLines: number | undefined;
  readonly hash: string | undefined;
  /** The first lines, for the properties. */
  readonly beginning: string;
}

const LINE_BREAK = 0x0a;
/** Nobody writes longer properties. */
const BEGINNING_BYTES = 64 * 1024;

/** Adds what to do about a note that is too large to be read whole. */
export function withHint(error: FileTooLarge): Problem {
  return new Problem(error.code, error.message, "Read some of its lines with offset and limit.");
}

/** @param lines how many to skip, and how many to read */
export async function readLargeNote(
  vault: Vault,
  sent: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  signal: AbortSignal,
): Promise<LargeNote> {
  const path = await existingNotePath(vault, sent);
  const pieces = await vault.root.pieces(path);
  if (pieces === undefined) throw await missingNote(vault, sent);
  const wanted = new LineCollector(offset, limit);
  let beginning: string | undefined;
  const hash = createHash("sha256");
  for await (const piece of pieces) {
    hash.update(piece);
    const used = piece.subarray(0, wanted.add(piece));
    // Refused like a small note: it is binary, or in UTF-16.
    if (used.includes(0)) readNoteText(used);
    beginning ??= beginningOf(piece.subarray(0, BEGINNING_BYTES));
    if (wanted.isFull) {
      const most = megabytes(MAX_FILE_BYTES);
      throw new Problem("too_large", `These lines have more than ${most}.`, "Read fewer of them: set limit.");
    }
    if (wanted.isComplete) break;
    await nextTurn();
    signal.throwIfAborted();
  }
  const { totalLines, isComplete } = wanted;
  if (offset >= totalLines)
    throw new Problem("invalid", `offset must be less than ${totalLines}: there are no more lines`);
  const endLine = Math.min(offset + limit, totalLines);
  return {
    path,
    excerpt: { content: readNoteText(wanted.bytes()).text, startLine: offset + 1, endLine },
    totalLines: isComplete ? undefined : totalLines,
    hash: isComplete ? undefined : hash.digest("hex").slice(0, 32),
    beginning: beginning ?? "",
  };
}

/** Ends at a line break, so that no character is cut. */
function beginningOf(bytes: Buffer): string {
  const text = bytes.toString("utf8", 0, bytes.lastIndexOf(LINE_BREAK) + 1);
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Keeps the bytes of some lines, and counts lines up to the last of them. */
class LineCollector {
  readonly #first: number;
  readonly #end: number;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #line = 0;
  #endsInBreak = true;

  constructor(first: number, count: number) {
    this.#first = first;
    this.#end = first + count;
  }

  /** Returns whether there was more than may be kept. */
  get isFull(): boolean {
    return this.#keptBytes > MAX_FILE_BYTES;
  }

  /** Returns whether the last of the lines has ended: nothing after it is counted. */
  get isComplete(): boolean {
    return this.#line >= this.#end;
  }

  get totalLines(): number {
    return this.#endsInBreak ? this.#line : this.#line + 1;
  }

  /** @returns how many bytes of the piece it used: all, or up to the end of the last line */
  add(piece: Buffer): number {
    let from = this.#isWanted ? 0 : undefined;
    let end = piece.length;
    for (let at = piece.indexOf(LINE_BREAK); at !== -1; at = piece.indexOf(LINE_BREAK, at + 1)) {
      this.#line++;
      if (this.#isWanted) from ??= at + 1;
      if (this.isComplete) {
        end = at + 1;
        break;
      }
    }
    if (from !== undefined) this.#keep(piece.subarray(from, end));
    this.#endsInBreak = piece[end - 1] === LINE_BREAK;
    return end;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#kept);
  }

  get #isWanted(): boolean {
    return this.#line >= this.#first && this.#line < this.#end;
  }

  #keep(bytes: Buffer): void {
    this.#keptBytes += bytes.length;
    if (!this.isFull) this.#kept.push(Buffer.from(bytes));
  }
}
