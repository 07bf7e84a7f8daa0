// What a new file or folder of a vault may be called: vaults travel, so that a
// name which Windows would take for another one is made on no system. What has
// such a name already can be read, changed and moved. Used by everything that
// makes files in a vault.
import { Problem } from "../../kernel/kernel.ts";
import { isPortableName, type VaultPath } from "./vault-path.ts";
import type { StoredFiles } from "./stored-files.ts";

/** @param sent the path as the caller sent it, for the refusal */
export function checkNewNames(root: StoredFiles, path: VaultPath, sent: string): void {
  const names = path.split("/");
  for (const [i, name] of names.entries()) {
    if (isPortableName(name)) continue;
    if (root.locate(names.slice(0, i + 1).join("/") as VaultPath).kind === "absent")
      throw new Problem("invalid", `Invalid path: ${sent}`);
  }
}
