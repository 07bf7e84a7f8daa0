// A note that is not there: refused with the contract's sentence, and with the
// names of notes that may have been meant. Used by whatever reads or changes one.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { nameOf, parentOf, parseNotePath, type EntryPath, type VaultPath } from "../files/vault-path.ts";
import { nearest } from "../text/nearest.ts";
import { Problem } from "../text/problem.ts";
import { foldForSearch } from "../text/search-text.ts";
import type { Vault } from "./vault.ts";

/** More than a few are a list, and there is a tool for lists. */
const MOST = 3;

export function missingNote(vault: Vault, sent: string, sentence = `File not found: ${sent}`): Problem {
  const near = nearNotes(vault, parseNotePath(sent));
  const names = near.map((path) => `'${path}'`).join(" or ");
  return new Problem(
    "not_found",
    sentence,
    near.length === 0 ? "List the folder to see what is there." : `Did you mean ${names}?`,
  );
}

/** Those of the same name in other folders; else those whose name is nearest, if any is near. */
function nearNotes(vault: Vault, path: VaultPath): string[] {
  const byName = new Map<string, string[]>();
  for (const known of new Set([...siblingsOf(vault, path), ...vault.index.knownPaths()])) {
    const name = foldForSearch(nameOf(known as VaultPath));
    const named = byName.get(name);
    if (named === undefined) byName.set(name, [known]);
    else named.push(known);
  }
  const wanted = foldForSearch(nameOf(path));
  const meant = byName.has(wanted) ? wanted : nearest(wanted, [...byName.keys()]);
  const near = meant === undefined ? [] : byName.get(meant)!;
  // The index may not have noticed yet that one is gone.
  return near.filter((known) => isAt(vault, known as VaultPath, "file")).slice(0, MOST);
}

/** Nothing is told of what a link leads to outside of the vault. */
function isAt({ root }: Vault, path: EntryPath, kind: "file" | "folder"): boolean {
  try {
    return root.locate(path).kind === kind;
  } catch {
    return false;
  }
}

/** What is in the same folder is known without an index. */
function siblingsOf(vault: Vault, path: VaultPath): string[] {
  const folder = parentOf(path);
  if (!isAt(vault, folder, "folder")) return [];
  try {
    return readdirSync(join(vault.root.folder, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map(({ name }) => (folder === "" ? name : `${folder}/${name}`));
  } catch {
    return [];
  }
}
