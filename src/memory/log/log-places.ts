// Where the log of a vault's memory is kept: among this program's own data, or
// in the vault, where it goes wherever the notes go. Both places are read.
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { LogFolder } from "./log-folder.ts";
import { listEventFiles, logIn } from "./event-files.ts";

export interface MemoryPlaces {
  /** Where what is new is kept. */
  readonly log: LogFolder;
  /** Where something may be from before the person chose. */
  readonly other: LogFolder;
}

interface Choice {
  /** Undefined: among our own data, unless the vault has a memory already. */
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

/** Of the vault's path, so that vaults of one name are told apart. */
function nameOf(vaultFolder: string): string {
  return createHash("sha256").update(vaultFolder).digest("hex").slice(0, 16);
}

/** A file of ours, or the folder of a program whose past is read too. */
function hasMemory(vaultFolder: string, inVault: LogFolder): boolean {
  return nexusFoldersIn(vaultFolder).length > 0 || listEventFiles([logIn(inVault)]).length > 0;
}

/** The folders that Claudesidian and Nexus left in the vault. */
export function nexusFoldersIn(vaultFolder: string): string[] {
  return [".nexus", ".workspaces"].filter((name) =>
    lstatSync(join(vaultFolder, name), { throwIfNoEntry: false })?.isDirectory(),
  );
}
