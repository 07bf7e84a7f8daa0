// The content hash of a file of the vault. Used by memory, to find out later
// whether the file has changed.
import { MAX_FILE_BYTES } from "../../files/files.ts";
import { existingNotePath, locate } from "./note-paths.ts";
import type { Vault } from "../vault.ts";

/** The path as spelled in the vault, and no hash if there is no such file. Throws if the path is invalid. */
export async function hashAt(
  vault: Vault,
  sent: string,
): Promise<{ readonly path: string; readonly hash: string | undefined }> {
  const path = await existingNotePath(vault, sent);
  const { kind, stats } = await locate(vault, path, sent);
  if (kind !== "file" || stats === undefined) return { path, hash: undefined };
  // Hashing a large file takes seconds, so its size and time stand in for the hash.
  const isLarge = stats.size > MAX_FILE_BYTES;
  return { path, hash: isLarge ? `large:${stats.size}:${stats.mtimeNs}` : (await vault.root.read(path))?.hash };
}
