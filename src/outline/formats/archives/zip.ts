// Reads a zip archive and replaces one member, keeping every other byte, including
// the compressed bytes of the other members. Used for OmniOutliner's flat files.
import { crc32, inflateRawSync } from "node:zlib";
import { Problem } from "../../../kernel/kernel.ts";
import { deflated } from "./deflate.ts";
import { checkExpansion } from "./size-limits.ts";

const [LOCAL, CENTRAL, DIRECTORY_END] = [0x04034b50, 0x02014b50, 0x06054b50] as const;
const [STORED, DEFLATED] = [0, 8] as const;
/** Flags: encrypted; sizes follow the content. */
const [ENCRYPTED, DESCRIPTOR] = [0x0001, 0x0008] as const;
const LONGEST_COMMENT = 0xffff;

interface Member {
  readonly name: string;
  /** Offsets of its entry in the central directory, and of its local header. */
  readonly entry: number;
  readonly header: number;
}

interface Directory {
  readonly start: number;
  /** The offset of the end-of-directory record. */
  readonly end: number;
  readonly members: readonly Member[];
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
  const { header, entry } = member;
  const flags = bytes.readUInt16LE(entry + 8);
  const method = bytes.readUInt16LE(entry + 10);
  const [checksum, packed, size] = [16, 20, 24].map((at) => bytes.readUInt32LE(entry + at)) as [number, number, number];
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
        const at = other.entry - directory.start;
        if (other.header > header) tail.writeUInt32LE(other.header + shift, at + 42);
      }
      const at = entry - directory.start;
      tail.writeUInt16LE(flags & ~DESCRIPTOR, at + 8);
      sums.forEach((sum, index) => tail.writeUInt32LE(sum, at + 16 + 4 * index));
      tail.writeUInt32LE(directory.start + shift, directory.end - directory.start + 16);
      return Buffer.concat([bytes.subarray(0, header), head, body, bytes.subarray(contentEnd, directory.start), tail]);
    },
  };
}

function readDirectory(bytes: Buffer): Directory {
  const end = findEnd(bytes);
  const [disk, firstDisk, here, count] = [4, 6, 8, 10].map((at) => bytes.readUInt16LE(end + at));
  const [size, start] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  if (disk !== 0 || firstDisk !== 0 || here !== count) throw odd("it is spread over several files");
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff) throw odd("it is a Zip64 archive");
  if (start + size !== end) throw odd("it contains data that belongs to no member");
  const members: Member[] = [];
  let at = start;
  for (let number = 0; number < count!; number++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== CENTRAL) throw damaged();
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const header = bytes.readUInt32LE(at + 42);
    if (header + 30 > start || bytes.readUInt32LE(header) !== LOCAL) throw damaged();
    members.push({ name: bytes.toString("utf8", at + 46, at + 46 + nameLength!), entry: at, header });
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  if (at !== end) throw damaged();
  return { start, end, members };
}

function findEnd(bytes: Buffer): number {
  const earliest = Math.max(0, bytes.length - 22 - LONGEST_COMMENT);
  for (let at = bytes.length - 22; at >= earliest; at--) {
    if (bytes.readUInt32LE(at) === DIRECTORY_END && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length) return at;
  }
  throw damaged();
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
