// Blocks of whole texts: several that are compressed together, since most are
// short. Pure; used by tool-texts.ts.
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** In characters. From 64,000 to 256,000 blocks shrink by 3 % more, and reading one text takes four times as long. */
export const FULL_BLOCK = 128_000;

/**
 * Measured on tool texts of real sessions: quality 4 makes a quarter of them at 60 MB/s, as small as deflate does at
 * level 6 at 40 MB/s; quality 5 saves 7 % more and takes twice as long.
 */
const QUALITY = 4;

export function packedTexts(texts: readonly string[]): Uint8Array {
  const json = Buffer.from(JSON.stringify(texts));
  return brotliCompressSync(json, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
    },
  });
}

export function textsIn(block: Uint8Array): string[] {
  return JSON.parse(brotliDecompressSync(block).toString("utf8")) as string[];
}
