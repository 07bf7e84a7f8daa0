// Where the connected server keeps its memory: asks once, if there is a terminal
// and no setting says so yet, and prints the answer, since a vault is often
// synced, shared or published. Used by connect.
import { isAbsolute } from "node:path";
import { realPath } from "../../files/files.ts";
import { memoryPlaces } from "../../memory/memory.ts";
import { namesSpace, type Settings } from "../../settings.ts";
import { ask, canAsk, joined, print } from "../../kernel/kernel.ts";
import type { Invocation } from "../command.ts";

/** @returns the entry's flags, with the user's choice added */
export type ChooseMemory = (entryFlags: readonly string[], isNew: boolean) => Promise<readonly string[]>;

type MemorySetting = NonNullable<Settings["memory"]>;

const MEANING: Readonly<Record<MemorySetting | "already" | "shared", string>> = {
  shared: "Memory is kept in the data folder, on this machine; 'commonplace push memory' shares it with the space.",
  home: "Memory is kept in the data folder, on this machine only; --memory vault keeps it in the vault, where it is synced, shared and published with the notes.",
  vault: "Memory is kept in the vault: it is synced, shared and published with the notes.",
  already: "Memory stays in the vault, where it is already; --memory home takes it out.",
  off: "No memory is kept.",
};

export function memoryChooser({ settings, flags }: Pick<Invocation, "settings" | "flags">): ChooseMemory {
  let answer: Promise<MemorySetting> | undefined;
  const said = new Set<string>();
  return async (entryFlags, isNew) => {
    const valueOf = (flag: string) => entryFlags[entryFlags.indexOf(flag) + 1 || entryFlags.length];
    const given = (valueOf("--memory") as MemorySetting | undefined) ?? settings.memory;
    const isReadOnly = entryFlags.includes("--read-only") || settings.readOnly;
    const vault = valueOf("--vault");
    // The memory of a space is never kept in it.
    const isShared = vault === undefined ? settings.vaults[0].space !== undefined : namesSpace(vault);
    const isThere =
      !isShared && given === undefined && hasMemory(folderOf(vault) ?? settings.vault, settings.folders.data);
    const mayAsk =
      isNew && given === undefined && !isShared && !isThere && !isReadOnly && !flags["yes"] && !flags["json"];
    if (mayAsk && canAsk()) answer ??= askWhere();
    const chosen = given ?? (isThere ? "already" : ((await answer) ?? "home"));
    const place = isShared && chosen !== "off" ? "shared" : chosen;
    const meaning = isReadOnly ? MEANING.off : MEANING[place];
    if (!flags["json"] && !said.has(meaning)) print(meaning);
    said.add(meaning);
    return given === undefined && place === "vault" ? [...entryFlags, "--memory", "vault"] : entryFlags;
  };
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

async function askWhere(): Promise<MemorySetting> {
  print(
    joined([
      "Memory records what was done, in which session, to which notes and why. In the data folder (home) it stays on",
      "this machine; in the vault it is synced, shared and published with the notes.",
    ]),
  );
  for (;;) {
    const answer = (await ask("Where should it be kept, home or vault? [home]"))?.trim() ?? "";
    if (/^(?:h(?:ome)?)?$/i.test(answer)) return "home";
    if (/^v(?:ault)?$/i.test(answer)) return "vault";
    print("Please answer home or vault.");
  }
}
