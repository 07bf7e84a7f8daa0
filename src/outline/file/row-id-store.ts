// Stores the ids of rows whose file has none: one file per state of a document,
// named after the hash of its content, in the data folder or in the shared store
// that the document is in. A writer stores the ids before it replaces the document,
// so that no reader has to match rows, and an undo finds the ids of the state it
// restores. Deleting these files is safe: rows then get the ids of their positions.
// Used by file-document.ts.
//
// No lock is needed: a state is written under a name of its own, and processes
// that see the same change compute the same ids.
import { crc32 } from "node:zlib";
import type { Sidecars } from "../../journal/journal.ts";
import { treeOf, type ParsedOutline } from "../formats/parsed-outline.ts";
import { ID_LENGTH, assignIds, type KnownRows } from "./row-ids.ts";

export interface RowIdStore {
  /** The ids of the rows in this state of the document. */
  readonly idsOf: (version: string, parsed: ParsedOutline) => Promise<readonly string[]>;
  /** Stores the ids for a state that is about to be written. */
  readonly keep: (version: string, parsed: ParsedOutline, ids: readonly string[]) => Promise<void>;
}

/** The newest states are kept within these limits, and always the fewest. */
const [MAX_STATES, MAX_BYTES, MIN_STATES] = [64, 16 * 1024 * 1024, 4];

const MAGIC = "rowids1\n";
const HEADER = MAGIC.length + 8;
/** The id, the hash of the topic, and the parent. */
const ROW_BYTES = ID_LENGTH + 8 + 4;

type RowIdFiles = Omit<Sidecars, "subjectOf">;

function nameOf(version: string): string {
  return `${version}.ids`;
}

/** @param subject identifies the document */
export function openRowIdStore(sidecars: RowIdFiles, subject: string, log: (message: string) => void): RowIdStore {
  const states = async () => (await sidecars.list(subject)).filter(({ name }) => name.endsWith(".ids"));
  const load = async (name: string): Promise<KnownRows | undefined> => {
    const bytes = await sidecars.read(subject, name);
    try {
      return bytes && decode(bytes);
    } catch {
      // Damaged.
      return undefined;
    }
  };

  const trim = async () => {
    let bytes = 0;
    const left = (await states()).filter(({ size }, index) => {
      bytes += size;
      return index >= MIN_STATES! && (index >= MAX_STATES! || bytes > MAX_BYTES!);
    });
    if (left.length === 0) return;
    await sidecars.remove(
      subject,
      left.map(({ name }) => name),
    );
  };

  const keep = async (version: string, parsed: ParsedOutline, ids: readonly string[]) => {
    try {
      await sidecars.write(subject, nameOf(version), encode(parsed, ids));
      await trim();
    } catch (error) {
      // The document is not affected; only ids may change with the next edit by another program.
      log(`the ids of rows could not be stored: ${(error as Error).message}`);
    }
  };

  const newestReadable = async (): Promise<KnownRows | undefined> => {
    for (const { name } of await states()) {
      const seen = await load(name);
      if (seen !== undefined) return seen;
    }
    return undefined;
  };

  return {
    keep,
    idsOf: async (version, parsed) => {
      const known = await load(nameOf(version));
      if (known !== undefined && isOf(known, parsed)) {
        await sidecars.touch(subject, nameOf(version));
        return known.ids;
      }
      const ids = assignIds({ ...treeOnly(parsed), topics: topicsOf(parsed) }, await newestReadable(), subject);
      await keep(version, parsed, ids);
      return ids;
    },
  };
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

/** In native byte order, which is the same on all machines that Node is built for. */
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
