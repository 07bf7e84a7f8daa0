// The places of a vault's memory log: in the data folder, or in the vault,
// where it is copied and synced with the notes. Both places are read. Used by
// app/vault-parts.ts, doctor and connect.
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { LogFolder } from "./log-folder.ts";
import { listEventFiles, logIn } from "./event-files.ts";

export interface MemoryPlaces {
  /** The log for new events. */
  readonly log: LogFolder;
  /** The log that may have older events, from before the setting was changed. */
  readonly other: LogFolder;
}

interface Choice {
  /** Undefined: in the data folder, unless the vault has a memory already. */
  readonly memory: "vault" | "home" | undefined;
  /** The real path of the vault's folder. */
  readonly vaultFolder: string;
  readonly dataFolder: string;
}

export function memoryPlaces({ memory, vaultFolder, dataFolder }: Choice): MemoryPlaces {
  const inVault = { path: join(vaultFolder, ".commonplace", "memory"), isInVault: true };
  const atHome = { path: join(dataFolder, "memory", nameOf(vaultFolder)), isInVault: false };
  const isInVault = memory === "vault" || (memory === undefined && hasMemory(vaultFolder, inVault));
  return isInVault ? { log: inVault, other: atHome } : { log: atHome, other: inVault };
}

/** A hash of the vault's path, since several vaults may have the same name. */
function nameOf(vaultFolder: string): string {
  return createHash("sha256").update(vaultFolder).digest("hex").slice(0, 16);
}

/** Returns whether it has an event file, or a folder of Claudesidian or Nexus. */
function hasMemory(vaultFolder: string, inVault: LogFolder): boolean {
  return nexusFoldersIn(vaultFolder).length > 0 || listEventFiles([logIn(inVault)]).length > 0;
}

/** The folders that Claudesidian and Nexus left in the vault. */
export function nexusFoldersIn(vaultFolder: string): string[] {
  return [".nexus", ".workspaces"].filter((name) =>
    lstatSync(join(vaultFolder, name), { throwIfNoEntry: false })?.isDirectory(),
  );
}
