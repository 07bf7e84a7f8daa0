// Opens a file of the vault that is not text, by the vault's rules: for the page,
// which shows it, and for hosts that attach images as the resource note:///{path}.
// Used by mcp/.
import { type FileStats, FileTooLarge, millisecondsOf, type OpenedFile, parseVaultPath } from "../../files/files.ts";
import { locate } from "../notes/note-paths.ts";
import type { Vault } from "../vault.ts";
import { type FileType, fileTypeOf } from "./file-types.ts";

/** The facts of a file that are known without reading it. */
export interface MediaFacts extends FileType {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  /** Differs after every change of the file. */
  readonly tag: string;
}

/** An open file of the vault. The caller closes it. */
export interface MediaFile extends MediaFacts, Pick<OpenedFile, "read" | "close"> {}

/** Larger images are left to an image viewer. */
const MAX_IMAGE_BYTES = 12 * 1024 * 1024;

/** Undefined if there is no such file. Throws if the path is invalid. */
export async function openMedia(vault: Vault, sent: string): Promise<MediaFile | undefined> {
  const path = parseVaultPath(sent);
  const located = await locate(vault, path, sent);
  if (located.kind !== "file") return undefined;
  const file = await vault.root.open(path);
  if (file === undefined) return undefined;
  return { ...factsOf(located.path, file.stats), read: file.read, close: file.close };
}

/** The same without its bytes, which a store would have to send. */
export async function mediaFacts(vault: Vault, sent: string): Promise<MediaFacts | undefined> {
  const { kind, path, stats } = await locate(vault, parseVaultPath(sent), sent);
  return kind === "file" && stats !== undefined ? factsOf(path, stats) : undefined;
}

function factsOf(path: string, { size, mtimeNs, ctimeNs, ino }: FileStats): MediaFacts {
  return {
    ...fileTypeOf(path),
    path,
    size: Number(size),
    modified: millisecondsOf(mtimeNs),
    tag: [size, mtimeNs, ctimeNs, ino].map((number) => number.toString(36)).join("-"),
  };
}

/** The whole of an image, and nothing else. Closes the file. */
export function imageIn(file: MediaFile): { readonly bytes: Buffer; readonly type: string } | undefined {
  try {
    if (file.kind !== "image") return undefined;
    if (file.size > MAX_IMAGE_BYTES) throw new FileTooLarge(file.path, file.size, MAX_IMAGE_BYTES);
    return { bytes: file.read(0, file.size), type: file.type };
  } finally {
    file.close();
  }
}
