// Reads members of a zip archive of any size from its file, in pieces: neither
// the archive nor a member is in memory as a whole. A few kilobytes can expand to
// more than a disk holds, so what is declared is checked first, and never more
// than that is unpacked. Used by archive-files.ts.
import { closeSync, fstatSync, readSync } from "node:fs";
import { Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { Problem } from "../../kernel/kernel.ts";
import {
  DEFLATED,
  directoryEnd,
  directoryPlace,
  ENCRYPTED,
  MAX_END_LENGTH,
  openForReading,
  STORED,
  zipEntries,
  type ZipEntry,
} from "../../files/files.ts";

const LOCAL = 0x04034b50;
/** An archive with a picture for each of a million messages has less. */
const MAX_DIRECTORY_SIZE = 256 << 20;
const PIECE = 1 << 18;
/** Up to this size any compression ratio is accepted; text compresses about tenfold, repeated settings a hundredfold. */
const HARMLESS = 64 << 20;
const MAX_RATIO = 200;

export interface ZipFile {
  readonly members: readonly ZipEntry[];
  /** The content of a member, unpacked and verified; what was given before an error is not. */
  readonly contents: (member: ZipEntry) => AsyncGenerator<Buffer>;
  readonly close: () => void;
}

/** Undefined if the file is no zip archive. */
export function openZipFile(path: string): ZipFile | undefined {
  const file = openForReading(path, { followsLinks: true });
  try {
    const { size } = fstatSync(file);
    const read = (offset: number, length: number): Buffer => {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, offset));
    };
    if (read(0, 4).toString("latin1") !== "PK\u0003\u0004") {
      closeSync(file);
      return undefined;
    }
    const members = directoryOf(size, read);
    return { members, contents: (member) => contentsOf(member, read), close: () => closeSync(file) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

type Read = (offset: number, length: number) => Buffer;

function directoryOf(size: number, read: Read): ZipEntry[] {
  // The locator of a Zip64 directory is right before the end.
  const tail = read(Math.max(0, size - MAX_END_LENGTH - 20), MAX_END_LENGTH + 20);
  const end = directoryEnd(tail);
  const place = end === undefined ? undefined : directoryPlace(tail, end, read);
  if (place === undefined || place.size > MAX_DIRECTORY_SIZE || place.start + place.size > size) throw damaged();
  const entries = zipEntries(read(place.start, place.size), place.count);
  if (entries === undefined) throw damaged();
  return entries;
}

async function* contentsOf(member: ZipEntry, read: Read): AsyncGenerator<Buffer> {
  const { name, flags, method, packed, size, header } = member;
  if ((flags & ENCRYPTED) !== 0) throw new Problem("invalid", `${name} is encrypted in the archive.`);
  if (method !== STORED && method !== DEFLATED)
    throw new Problem("invalid", `${name} is compressed in the archive by a method that is not supported.`);
  if (size > Math.max(HARMLESS, packed * MAX_RATIO))
    throw new Problem("too_large", `${name} expands to more than an archive of conversations can.`);
  const head = read(header, 30);
  if (head.length < 30 || head.readUInt32LE(0) !== LOCAL) throw damaged();
  const start = header + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  let [given, checksum] = [0, 0];
  const pieces = piecesIn(start, packed, read);
  for await (const piece of method === STORED ? pieces : inflated(pieces)) {
    given += piece.length;
    if (given > size) throw damaged();
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (given !== size || checksum !== member.checksum) throw damaged();
}

function* piecesIn(start: number, length: number, read: Read): Generator<Buffer> {
  for (let at = 0; at < length;) {
    const piece = read(start + at, Math.min(PIECE, length - at));
    if (piece.length === 0) throw damaged();
    at += piece.length;
    yield piece;
  }
}

async function* inflated(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(pieces, { objectMode: false, highWaterMark: PIECE });
  const inflate = createInflateRaw({ chunkSize: PIECE });
  source.on("error", (error) => inflate.destroy(error));
  try {
    yield* source.pipe(inflate) as AsyncIterable<Buffer>;
  } catch (error) {
    throw error instanceof Problem ? error : damaged();
  } finally {
    source.destroy();
    inflate.destroy();
  }
}

function damaged(): Problem {
  return new Problem("invalid", "The zip archive is damaged, or was not downloaded completely.");
}
