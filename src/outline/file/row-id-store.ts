// Keeps the ids of rows whose file has none, beside the user's files: in the
// data folder, one file for each state of a document, named after the state's
// content. Whoever writes the document keeps the ids of what it will hold
// before it is there, so that no reader ever guesses; and an undo finds the
// ids of what it brings back. All of it can be deleted: then rows get the ids
// of their places.
//
// No lock is needed: a state is written whole under a name of its own, and two
// processes that see the same change come to the same ids.
import { readdirSync, renameSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { contentHash, makeOwnFolder, readBytes, temporaryName, writeOwnFile } from "../../files/files.ts";
import { treeOf, type Source } from "../formats/parsed-outline.ts";
import { ID_LENGTH, identify, type Seen } from "./row-ids.ts";

export interface RowIdStore {
  /** The ids of a document's rows in this state. */
  readonly idsOf: (version: string, source: Source) => readonly string[];
  /** Keeps the ids that a document's rows will have. */
  readonly keep: (version: string, source: Source, ids: readonly string[]) => void;
}

/** States are kept as long as they are few, or small. */
const [MOST_STATES, MOST_BYTES, FEWEST_STATES] = [64, 16 * 1024 * 1024, 4];

const MAGIC = "rowids1\n";
const HEADER = MAGIC.length + 8;
/** An id, the number of the topic, and the parent. */
const ROW_BYTES = ID_LENGTH + 8 + 4;

/**
 * @param folder for the ids of all documents
 * @param subject what the document is: its real path
 */
export function openRowIdStore(folder: string, subject: string, log: (message: string) => void): RowIdStore {
  const own = join(folder, contentHash(Buffer.from(subject)).slice(0, 32));
  const fileOf = (version: string) => join(own, `${version}.ids`);

  /** The names of the states that are kept, newest first. */
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
        // Another process was first.
      }
    });
  };

  const keep = (version: string, source: Source, ids: readonly string[]) => {
    const temporary = join(own, temporaryName());
    try {
      makeOwnFolder(own);
      writeOwnFile(temporary, encode(source, ids));
      renameSync(temporary, fileOf(version));
      trim();
    } catch (error) {
      // The user's file is whole either way; only ids may change with the next outside edit.
      log(`the ids of rows could not be kept: ${(error as Error).message}`);
      try {
        unlinkSync(temporary);
      } catch {
        // It was never made.
      }
    }
  };

  return {
    keep,
    idsOf: (version, source) => {
      const known = load(fileOf(version));
      if (known !== undefined && isOf(known, source)) {
        touch(fileOf(version));
        return known.ids;
      }
      const newest = newestReadable(own, states());
      const ids = identify({ ...seenOf(source), topics: topicsOf(source) }, newest, subject);
      keep(version, source, ids);
      return ids;
    },
  };
}

/** Undefined where there is none, or a damaged one. */
function load(file: string): Seen | undefined {
  try {
    return decode(readBytes(file, { followsLinks: true }));
  } catch {
    return undefined;
  }
}

function newestReadable(folder: string, states: readonly { readonly name: string }[]): Seen | undefined {
  for (const { name } of states) {
    const seen = load(join(folder, name));
    if (seen !== undefined) return seen;
  }
  return undefined;
}

/** What is there now is what a later outside edit was made on. */
function touch(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // Another process has just removed it.
  }
}

function isOf(seen: Seen, source: Source): boolean {
  return seen.count === source.count && seen.parents.every((parent, row) => parent === source.parents[row]);
}

function seenOf({ count, parents, descendants }: Source) {
  return { count, parents, descendants };
}

function topicsOf({ count, topicNumber }: Source): Float64Array {
  const topics = new Float64Array(count);
  for (let row = 0; row < count; row++) topics[row] = topicNumber(row);
  return topics;
}

function encode(source: Source, ids: readonly string[]): Buffer {
  const { count, parents } = source;
  const bytes = Buffer.alloc(HEADER + count * ROW_BYTES);
  bytes.write(MAGIC, "latin1");
  bytes.writeUInt32LE(count, MAGIC.length);
  bytes.write(ids.join(""), HEADER, "latin1");
  const at = HEADER + count * ID_LENGTH;
  bytes.set(bytesOf(topicsOf(source)), at);
  bytes.set(bytesOf(parents), at + 8 * count);
  bytes.writeUInt32LE(crc32(bytes.subarray(HEADER)), MAGIC.length + 4);
  return bytes;
}

/** In this machine's byte order: the data folder is not shared between machines of different ones. */
function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Throws where the bytes are not what was written. */
function decode(bytes: Buffer): Seen {
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
