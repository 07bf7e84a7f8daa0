// Stores the ids of rows whose file has none, in the data folder: one file per
// state of a document, named after the hash of its content. A writer stores the
// ids before it replaces the document, so that no reader has to match rows, and an
// undo finds the ids of the state it restores. Deleting these files is safe: rows
// then get the ids of their positions. Used by file-document.ts.
//
// No lock is needed: a state is written under a name of its own, and processes
// that see the same change compute the same ids.
import { readdirSync, renameSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { contentHash, makeOwnFolder, readBytes, temporaryName, writeOwnFile } from "../../files/files.ts";
import { treeOf, type ParsedOutline } from "../formats/parsed-outline.ts";
import { ID_LENGTH, assignIds, type KnownRows } from "./row-ids.ts";

export interface RowIdStore {
  /** The ids of the rows in this state of the document. */
  readonly idsOf: (version: string, parsed: ParsedOutline) => readonly string[];
  /** Stores the ids for a state that is about to be written. */
  readonly keep: (version: string, parsed: ParsedOutline, ids: readonly string[]) => void;
}

/** The newest states are kept within these limits, and always the fewest. */
const [MOST_STATES, MOST_BYTES, FEWEST_STATES] = [64, 16 * 1024 * 1024, 4];

const MAGIC = "rowids1\n";
const HEADER = MAGIC.length + 8;
/** The id, the hash of the topic, and the parent. */
const ROW_BYTES = ID_LENGTH + 8 + 4;

/**
 * @param folder holds the ids of all documents
 * @param subject identifies the document: its real path
 */
export function openRowIdStore(folder: string, subject: string, log: (message: string) => void): RowIdStore {
  const own = join(folder, contentHash(Buffer.from(subject)).slice(0, 32));
  const fileOf = (version: string) => join(own, `${version}.ids`);

  /** The stored states, newest first. */
  const states = (): { name: string; time: number; size: number }[] => {
    try {
      return readdirSync(own)
        .filter((name) => name.endsWith(".ids"))
        .flatMap((name) => {
          const stats = statSync(join(own, name), { throwIfNoEntry: false });
          return stats === undefined ? [] : [{ name, time: stats.mtimeMs, size: stats.size }];
        })
        .toSorted((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1));
    } catch {
      return [];
    }
  };

  const trim = () => {
    let bytes = 0;
    states().forEach(({ name, size }, index) => {
      bytes += size;
      if (index < FEWEST_STATES! || (index < MOST_STATES! && bytes <= MOST_BYTES!)) return;
      try {
        unlinkSync(join(own, name));
      } catch {
        // Another process has removed it.
      }
    });
  };

  const keep = (version: string, parsed: ParsedOutline, ids: readonly string[]) => {
    const temporary = join(own, temporaryName());
    try {
      makeOwnFolder(own);
      writeOwnFile(temporary, encode(parsed, ids));
      renameSync(temporary, fileOf(version));
      trim();
    } catch (error) {
      // The document is not affected; only ids may change with the next edit by another program.
      log(`the ids of rows could not be stored: ${(error as Error).message}`);
      try {
        unlinkSync(temporary);
      } catch {
        // It was never created.
      }
    }
  };

  return {
    keep,
    idsOf: (version, parsed) => {
      const known = load(fileOf(version));
      if (known !== undefined && isOf(known, parsed)) {
        touch(fileOf(version));
        return known.ids;
      }
      const newest = newestReadable(own, states());
      const ids = assignIds({ ...treeOnly(parsed), topics: topicsOf(parsed) }, newest, subject);
      keep(version, parsed, ids);
      return ids;
    },
  };
}

/** Undefined if the file is missing or damaged. */
function load(file: string): KnownRows | undefined {
  try {
    return decode(readBytes(file, { followsLinks: true }));
  } catch {
    return undefined;
  }
}

function newestReadable(folder: string, states: readonly { readonly name: string }[]): KnownRows | undefined {
  for (const { name } of states) {
    const seen = load(join(folder, name));
    if (seen !== undefined) return seen;
  }
  return undefined;
}

/** Marks the current state as the newest: the next edit by another program starts from it. */
function touch(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // Another process has just removed it.
  }
}

function isOf(seen: KnownRows, parsed: ParsedOutline): boolean {
  return seen.count === parsed.count && seen.parents.every((parent, row) => parent === parsed.parents[row]);
}

function treeOnly({ count, parents, descendants }: ParsedOutline) {
  return { count, parents, descendants };
}

function topicsOf({ count, topicNumber }: ParsedOutline): Float64Array {
  const topics = new Float64Array(count);
  for (let row = 0; row < count; row++) topics[row] = topicNumber(row);
  return topics;
}

function encode(parsed: ParsedOutline, ids: readonly string[]): Buffer {
  const { count, parents } = parsed;
  const bytes = Buffer.alloc(HEADER + count * ROW_BYTES);
  bytes.write(MAGIC, "latin1");
  bytes.writeUInt32LE(count, MAGIC.length);
  bytes.write(ids.join(""), HEADER, "latin1");
  const at = HEADER + count * ID_LENGTH;
  bytes.set(bytesOf(topicsOf(parsed)), at);
  bytes.set(bytesOf(parents), at + 8 * count);
  bytes.writeUInt32LE(crc32(bytes.subarray(HEADER)), MAGIC.length + 4);
  return bytes;
}

/** In native byte order: the data folder is not shared between machines. */
function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Throws if the bytes are damaged. */
function decode(bytes: Buffer): KnownRows {
  const count = bytes.readUInt32LE(MAGIC.length);
  const isWhole =
    bytes.toString("latin1", 0, MAGIC.length) === MAGIC &&
    bytes.length === HEADER + count * ROW_BYTES &&
    crc32(bytes.subarray(HEADER)) === bytes.readUInt32LE(MAGIC.length + 4);
  if (!isWhole) throw new RangeError("Damaged");
  const text = bytes.toString("latin1", HEADER, HEADER + count * ID_LENGTH);
  const ids = Array.from({ length: count }, (_, row) => text.slice(row * ID_LENGTH, (row + 1) * ID_LENGTH));
  const at = HEADER + count * ID_LENGTH;
  const [topics, parents] = [new Float64Array(count), new Int32Array(count)];
  bytesOf(topics).set(bytes.subarray(at, at + 8 * count));
  bytesOf(parents).set(bytes.subarray(at + 8 * count));
  return { ...treeOf(parents), ids, topics };
}
