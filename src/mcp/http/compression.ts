// Packing for browsers: the files of the page, and the answers that it gets. MCP
// hosts on this machine get theirs as they are.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** Of 11: the last two take ten times as long for a few per cent. */
const QUALITY = 9;

/** The best that the client takes; undefined where it takes none. */
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
