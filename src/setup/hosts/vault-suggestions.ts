// The vaults on this machine: those that were served, and those that Obsidian
// knows. connect suggests some to a user who names none; the page offers all.
//
// Obsidian keeps its list in obsidian.json in its system folder
// (help.obsidian.md/data-storage): {"vaults": {ID: {path, ts, open}}}.
import { statSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../../files/files.ts";
import type { Settings } from "../../settings.ts";
import { servingRecords } from "../serving-records.ts";
import { applicationFolder, type Machine } from "./known-hosts.ts";

export interface KnownVault {
  readonly vault: string;
  readonly why: string;
}

interface ObsidianVault {
  readonly path?: unknown;
  readonly ts?: unknown;
  readonly open?: unknown;
}

export function suggestedVaults(settings: Pick<Settings, "folders">, machine: Machine): KnownVault[] {
  const served = servingRecords(settings)
    .filter(({ isGuide }) => !isGuide)
    .toSorted((a, b) => b.last - a.last)
    .slice(0, 1)
    .map(({ vault }) => ({ vault, why: "served last" }));
  const open = openInObsidian(machine).map((vault) => ({ vault, why: "open in Obsidian" }));
  return existingOnce([...served, ...open]);
}

/** All of them: those open in Obsidian first, then those that Obsidian knows, then those that were served. */
export function knownVaults(settings: Pick<Settings, "folders">, machine: Machine): KnownVault[] {
  const known = knownToObsidian(machine).toSorted((a, b) => Number(b.open === true) - Number(a.open === true));
  const served = servingRecords(settings)
    .filter(({ isGuide }) => !isGuide)
    .toSorted((a, b) => b.last - a.last);
  return existingOnce([
    ...known.map(({ path, open }) => ({
      vault: String(path),
      why: open === true ? "open in Obsidian" : "known to Obsidian",
    })),
    ...served.map(({ vault }) => ({ vault, why: "served before" })),
  ]);
}

function existingOnce(found: readonly KnownVault[]): KnownVault[] {
  const existing = found.filter(({ vault }) => isFolder(vault));
  return existing.filter(({ vault }, i) => existing.findIndex((other) => other.vault === vault) === i);
}

/** The open vaults, or the one opened last if none is open. */
function openInObsidian(machine: Machine): string[] {
  const newest = knownToObsidian(machine);
  const open = newest.filter(({ open: isOpen }) => isOpen === true);
  return (open.length > 0 ? open : newest.slice(0, 1)).map(({ path }) => String(path));
}

/** The one opened last comes first. */
function knownToObsidian(machine: Machine): ObsidianVault[] {
  const known = obsidianFolders(machine).flatMap((folder) => vaultsIn(join(folder, "obsidian.json")));
  return known.toSorted((a, b) => Number(b.ts ?? 0) - Number(a.ts ?? 0));
}

/** Flatpak and Snap each use a separate home folder. */
function obsidianFolders(machine: Machine): string[] {
  const usual = join(applicationFolder(machine), "obsidian");
  if (!machine.system.hasSnaps) return [usual];
  const flatpak = join(machine.home, ".var", "app", "md.obsidian.Obsidian", "config", "obsidian");
  const snap = join(machine.home, "snap", "obsidian", "current", ".config", "obsidian");
  return [usual, flatpak, snap];
}

function vaultsIn(file: string): ObsidianVault[] {
  try {
    const { vaults } = JSON.parse(readText(file, { followsLinks: true })) as { vaults?: Record<string, ObsidianVault> };
    return Object.values(vaults ?? {}).filter((vault) => typeof vault?.path === "string");
  } catch {
    // Obsidian is not installed, or its list cannot be read.
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
