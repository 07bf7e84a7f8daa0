// Compresses in another thread, in one go: with Node's small pieces the other
// thread would wait for this one at each of them, and this one reads the same
// text meanwhile. Used by zip and gzip.
import { promisify } from "node:util";
import { deflateRaw, type InputType, type ZlibOptions } from "node:zlib";

/** Outlines come to a tenth of their size, or less. */
const USUAL_RATIO = 4;
const SMALLEST_PIECE = 16 * 1024;

const inAnotherThread = promisify<InputType, ZlibOptions, Buffer>(deflateRaw);

export function deflated(contents: Buffer): Promise<Buffer> {
  const chunkSize = Math.max(SMALLEST_PIECE, Math.ceil(contents.length / USUAL_RATIO));
  return inAnotherThread(contents, { chunkSize });
}
