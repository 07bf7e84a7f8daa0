// The places that may hold outlines: the configured file, the vault, and the configured
// folders. outlines.ts resolves every path here, so nothing else can be reached,
// whatever the spelling and whatever links there are.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import {
  comparable,
  type EntryPath,
  folderFiles,
  identityAt,
  nameOf,
  openVaultRoot,
  parseVaultPath,
  realPath,
  type StoredFiles,
  type VaultPath,
  visibleFiles,
} from "../files/files.ts";
import type { FileStore } from "../journal/journal.ts";
import { expandHome, operatingSystem, pathWithin, Problem } from "../kernel/kernel.ts";

export interface OutlineSettings {
  /** The configured file; undefined if the application is configured instead. */
  readonly file: string | undefined;
  /** Folders whose outlines may be opened. */
  readonly folders: readonly string[];
  /** The default first. */
  readonly vaults: readonly OutlineVault[];
  /** Returns whether the settings hide a file in a vault, which may be in one of the folders; undefined if they hide nothing. */
  readonly isHiddenFile?: ((absolute: string) => boolean) | undefined;
}

/** A vault, whose notes and documents may be opened as outlines. */
export interface OutlineVault {
  /** As configured; the folder may be missing. */
  readonly folder: string;
  /** True if its files are in a shared store, and nothing is at the folder's path. */
  readonly isStored?: boolean;
  readonly open: () => Promise<FileStore>;
}

/** The location of a document that exists or is about to be created. */
export interface Location {
  /** The real path, which identifies the document. */
  readonly real: string;
  /** The path in the settings, if it differs from the real one. */
  readonly named?: string;
  /** Undefined if it is outside the vault. */
  readonly vault: FileStore | undefined;
  /** Relative to the vault, or to the folder that contains it. */
  readonly path: VaultPath;
}

/** A folder whose outlines may be opened. */
export interface OutlineFolder {
  readonly root: StoredFiles;
  /** "vault": the default vault, whose paths need no folder. */
  readonly kind: "vault" | "folder";
  /** Undefined if it is no vault. */
  readonly store?: FileStore;
  /** The absolute paths by which callers may refer to it: none of a shared store, which is at no path. */
  readonly names: readonly string[];
}

/** The configured file; undefined if it does not exist. */
export async function locateConfigured(settings: OutlineSettings): Promise<Location | undefined> {
  const { file } = settings;
  if (file === undefined || !existsSync(file)) return undefined;
  return { ...(await locationOf(settings, realPath(file))), named: file };
}

/**
 * The document at a path. Throws if the path is not allowed or nothing is there.
 * @param within the vault that a relative path is in, if it may be in no other vault
 */
export async function locateDocument(
  settings: OutlineSettings,
  requested: string,
  within?: FileStore,
): Promise<Location> {
  if (isConfigured(settings, requested))
    return (
      (await locateConfigured(settings)) ?? (await throwNoDocument(settings, `There is no outline at ${requested}`))
    );
  for (const { folder, path } of await candidatesFor(settings, requested, within)) {
    const found = await findExisting(folder.root, path);
    if (found !== undefined) return locationOf(settings, join(folder.root.folder, found));
  }
  return throwNoDocument(settings, `There is no outline at ${requested}`);
}

/** The location for a new document. Its folder must exist, except in the vault, which creates it. */
export async function locateNew(settings: OutlineSettings, requested: string): Promise<Location> {
  if (isConfigured(settings, requested))
    return newDocumentIn(settings, dirname(withoutTilde(requested)), basename(requested), requested);
  // Relative paths are in the default vault: while it cannot be opened, nobody would look for it in the next one.
  if (!isAbsolute(withoutTilde(requested))) await settings.vaults[0]?.open();
  const [candidate] = await candidatesFor(settings, requested);
  if (candidate === undefined) throw denied(requested);
  const { folder, path } = candidate;
  if (folder.store !== undefined) return { real: (await folder.root.locate(path)).absolute, vault: folder.store, path };
  return newDocumentIn(settings, dirname((await folder.root.locate(path)).absolute), nameOf(path), requested);
}

function newDocumentIn(settings: OutlineSettings, folder: string, name: string, requested: string): Promise<Location> {
  if (existsSync(folder)) return locationOf(settings, join(realPath(folder), name));
  throw new Problem("invalid", `There is no folder for ${requested}`, "Choose an existing folder.");
}

/** The vaults and the configured folders, without those that do not exist. */
export async function existingFolders({ vaults, folders, isHiddenFile }: OutlineSettings): Promise<OutlineFolder[]> {
  const opened = vaults.map(async ({ folder, open }, i): Promise<OutlineFolder[]> => {
    const store = await open().catch(() => undefined);
    if (store === undefined) return [];
    const { root } = store;
    const names = store.sidecars === undefined ? [root.folder, folder] : [];
    return [{ root, kind: i === 0 ? "vault" : "folder", store, names }];
  });
  const configured = folders.filter(existsSync).map((folder): OutlineFolder => {
    const root = openVaultRoot(folder);
    const isHidden = (path: string) => isHiddenFile?.(join(root.folder, path)) === true;
    const shown = visibleFiles(folderFiles(root), { hides: isHiddenFile !== undefined, isHidden });
    return { root: shown, kind: "folder", names: [root.folder, folder] };
  });
  return [...(await Promise.all(opened)).flat(), ...configured];
}

