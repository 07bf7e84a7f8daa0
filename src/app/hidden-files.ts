// Finds the files on the disk that the settings hide in one of the vaults, for parts that
// do not read through a vault: a project or a folder of outlines may contain one.
// Used by parts.ts.
import { existsSync } from "node:fs";
import { pathWithin } from "../kernel/kernel.ts";
import { type AccessRules, comparable, realPath } from "../files/files.ts";

interface HidingVault {
  readonly settings: { readonly folder: string };
  readonly access: AccessRules;
}

/** The trash has lost the folders of what is in it, and settings and memory name folders. */
const OF_VAULT = /^\.(?:trash|obsidian|commonplace)(?:\/|$)/;

/** @returns undefined if nothing is hidden anywhere */
export function hiddenFiles(vaults: readonly HidingVault[]): ((absolute: string) => boolean) | undefined {
  const hiding = vaults
    .filter(({ access }) => access.hides)
    .map(({ settings: { folder }, access }) => ({ folder, real: keyOf(realOf(folder)), access }));
  if (hiding.length === 0) return undefined;
  const isHidden = (path: string) =>
    hiding.some((vault) => {
      // Without regard to case: hiding too much is the smaller fault.
      const inside = [keyOf(vault.folder), vault.real].map((folder) => pathWithin(folder, keyOf(path)));
      return inside.some((each) => each && (OF_VAULT.test(each) || vault.access.isHidden(each)));
    });
  return (absolute) => isHidden(absolute) || (existsSync(absolute) && isHidden(realOf(absolute)));
}

function keyOf(path: string): string {
  return comparable(path, { ignoreCase: true });
}

function realOf(path: string): string {
  try {
    return realPath(path);
  } catch {
    return path;
  }
}
