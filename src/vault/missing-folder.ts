// The problem for a folder that does not exist: the sentence, with the name that
// may have been meant, or a call that lists what is there. Used by everything
// that works on a folder.
import { nameOf, parentOf, parseFolderPath, type EntryPath, type VaultPath } from "../files/files.ts";
import { nearest, Problem } from "../kernel/kernel.ts";
import type { Vault } from "./vault.ts";

export async function missingFolder(vault: Vault, sent: string): Promise<Problem> {
  const { above, near } = await meantFolder(vault, parseFolderPath(sent));
  return new Problem(
    "not_found",
    `Folder not found: ${sent}`,
    near === undefined ? howToList(above) : `Did you mean '${near}'? ${listing(near)}`,
  );
}

/** The nearest folder above that exists, and the one below it whose name may have been meant. */
export async function meantFolder(
  vault: Vault,
  path: EntryPath,
): Promise<{ readonly above: string; readonly near?: string }> {
  const above = await nearestAbove(vault, parentOf(path));
  // Every name of one or two letters is like every other.
  const isComparable = above === parentOf(path) && nameOf(path).length > 2;
  const near = isComparable ? nearest(nameOf(path), await foldersIn(vault, above)) : undefined;
  return near === undefined ? { above } : { above, near: below(above, near) };
}

export function howToList(folder: string): string {
  return `To see which folders there are: ${listing(folder || "/")}`;
}

function listing(path: string): string {
  return `vaultManager_listDirectory ${JSON.stringify({ path })}`;
}

function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

async function nearestAbove(vault: Vault, path: EntryPath): Promise<EntryPath> {
  return path === "" || (await kindOf(vault, path)) === "folder" ? path : await nearestAbove(vault, parentOf(path));
}

/** They are compared one by one. */
const MAX_NAMES = 1000;

async function foldersIn(vault: Vault, path: EntryPath): Promise<string[]> {
  return [...(await vault.root.list(path as VaultPath, { depth: 1 }))]
    .filter(({ kind }) => kind === "folder")
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** Undefined for what a link leads to outside the vault, so that nothing about it is revealed. */
async function kindOf({ root }: Vault, path: EntryPath) {
  try {
    return (await root.locate(path)).kind;
  } catch {
    return undefined;
  }
}
