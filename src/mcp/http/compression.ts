// Compression for browsers: of the files of the page, and of the answers it gets.
// MCP hosts on this machine get theirs uncompressed.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** Of 11: the last two levels take ten times as long for a few per cent. */
const QUALITY = 9;

/** The best encoding that the client accepts, or undefined. */
export function encodingFor(accepted: string | string[] | undefined): Encoding | undefined {
  const names = new Set(
    String(accepted ?? "")
      .split(",")
      .map((part) => part.trim().split(";")[0]),
  );
  return (["br", "gzip"] as const).find((encoding) => names.has(encoding));
}

export function compress(bytes: Buffer, encoding: Encoding, quality = QUALITY): Promise<Buffer> {
  return encoding === "br"
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
    : zip(bytes, { level: quality });
}
