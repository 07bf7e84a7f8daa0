// Says where the connected server keeps its memory: a vault is often synced,
// shared or published. Used by connect.
import { isAbsolute } from "node:path";
import { realPath } from "../../files/files.ts";
import { memoryPlaces } from "../../memory/memory.ts";
import { namesSpace, type Settings } from "../../settings.ts";

type MemorySetting = NonNullable<Settings["memory"]>;

const MEANING: Readonly<Record<MemorySetting | "already" | "shared", string>> = {
  shared: "Memory is kept in the data folder, on this machine; 'commonplace push memory' shares it with the space.",
  home: "Memory is kept in the data folder, on this machine only; --memory vault keeps it in the vault, where it is synced, shared and published with the notes.",
  vault: "Memory is kept in the vault: it is synced, shared and published with the notes.",
  already: "Memory stays in the vault, where it is already; --memory home takes it out.",
  off: "No memory is kept.",
};

/** @param words of the entry, by which the host starts the server */
export function memoryNotice(words: readonly string[], settings: Settings): string {
  const valueOf = (flag: string) => words[words.indexOf(flag) + 1 || words.length];
  const given = (valueOf("--memory") as MemorySetting | undefined) ?? settings.memory;
  if (words.includes("--read-only") || settings.readOnly) return MEANING.off;
  const vault = valueOf("--vault");
  // The memory of a space is never kept in it.
  const isShared = vault === undefined ? settings.vaults[0].space !== undefined : namesSpace(vault);
  const isThere = given === undefined && hasMemory(folderOf(vault) ?? settings.vault, settings.folders.data);
  if (isShared && given !== "off") return MEANING.shared;
  return MEANING[given ?? (isThere ? "already" : "home")];
}

/** Without the name of the vault before it. */
function folderOf(vault: string | undefined): string | undefined {
  return vault === undefined || isAbsolute(vault) ? vault : vault.replace(/^[^=/\\]+=/, "");
}

function hasMemory(vault: string, dataFolder: string): boolean {
  let vaultFolder = vault;
  try {
    vaultFolder = realPath(vault);
  } catch {
    // It does not exist, so it contains no memory.
  }
  return memoryPlaces({ memory: undefined, vaultFolder, dataFolder }).log.isInVault;
}
