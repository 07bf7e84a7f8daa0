// The names that a new file or folder of a vault may have. Vaults are copied
// between systems, so a name that Windows would change is created on no system.
// Existing files with such names can be read, changed and moved. Used by
// everything that creates files in a vault.
import { isPortableName, Problem } from "../../kernel/kernel.ts";
import type { VaultPath } from "./vault-path.ts";
import type { StoredFiles } from "./stored-files.ts";

/** A path that is a link, or ends in one: what it links to, without a heading and the text that is shown. */
const LINK = /(?:^|\/)!?\[\[([^\]|#]+)[^\]]*\]\](?:\.md)?$/;

/** @param sent the path as the caller sent it, for the error message */
export async function checkNewNames(root: StoredFiles, path: VaultPath, sent: string): Promise<void> {
  const [, linked] = LINK.exec(path) ?? [];
  if (linked !== undefined && (await root.locate(path)).kind === "absent")
    throw new Problem("invalid", `Invalid path: ${sent}`, `A link is no path: send ${JSON.stringify(linked.trim())}.`);
  const names = path.split("/");
  for (const [i, name] of names.entries()) {
    if (isPortableName(name)) continue;
    if ((await root.locate(names.slice(0, i + 1).join("/") as VaultPath)).kind === "absent")
      throw new Problem(
        "invalid",
        `Invalid path: ${sent}`,
        `${faultOf(name)}: send ${JSON.stringify(names.map(portableName).join("/"))}.`,
      );
  }
}

const ENDING = /(?<![. ])[. ]+$/;

/** Names the fault of a name. */
function faultOf(name: string): string {
  if (name.includes(":")) return "A new name has no colon";
  return ENDING.test(name) ? "A new name does not end in a dot or a space" : "Windows reserves this name";
}

/** The name nearest to it that every system keeps. */
function portableName(name: string): string {
  if (isPortableName(name)) return name;
  const kept = name.replace(/(?<!\s)\s*:\s*/g, " - ").replace(ENDING, "");
  return isPortableName(kept) ? kept.trimStart() : kept.replace(/^[^. ]+/, "$&_");
}
