// Reads images of a vault, for the page and for hosts that attach them: as the
// resource note:///{path}, like notes. Used by mcp/resources.
import { extname } from "node:path";
import { FileTooLarge, parseVaultPath } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { locate } from "./note-paths.ts";
import type { Vault } from "../vault.ts";

export interface Image {
  readonly bytes: Buffer;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".bmp": "image/bmp",
  ".svg": "image/svg+xml",
};

/** Larger images are left to an image viewer. */
const MOST_BYTES = 12 * 1024 * 1024;

export function isImageName(path: string): boolean {
  return TYPES[extname(path).toLowerCase()] !== undefined;
}

/** Undefined if the path is not that of an image, or nothing is there. */
export function readImage(vault: Vault, sent: string): Image | undefined {
  const type = TYPES[extname(sent).toLowerCase()];
  if (type === undefined) return undefined;
  const path = parseVaultPath(sent);
  if (locate(vault, path, sent).kind !== "file") return undefined;
  try {
    const content = vault.root.read(path, MOST_BYTES);
    return content && { bytes: content.bytes, type };
  } catch (error) {
    throw error instanceof FileTooLarge ? new Problem(error.code, `The image is too large: ${sent}`) : error;
  }
}
