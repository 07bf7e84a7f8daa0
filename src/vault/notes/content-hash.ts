// The content hash of a file of the vault. Used by memory, to find out later
// whether the file has changed.
import { MOST_FILE_BYTES } from "../../files/files.ts";
import { existingNotePath, locate } from "./note-paths.ts";
import type { Vault } from "../vault.ts";

/** The path as the vault spells it; no hash where there is no such file. Refused where a path is none. */
export function hashAt(vault: Vault, sent: string): { readonly path: string; readonly hash: string | undefined } {
  const path = existingNotePath(vault, sent);
  const { kind, stats } = locate(vault, path, sent);
  if (kind !== "file" || stats === undefined) return { path, hash: undefined };
  // To hash a film takes seconds: what is large is known by its size and time.
  const isLarge = stats.size > MOST_FILE_BYTES;
  return { path, hash: isLarge ? `large:${stats.size}:${stats.mtimeNs}` : vault.root.read(path)?.hash };
}
