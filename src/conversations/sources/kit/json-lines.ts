// Reads a file with one JSON value per line from where an earlier reading
// stopped. Used by every source whose program appends to such files.
//
// The file and its lines may have any size: a piece is a megabyte, and a line of
// more than a few is parsed while it is read, with its long texts cut. An
// incomplete last line is left for later: its program may be writing it.
import { codeOf, openForReading, reasonOf, UnreadableFile } from "../../../files/files.ts";
import { hash } from "node:crypto";
import { closeSync, fstatSync, readSync } from "node:fs";
import { BoundedJson } from "./bounded-json.ts";
import { briefJson, type CutKeys } from "./brief-json.ts";
import { type TranscriptFile } from "../source.ts";

export interface JsonLine {
  /** The line, or the beginning of one that is too long. Overwritten by the next piece. */
  readonly bytes: Buffer;
  /** The value of a line that is too long, with its long texts cut. Undefined for other lines: parse the bytes if needed. */
  readonly long: { readonly value: unknown } | undefined;
}

export interface JsonPiece {
  /** Only in the first piece: the file was rewritten since the checkpoint, and is read from its beginning. */
  readonly isRewritten: boolean;
  /** Lines that are not empty, in order. */
  readonly lines: readonly JsonLine[];
  /** For a reading that continues after these lines. */
  readonly checkpoint: string;
}

type BlankLines = "leave out" | "keep";

const PIECE = 1 << 20;
/** Longer lines are not kept in memory. */
const MAX_LINE_LENGTH = 1 << 22;
const NEWLINE = 0x0a;

interface Checkpoint {
  readonly offset: number;
  /** Of the bytes right before the offset: if they differ, the file was rewritten. */
  readonly tail: string;
}

/**
 * Undefined if the line is no JSON.
 * @param cut keys below which long texts are cut: see brief-json.ts
 */
export function parsedLine({ bytes, long }: JsonLine, cut: CutKeys = []): unknown {
  if (long !== undefined) return long.value;
  try {
    return cut.length > 0 ? briefJson(bytes, cut) : JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** @param blankLines to be left out, or kept: a log in plain text needs them */
export async function* readJsonLines(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
  blankLines: BlankLines = "leave out",
): AsyncGenerator<JsonPiece> {
  let file: number;
  try {
    file = openForReading(transcript.path, { followsLinks: true });
  } catch (error) {
    throw new UnreadableFile(reasonOf(error));
  }
  try {
    yield* piecesOf(file, checkpoint, signal, blankLines);
  } catch (error) {
    if (codeOf(error) === "EIO" || codeOf(error) === "EISDIR") throw new UnreadableFile(reasonOf(error));
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The buffer of the last reading, for the next: files are many, and read one after the other. */
let borrowed: Buffer | undefined;

async function* piecesOf(
  file: number,
  text: string | undefined,
  signal: AbortSignal,
  blankLines: BlankLines,
): AsyncGenerator<JsonPiece> {
  const { size } = fstatSync(file);
  const from = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  const isRewritten = from !== undefined && !isContinued(file, from, size);
  let isFirst = true;
  /** The offset of the buffer in the file. */
  let offset = from === undefined || isRewritten ? 0 : from.offset;
  let buffer: Buffer = borrowed ?? Buffer.allocUnsafeSlow(PIECE);
  borrowed = undefined;
  let filled = 0;
  const pieceOf = (lines: readonly JsonLine[], end: number): JsonPiece => {
    const piece = { isRewritten: isRewritten && isFirst, lines, checkpoint: checkpointAt(file, end) };
    isFirst = false;
    return piece;
  };
  try {
    while (!signal.aborted) {
      const read = readSync(file, buffer, filled, buffer.length - filled, offset + filled);
      filled += read;
      const isEnd = read === 0;
      const last = buffer.subarray(0, filled).lastIndexOf(NEWLINE);
      if (last !== -1) {
        yield pieceOf(linesIn(buffer, last, blankLines), offset + last + 1);
        buffer.copyWithin(0, last + 1, filled);
        offset += last + 1;
        filled -= last + 1;
      } else if (isEnd) {
        const rest = { bytes: buffer.subarray(0, filled), long: undefined };
        // A last line without a line break is complete if it is a whole value.
        if (filled > 0 && parsedLine(rest) !== undefined) yield pieceOf([rest], offset + filled);
        else if (isFirst && isRewritten) yield pieceOf([], offset);
        return;
      } else if (filled === buffer.length && filled < MAX_LINE_LENGTH) {
        buffer = Buffer.concat([buffer], Math.min(MAX_LINE_LENGTH, buffer.length * 4));
      } else if (filled === buffer.length) {
        const line = await readLongLine(file, buffer, offset + filled, signal);
        if (line === undefined) return;
        yield pieceOf([line.line], line.end);
        offset = line.end;
        filled = 0;
      }
    }
  } finally {
    if (buffer.length === PIECE) borrowed = buffer;
  }
}

/** A line whose beginning is in the buffer. Undefined if its end is not written yet. */
async function readLongLine(file: number, beginning: Buffer, from: number, signal: AbortSignal) {
  const json = new BoundedJson();
  json.push(beginning);
  const piece = Buffer.allocUnsafe(PIECE);
  for (let offset = from; !signal.aborted;) {
    const read = readSync(file, piece, 0, PIECE, offset);
    const found = piece.subarray(0, read).indexOf(NEWLINE);
    json.push(piece, 0, found === -1 ? read : found);
    offset += found === -1 ? read : found + 1;
    const isEnd = found !== -1 || read === 0;
    const value = isEnd ? json.end() : undefined;
    if (found !== -1 || value !== undefined) return { line: { bytes: beginning, long: { value } }, end: offset };
    if (isEnd) return undefined;
    await new Promise(setImmediate);
  }
  return undefined;
}

/** The lines up to and with the one that ends at `last`. */
function linesIn(buffer: Buffer, last: number, blankLines: BlankLines): JsonLine[] {
  const lines: JsonLine[] = [];
  for (let start = 0; start <= last;) {
    const end = buffer.indexOf(NEWLINE, start);
    const isBlank = end - start <= 1;
    if (!isBlank || blankLines === "keep") lines.push({ bytes: buffer.subarray(start, end), long: undefined });
    start = end + 1;
  }
  return lines;
}

const TAIL = 256;

function tailAt(file: number, offset: number): string {
  const length = Math.min(TAIL, offset);
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, offset - length);
  return hash("sha256", bytes, "base64url").slice(0, 12);
}

function checkpointAt(file: number, offset: number): string {
  return JSON.stringify({ offset, tail: tailAt(file, offset) } satisfies Checkpoint);
}

/** By its bytes, not by its inode: backup and sync programs copy files. */
function isContinued(file: number, { offset, tail }: Checkpoint, size: number): boolean {
  return size >= offset && tailAt(file, offset) === tail;
}
