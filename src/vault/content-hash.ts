// What a file of the vault holds, by its hash: for whoever wants to know later
// whether it has changed. Used by memory.
import { existingNotePath, locate, type Vault } from "./vault.ts";

/** The path as the vault spells it; no hash where there is no such file. Refused where a path is none. */
export function hashAt(vault: Vault, sent: string): { readonly path: string; readonly hash: string | undefined } {
  const path = existingNotePath(vault, sent);
  const hash = locate(vault, path, sent).kind === "file" ? vault.root.read(path)?.hash : undefined;
  return { path, hash };
}
