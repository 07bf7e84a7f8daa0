// Compresses in another thread, in one piece: with Node's default chunk size the
// other thread waits at every chunk for this one, which is parsing the same text.
// Used by zip.ts and gzip.ts.
import { promisify } from "node:util";
import { deflateRaw, type InputType, type ZlibOptions } from "node:zlib";

/** Outlines compress to a tenth of their size, so a quarter leaves room. */
const USUAL_RATIO = 4;
const MIN_CHUNK = 16 * 1024;

const inAnotherThread = promisify<InputType, ZlibOptions, Buffer>(deflateRaw);

export function deflated(contents: Buffer): Promise<Buffer> {
  const chunkSize = Math.max(MIN_CHUNK, Math.ceil(contents.length / USUAL_RATIO));
  return inAnotherThread(contents, { chunkSize });
}
