// Where outlines may be: the configured file, the vault, and the folders that
// the settings name. Everything that opens or makes a document by its path goes
// through here; nothing else can be reached, through any spelling or link.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  comparable,
  type EntryPath,
  identityAt,
  nameOf,
  openVaultRoot,
  parseVaultPath,
  realPath,
  type VaultPath,
  type VaultRoot,
} from "../files/files.ts";
import type { Journal } from "../journal/journal.ts";
import { Problem } from "../kernel/kernel.ts";

/** What this room needs of the vault: documents in it are changed by the vault's rules. */
export interface VaultDoor {
  readonly root: VaultRoot;
  readonly journal: Journal;
}

export interface Places {
  /** The configured file; undefined where the application is configured. */
  readonly file: string | undefined;
  /** Folders whose outlines may be opened. */
  readonly folders: readonly string[];
  /** As it is configured; it may be missing. */
  readonly vaultFolder: string;
  readonly vault: () => Promise<VaultDoor>;
}

/** A document, there or yet to be made. */
export interface Location {
  /** Its real path, by which it is known. */
  readonly real: string;
  /** As the settings name it, where that is another path. */
  readonly named?: string;
  /** Undefined where it lies outside of the vault. */
  readonly door: VaultDoor | undefined;
  /** In the vault, or in the folder that holds it. */
  readonly path: VaultPath;
}

/** One of the folders that may be reached into, under the names by which it is called. */
export interface Place {
  readonly root: VaultRoot;
  readonly kind: "vault" | "folder";
  readonly names: readonly string[];
}

/** The configured file; undefined where there is nothing. */
export async function locateConfigured(places: Places): Promise<Location | undefined> {
  const { file } = places;
  if (file === undefined || !existsSync(file)) return undefined;
  return { ...(await locationOf(places, realPath(file))), named: file };
}

/** The document that a path means. Refuses what is not allowed, and what is not there. */
export async function locateDocument(places: Places, sent: string): Promise<Location> {
  if (isConfigured(places, sent)) return (await locateConfigured(places)) ?? absent(sent);
  for (const { place, path } of await meantBy(places, sent)) {
    const found = existing(place.root, path);
    if (found !== undefined) return locationOf(places, join(place.root.folder, found));
  }
  return absent(sent);
}

/** Where a new document goes. Its folder has to be there, but in the vault, which makes it. */
export async function locateNew(places: Places, sent: string): Promise<Location> {
  if (isConfigured(places, sent)) return newBelow(places, dirname(expanded(sent)), basename(sent), sent);
  const [meant] = await meantBy(places, sent);
  if (meant === undefined) throw denied(sent);
  const { place, path } = meant;
  if (place.kind === "vault") return { real: place.root.locate(path).absolute, door: await places.vault(), path };
  return newBelow(places, dirname(place.root.locate(path).absolute), nameOf(path), sent);
}

function newBelow(places: Places, folder: string, name: string, sent: string): Promise<Location> {
  if (existsSync(folder)) return locationOf(places, join(realPath(folder), name));
  throw new Problem("invalid", `There is no folder for ${sent}`, "Choose one that is there.");
}

/** The vault and the folders, those of them that are there. */
export async function placesThere(places: Places): Promise<Place[]> {
  const vault = await places.vault().then(
    ({ root }): Place[] => [{ root, kind: "vault", names: [root.folder, places.vaultFolder] }],
    () => [],
  );
  const folders = places.folders.filter(existsSync).map((folder): Place => {
    const root = openVaultRoot(folder);
    return { root, kind: "folder", names: [root.folder, folder] };
  });
  return [...vault, ...folders];
}

export async function locationOf(places: Places, real: string): Promise<Location> {
  const inVault = await pathInVault(places, real);
  if (inVault !== undefined) return { real, ...inVault };
  return { real, door: undefined, path: parseVaultPath(basename(real)) };
}

/** Undefined also for what the vault hides: nothing of the vault ever touches it. */
async function pathInVault(
  places: Places,
  real: string,
): Promise<{ readonly door: VaultDoor; readonly path: VaultPath } | undefined> {
  if (!existsSync(places.vaultFolder)) return undefined;
  const inside = insideOf(realPath(places.vaultFolder), real);
  if (inside === undefined || /(?:^|\/)\./.test(inside)) return undefined;
  return { door: await places.vault(), path: parseVaultPath(inside) };
}

/** In any case that means the same file: on Windows always, elsewhere where the disk says so. */
function isConfigured({ file }: Places, sent: string): boolean {
  if (file === undefined || !isAbsolute(expanded(sent))) return false;
  const path = resolve(expanded(sent));
  if (path === file) return true;
  if (comparable(path, { ignoreCase: true }) !== comparable(file, { ignoreCase: true })) return false;
  return process.platform === "win32" || (existsSync(file) && identityAt(path) === identityAt(file));
}

/** What a path may mean, place by place. An absolute one means one place, and is refused where it lies in none. */
async function meantBy(places: Places, sent: string): Promise<{ place: Place; path: VaultPath }[]> {
  const there = await placesThere(places);
  const path = expanded(sent);
  if (!isAbsolute(path)) return there.map((place) => ({ place, path: parseVaultPath(path) }));
  const within = there.flatMap((place) => {
    const inside = place.names.map((name) => insideOf(name, resolve(path))).find((found) => found !== undefined);
    return inside === undefined ? [] : [{ place, path: parseVaultPath(inside) }];
  });
  if (within.length > 0) return within;
  // Paths of the vault may begin with a slash; only what is there shows that one was meant.
  const inVault = there.filter(({ kind, root }) => kind === "vault" && isThere(root, sent));
  if (inVault.length === 0) throw denied(sent);
  return inVault.map((place) => ({ place, path: parseVaultPath(sent) }));
}

function isThere(root: VaultRoot, sent: string): boolean {
  try {
    return existing(root, parseVaultPath(sent)) !== undefined;
  } catch {
    return false;
  }
}

/** Where a path leads, as it is or with the extension of a note; undefined where to nothing. */
function existing(root: VaultRoot, path: VaultPath): EntryPath | undefined {
  for (const spelling of [path, `${path}.md` as VaultPath]) {
    const { kind, path: at, target } = root.locate(spelling);
    if (kind !== "absent") return target ?? at;
  }
  return undefined;
}

/** The path below a folder, with slashes; undefined for what is not below it. */
function insideOf(folder: string, path: string): EntryPath | undefined {
  const inside = relative(folder, path);
  if (inside === "" || isAbsolute(inside) || inside.split(sep)[0] === "..") return undefined;
  return inside.split(sep).join("/") as EntryPath;
}

function expanded(sent: string): string {
  if (sent.trim() === "" || sent.includes("\0")) throw new Problem("invalid", "path must not be empty");
  return /^~(?=$|[/\\])/.test(sent) ? join(homedir(), sent.slice(1)) : sent;
}

function denied(sent: string): Problem {
  return new Problem(
    "denied",
    `Access denied: ${sent}`,
    "open_document without a path lists what can be opened; the setting outlineFolders allows more folders.",
  );
}

function absent(sent: string): never {
  throw new Problem(
    "no_document",
    `There is no outline at ${sent}`,
    "open_document without a path lists what can be opened.",
  );
}
