// Reads a gzip file and replaces its content, keeping the header with name and
// time. Used for OmniOutliner 3 documents and the contents of packages.
import { crc32, inflateRawSync } from "node:zlib";
import { Problem } from "../../../kernel/kernel.ts";
import { deflated } from "./deflate.ts";
import { HARMLESS, isTooMuch, tooLarge } from "./size-limits.ts";

const DEFLATED = 8;
const [HEADER_CHECK, EXTRA, NAME, COMMENT] = [0x02, 0x04, 0x08, 0x10] as const;
const TRAILER = 8;

export interface Gzip {
  /** Unpacks and verifies them. */
  readonly contents: () => Buffer;
  readonly replaced: (contents: Buffer) => Promise<Buffer>;
}

export function openGzip(bytes: Buffer): Gzip {
  const start = headerLength(bytes);
  return {
    contents: () => {
      const [checksum, size] = [bytes.readUInt32LE(bytes.length - 8), bytes.readUInt32LE(bytes.length - 4)];
      const packed = bytes.subarray(start, bytes.length - TRAILER);
      // A huge size may just be garbage after the end: unpacking a little shows which.
      const isBomb = isTooMuch(bytes.length, size);
      const contents = unpack(packed, isBomb ? HARMLESS : size, isBomb ? tooLarge : damaged);
      if (contents.length !== size || crc32(contents) !== checksum) throw damaged();
      return contents;
    },
    replaced: async (newContents) => {
      const trailer = Buffer.alloc(TRAILER);
      trailer.writeUInt32LE(crc32(newContents), 0);
      trailer.writeUInt32LE(newContents.length, 4);
      return Buffer.concat([bytes.subarray(0, start), await deflated(newContents), trailer]);
    },
  };
}

function headerLength(bytes: Buffer): number {
  if (bytes.length < 18 || bytes[2] !== DEFLATED) throw damaged();
  const flags = bytes[3]!;
  let at = 10;
  if ((flags & EXTRA) !== 0) at += 2 + bytes.readUInt16LE(at);
  for (const part of [NAME, COMMENT]) {
    if ((flags & part) === 0) continue;
    at = bytes.indexOf(0, at) + 1;
    if (at === 0) throw damaged();
  }
  if ((flags & HEADER_CHECK) !== 0) at += 2;
  if (at > bytes.length - TRAILER) throw damaged();
  return at;
}

/**
 * One chunk of the right size saves a copy.
 * @param overflow the error if there is more
 */
function unpack(packed: Buffer, size: number, overflow: () => Problem): Buffer {
  const limits = { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, 64) };
  try {
    const { buffer, engine } = inflateRawSync(packed, { ...limits, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    // A second gzip member would be lost when the file is rewritten.
    if (engine.bytesWritten !== packed.length) throw damaged();
    return buffer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw overflow();
    throw error instanceof Problem ? error : damaged();
  }
}

function damaged(): Problem {
  return new Problem(
    "invalid",
    "The outline file is damaged: its gzip content cannot be read. The file was not changed.",
  );
}