export async function locationOf(settings: OutlineSettings, real: string): Promise<Location> {
  const inVault = await pathInVault(settings, real);
  if (inVault !== undefined) return { real, ...inVault };
  return { real, vault: undefined, path: parseVaultPath(basename(real)) };
}

/** Undefined for hidden paths too: the vault never touches those. */
async function pathInVault(
  settings: OutlineSettings,
  real: string,
): Promise<{ readonly vault: FileStore; readonly path: VaultPath } | undefined> {
  for (const { folder, open, isStored = false } of settings.vaults) {
    const place = isStored ? folder : existsSync(folder) ? realPath(folder) : undefined;
    const inside = place === undefined ? undefined : relativeWithin(place, real);
    if (inside === undefined || /(?:^|\/)\./.test(inside)) continue;
    return { vault: await open(), path: parseVaultPath(inside) };
  }
  return undefined;
}

/** Ignores case if that names the same file: always on Windows, elsewhere if the file system does. */
function isConfigured({ file }: OutlineSettings, requested: string): boolean {
  if (file === undefined || !isAbsolute(withoutTilde(requested))) return false;
  const path = resolve(withoutTilde(requested));
  if (path === file) return true;
  if (comparable(path, { ignoreCase: true }) !== comparable(file, { ignoreCase: true })) return false;
  return operatingSystem().caseOfNames === "ignored" || (existsSync(file) && identityAt(path) === identityAt(file));
}

/** The documents that a path may refer to: in each folder for a relative one. Throws for an absolute path in none of them. */
async function candidatesFor(
  settings: OutlineSettings,
  requested: string,
  within?: FileStore,
): Promise<{ folder: OutlineFolder; path: VaultPath }[]> {
  const folders = await existingFolders(settings);
  const stored = folders.flatMap((folder) => {
    const inside = pathInSpace(folder, requested);
    return inside === undefined ? [] : [{ folder, path: parseVaultPath(inside) }];
  });
  if (stored.length > 0) return stored;
  const path = withoutTilde(requested);
  if (!isAbsolute(path))
    return folders
      .filter(({ store }) => within === undefined || store === undefined || store === within)
      .map((folder) => ({ folder, path: parseVaultPath(path) }));
  const absolute = folders.flatMap((folder) => {
    const inside = folder.names.map((name) => relativeWithin(name, resolve(path))).find((found) => found !== undefined);
    return inside === undefined ? [] : [{ folder, path: parseVaultPath(inside) }];
  });
  if (absolute.length > 0) return absolute;
  // A vault path may begin with a slash: it is one if it exists.
  const inVault: OutlineFolder[] = [];
  for (const folder of folders)
    if (folder.store !== undefined && (await existsIn(folder.root, requested))) inVault.push(folder);
  if (inVault.length === 0) throw denied(requested);
  return inVault.map((folder) => ({ folder, path: parseVaultPath(requested) }));
}

/** `store:SPACE/path`, as results name it. */
function pathInSpace({ store }: OutlineFolder, requested: string): string | undefined {
  const above = store?.sidecars?.subjectOf("" as VaultPath);
  return above !== undefined && requested.startsWith(above) ? requested.slice(above.length) : undefined;
}

async function existsIn(root: StoredFiles, requested: string): Promise<boolean> {
  try {
    return (await findExisting(root, parseVaultPath(requested))) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the entry at a path, as it is or with `.md` appended. */
async function findExisting(root: StoredFiles, path: VaultPath): Promise<EntryPath | undefined> {
  for (const spelling of [path, `${path}.md` as VaultPath]) {
    const { kind, path: at, target } = await root.locate(spelling);
    if (kind !== "absent") return target ?? at;
  }
  return undefined;
}

/** The path relative to a folder; undefined if it is not below the folder. */
function relativeWithin(folder: string, path: string): EntryPath | undefined {
  return (pathWithin(folder, path) || undefined) as EntryPath | undefined;
}

function withoutTilde(requested: string): string {
  if (requested.trim() === "" || requested.includes("\0")) throw new Problem("invalid", "path must not be empty");
  return expandHome(requested, homedir());
}

function denied(requested: string): Problem {
  return new Problem(
    "denied",
    `Access denied: ${requested}`,
    "open_document without a path lists what can be opened; the setting outlineFolders allows more folders.",
  );
}

/** Says which vault cannot be opened, too: the document may be in it. */
export async function throwNoDocument({ vaults }: OutlineSettings, sentence: string): Promise<never> {
  const opened = await Promise.allSettled(vaults.map(({ open }) => open()));
  const reasons = opened.map((each) => (each.status === "rejected" ? (each.reason as unknown) : undefined));
  const closed = reasons.find((reason) => reason instanceof Problem);
  throw new Problem(
    "no_document",
    closed === undefined ? sentence : `${sentence.replace(/\.$/, "")}. ${closed.message}`,
    closed?.hint ?? "open_document without a path lists what can be opened.",
  );
}
