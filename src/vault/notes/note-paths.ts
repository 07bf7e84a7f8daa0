// Turns a path that a caller sent into a file or folder of the vault, with errors
// that repeat it as sent. Used throughout vault/.
import {
  checkNewNames,
  InvalidPath,
  type Located,
  parseNotePath,
  parseVaultPath,
  type VaultPath,
} from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Vault } from "../vault.ts";

/** Finds the file or folder at a path. An error repeats the path as it was sent. */
export function locate({ root }: Vault, path: VaultPath, sent: string): Located {
  try {
    return root.locate(path);
  } catch (error) {
    throw error instanceof InvalidPath && error.path === path
      ? new Problem(error.code, `Invalid path: ${sent}`)
      : error;
  }
}

/** The same for a path that may be created. Throws for new names that Windows reads as another name: vaults are synced. */
export function locateNew(vault: Vault, path: VaultPath, sent: string): Located {
  const located = locate(vault, path, sent);
  checkNewNames(vault.root, path, sent);
  return located;
}

/**
 * The path of an existing note: as it was sent if a file has exactly that name
 * (LICENSE, a.excalidraw), else with the extension of a note.
 */
export function existingNotePath(vault: Vault, sent: string): VaultPath {
  const note = parseNotePath(sent);
  const exact = parseVaultPath(sent);
  return exact !== note && locate(vault, exact, sent).kind === "file" ? exact : note;
}
