// The names that a new file or folder of a vault may have. Vaults are copied
// between systems, so a name that Windows would change is created on no system.
// Existing files with such names can be read, changed and moved. Used by
// everything that creates files in a vault.
import { Problem } from "../../kernel/kernel.ts";
import { isPortableName, type VaultPath } from "./vault-path.ts";
import type { StoredFiles } from "./stored-files.ts";

/** @param sent the path as the caller sent it, for the error message */
export function checkNewNames(root: StoredFiles, path: VaultPath, sent: string): void {
  const names = path.split("/");
  for (const [i, name] of names.entries()) {
    if (isPortableName(name)) continue;
    if (root.locate(names.slice(0, i + 1).join("/") as VaultPath).kind === "absent")
      throw new Problem("invalid", `Invalid path: ${sent}`);
  }
}
