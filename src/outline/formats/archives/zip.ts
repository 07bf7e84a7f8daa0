// Reads a zip archive and replaces one member, keeping every other byte, including
// the compressed bytes of the other members. Used for OmniOutliner's flat files.
import { crc32, inflateRawSync } from "node:zlib";
import {
  DEFLATED,
  DESCRIPTOR,
  directoryEnd,
  ENCRYPTED,
  STORED,
  zipEntries,
  type ZipEntry,
} from "../../../files/files.ts";
import { Problem } from "../../../kernel/kernel.ts";
import { deflated } from "./deflate.ts";
import { checkExpansion } from "./size-limits.ts";

const LOCAL = 0x04034b50;

interface Directory {
  readonly start: number;
  /** The offset of the end-of-directory record. */
  readonly end: number;
  readonly members: readonly ZipEntry[];
}

export interface Zip {
  /** Unpacks and verifies them. */
  readonly contents: () => Buffer;
  readonly replaced: (contents: Buffer) => Promise<Buffer>;
}

/** Opens the member of this name. */
export function openZip(bytes: Buffer, name: string): Zip {
  const directory = readDirectory(bytes);
  const found = directory.members.filter((member) => member.name === name);
  const [member] = found;
  if (member === undefined) throw new Problem("invalid", `This zip archive is not an outline: it has no ${name}.`);
  if (found.length > 1) throw odd(`it has two members ${name}`);
  const { header, at: entry, flags, method, checksum, packed, size } = member;
  if ((flags & ENCRYPTED) !== 0) throw new Problem("invalid", "This outline is encrypted. The file was not changed.");
  if (method !== STORED && method !== DEFLATED) throw odd("its compression method is unknown");
  const start = contentStart(bytes, header);
  if (start + packed > directory.start) throw damaged();

  // With this flag, everything between the content and the next member is the data descriptor.
  const next = Math.min(directory.start, ...directory.members.map((other) => other.header).filter((at) => at > header));
  const contentEnd = (flags & DESCRIPTOR) === 0 ? start + packed : next;
  return {
    contents: () => {
      checkExpansion(packed, size);
      const contents = unpack(bytes.subarray(start, start + packed), method, size);
      if (contents.length !== size || crc32(contents) !== checksum) throw damaged();
      return contents;
    },
    replaced: async (newContents) => {
      const body = method === STORED ? newContents : await deflated(newContents);
      const sums = [crc32(newContents), body.length, newContents.length] as const;
      const head = Buffer.from(bytes.subarray(header, start));
      head.writeUInt16LE(head.readUInt16LE(6) & ~DESCRIPTOR, 6);
      sums.forEach((sum, index) => head.writeUInt32LE(sum, 14 + 4 * index));
      const tail = Buffer.from(bytes.subarray(directory.start));
      const shift = head.length + body.length - (contentEnd - header);
      for (const other of directory.members) {
        if (other.header > header) tail.writeUInt32LE(other.header + shift, other.at + 42);
      }
      tail.writeUInt16LE(flags & ~DESCRIPTOR, entry + 8);
      sums.forEach((sum, index) => tail.writeUInt32LE(sum, entry + 16 + 4 * index));
      tail.writeUInt32LE(directory.start + shift, directory.end - directory.start + 16);
      return Buffer.concat([bytes.subarray(0, header), head, body, bytes.subarray(contentEnd, directory.start), tail]);
    },
  };
}

function readDirectory(bytes: Buffer): Directory {
  const end = directoryEnd(bytes);
  if (end === undefined) throw damaged();
  const [disk, firstDisk, here, count] = [4, 6, 8, 10].map((at) => bytes.readUInt16LE(end + at));
  const [size, start] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  if (disk !== 0 || firstDisk !== 0 || here !== count) throw odd("it is spread over several files");
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff) throw odd("it is a Zip64 archive");
  if (start + size !== end) throw odd("it contains data that belongs to no member");
  const members = start > end ? undefined : zipEntries(bytes.subarray(start, end), count!);
  if (members === undefined) throw damaged();
  for (const { header } of members) if (header + 30 > start || bytes.readUInt32LE(header) !== LOCAL) throw damaged();
  return { start, end, members };
}

function contentStart(bytes: Buffer, header: number): number {
  return header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
}

function unpack(packed: Buffer, method: number, size: number): Buffer {
  if (method === STORED) return packed;
  try {
    // Stops at the declared size. One chunk of the right size saves a copy.
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, 64) });
  } catch {
    throw damaged();
  }
}

function damaged(): Problem {
  return new Problem(
    "invalid",
    "The outline file is damaged: its zip archive cannot be read. The file was not changed.",
  );
}

function odd(why: string): Problem {
  return new Problem(
    "invalid",
    `This zip archive is not in the form that OmniOutliner writes (${why}). The file was not changed.`,
  );
}
