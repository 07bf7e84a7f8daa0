// Turns a path that a caller sent into a file or folder of the vault, with errors
// that repeat it as sent. Used throughout vault/.
import {
  below,
  checkNewNames,
  type Content,
  InvalidPath,
  type Located,
  nameOf,
  outOfReach,
  parseFolderPath,
  parseNewPath,
  parseNotePath,
  parseVaultPath,
  type VaultPath,
} from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { dayNote, pathHint, type DayNote } from "../days/days.ts";
import type { Vault } from "../vault.ts";

/** Finds the file or folder at a path. An error repeats the path as it was sent. */
export async function locate({ root }: Vault, path: VaultPath, sent: string): Promise<Located> {
  return root.locate(path).catch((error) => rethrow(error, path, sent));
}

/** The content of the file at a path; undefined if there is none. */
export async function readLocated({ root }: Vault, path: VaultPath, sent: string): Promise<Content | undefined> {
  return (await root.readLocated(path).catch((error) => rethrow(error, path, sent))).content;
}

function rethrow(error: unknown, path: VaultPath, sent: string): never {
  throw error instanceof InvalidPath && error.path === path
    ? new Problem(error.code, `Invalid path: ${sent}`, error.hint)
    : error;
}

/** The same for a path that may be created. Throws for new names that Windows reads as another name: vaults are synced. */
export async function locateNew(vault: Vault, path: VaultPath, sent: string): Promise<Located> {
  const located = await locate(vault, path, sent);
  await checkNewNames(vault.root, path, sent);
  return located;
}

export interface DayPlace extends DayNote {
  readonly path: VaultPath;
  /** The settings hide it: readers do not find it, a write is refused by the journal, and its path is not named. */
  readonly isHidden: boolean;
}

/** The note that an address such as `daily:today` stands for; undefined for any other path. */
export async function dayAt(vault: Vault, sent: string): Promise<DayPlace | undefined> {
  const day = await dayNote(vault, sent, async (path) => isFileNamed(vault, path));
  if (day === undefined) return undefined;
  const isHidden = vault.root.isHidden(day.path);
  try {
    return { ...day, path: parseVaultPath(day.path), isHidden };
  } catch (error) {
    // Settings are anybody's text: what they name is refused by the same rules.
    if (!(error instanceof Problem)) throw error;
    if (isHidden) throw outOfReach();
    const sentence = error.code === "invalid" ? `Invalid path: ${sent}` : error.message;
    throw new Problem(error.code, sentence, pathHint(day));
  }
}

/** The path that the address of a day stands for; any other as it was sent, and that of a hidden day. */
export async function resolveDay(vault: Vault, sent: string): Promise<string> {
  const day = await dayAt(vault, sent);
  return day === undefined || day.isHidden ? sent : day.path;
}

async function isFileNamed(vault: Vault, sent: string): Promise<boolean> {
  try {
    for (const path of [parseVaultPath(sent), parseNotePath(sent)])
      if ((await vault.root.locate(path)).kind === "file") return true;
  } catch {
    // It cannot be the path of a file.
  }
  return false;
}

/** The path of a note that may not exist yet. */
export async function notePath(vault: Vault, sent: string): Promise<VaultPath> {
  return (await dayAt(vault, sent))?.path ?? parseNotePath(sent);
}

/**
 * The new path of a file: without an extension, it gets that of the file. A path that ends in a slash, or has the name
 * of a folder and not of the file, is the folder that the file is put into.
 */
export async function newPathFor(vault: Vault, sent: string, of: VaultPath): Promise<VaultPath> {
  const day = await dayAt(vault, sent);
  if (day !== undefined) return day.path;
  const folder = await folderMeant(vault, sent, of);
  return folder === undefined ? parseNewPath(sent, of) : parseVaultPath(below(folder, nameOf(of)));
}

async function folderMeant(vault: Vault, sent: string, of: VaultPath): Promise<VaultPath | undefined> {
  if (/^\.?\/?$|[^/]\/$/.test(sent) && sent !== "") return parseFolderPath(sent);
  const path = parseVaultPath(sent);
  const hasExtension = parseNewPath(sent, of) === path;
  // "Projects/Atlas" for Atlas.md is the note beside the folder of its name.
  if (hasExtension || nameOf(of).startsWith(`${nameOf(path)}.`)) return undefined;
  return (await locate(vault, path, sent)).kind === "folder" ? path : undefined;
}

/**
 * The path of an existing note: as it was sent if a file has exactly that name
 * (LICENSE, a.excalidraw), else with the extension of a note.
 */
export async function existingNotePath(vault: Vault, sent: string): Promise<VaultPath> {
  const day = await dayAt(vault, sent);
  if (day !== undefined) return day.path;
  const note = parseNotePath(sent);
  const exact = parseVaultPath(sent);
  return exact !== note && (await locate(vault, exact, sent)).kind === "file" ? exact : note;
}
