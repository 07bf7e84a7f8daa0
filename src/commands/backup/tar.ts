// Writes and reads the files of a tar archive, piece by piece, so that a backup
// of any size takes little memory: POSIX headers, with pax records for long
// names and large files. Any tar program can list and unpack it. Used by
// backup.ts and restore.ts.
import { Problem } from "../../kernel/kernel.ts";

const BLOCK = 512;
/** Sizes beyond this do not fit the eleven octal digits of a header. */
const MAX_HEADER_SIZE = 8 ** 11 - 1;
const MAX_HEADER_LENGTH = 100;
/** Records are names and sizes. */
const MAX_RECORD_BYTES = 64 * 1024;

/** A file that is being read. Its content must be read before the next file. */
export interface TarFile {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The bytes of one file in an archive. */
export function* tarEntry(name: string, size: number, content: Iterable<Uint8Array>): Generator<Uint8Array> {
  const records = [
    ...(Buffer.byteLength(name) > MAX_HEADER_LENGTH ? [record("path", name)] : []),
    ...(size > MAX_HEADER_SIZE ? [record("size", String(size))] : []),
  ].join("");
  if (records !== "") {
    const bytes = Buffer.from(records);
    yield header("pax", bytes.length, "x");
    yield bytes;
    yield padding(bytes.length);
  }
  yield header(name, size, "0");
  let written = 0;
  for (const bytes of content) {
    written += bytes.length;
    yield bytes;
  }
  if (written !== size) throw new Error(`${name} has ${written} bytes, not ${size}`);
  yield padding(size);
}

/** The end of an archive, after the last file. */
export const TAR_END: Uint8Array = Buffer.alloc(2 * BLOCK);

function padding(size: number): Uint8Array {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** `length key=value`, where the length counts its own digits. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + 1;
  while (String(length).length + bytes !== length) length = String(length).length + bytes;
  return `${length}${rest}`;
}

function header(name: string, size: number, type: string): Uint8Array {
  const bytes = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number) =>
    bytes.write(value.toString(8).padStart(digits - 1, "0"), at, "latin1");
  bytes.write(Buffer.from(name).subarray(0, MAX_HEADER_LENGTH).toString("latin1"), 0, "latin1");
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(Math.min(size, MAX_HEADER_SIZE), 124, 12);
  octal(Math.floor(Date.now() / 1000), 136, 12);
  bytes.write(type, 156, "latin1");
  bytes.write("ustar\u000000", 257, "latin1");
  bytes.write(`${checksum(bytes).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return bytes;
}

/** The sum of the header's bytes, its own field counted as spaces. */
function checksum(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

/** The files of an archive, in order. Throws a Problem if it is no such archive, or cut off. */
export async function* tarFiles(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const source = new ByteSource(chunks);
  let named: ReadonlyMap<string, string> = new Map();
  for (;;) {
    const head = await source.take(BLOCK);
    if (head.every((byte) => byte === 0)) return;
    if (checksum(head) !== Number.parseInt(textIn(head, 148, 8), 8)) throw damaged();
    const size = Number(named.get("size") ?? Number.parseInt(textIn(head, 124, 12), 8));
    if (!Number.isSafeInteger(size) || size < 0) throw damaged();
    const type = String.fromCharCode(head[156]!);
    if (type === "x") {
      if (size > MAX_RECORD_BYTES) throw damaged();
      named = recordsIn(Buffer.from(await source.take(size)).toString("utf8"));
      await source.take(padding(size).length);
      continue;
    }
    if (type !== "0" && type !== "\0") throw damaged();
    const file = { name: named.get("path") ?? textIn(head, 0, MAX_HEADER_LENGTH), size, content: source.pieces(size) };
    named = new Map();
    yield file;
    await source.skipRest();
    await source.take(padding(size).length);
  }
}

function textIn(head: Uint8Array, from: number, length: number): string {
  const bytes = Buffer.from(head.subarray(from, from + length));
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end === -1 ? length : end).toString("utf8");
}

function recordsIn(text: string): Map<string, string> {
  return new Map([...text.matchAll(/\d+ ([^=\n]+)=([^\n]*)\n/g)].map(([, key, value]) => [key!, value!]));
}

function damaged(): Problem {
  return new Problem("denied", "The file is no backup of Commonplace, or it is damaged.");
}

/** Takes counted bytes from chunks of any length. */
class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = Buffer.alloc(0);
  /** Bytes that are left of the file that is being read. */
  #left = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** @returns at most as many bytes; throws at the end */
  async #some(most: number): Promise<Uint8Array> {
    while (this.#chunk.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) throw damaged();
      this.#chunk = next.value;
    }
    const some = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(some.length);
    return some;
  }

  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let left = count; left > 0;) {
      const some = await this.#some(left);
      parts.push(some);
      left -= some.length;
    }
    return Buffer.concat(parts);
  }

  /** The content of a file, which the caller may leave. */
  pieces(size: number): AsyncGenerator<Uint8Array> {
    this.#left = size;
    return this.#rest();
  }

  async *#rest(): AsyncGenerator<Uint8Array> {
    while (this.#left > 0) {
      const some = await this.#some(this.#left);
      this.#left -= some.length;
      yield some;
    }
  }

  async skipRest(): Promise<void> {
    while (this.#left > 0) this.#left -= (await this.#some(this.#left)).length;
  }
}
