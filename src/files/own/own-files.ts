// The only module that creates the program's own folders and files: in its data,
// cache and configuration folders, private to their owner, whatever the umask and
// whatever an earlier release left there. Windows has no such modes: a profile's
// folders are private there.
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { operatingSystem } from "../../kernel/kernel.ts";
import { codeOf } from "../disk/system-errors.ts";
import type { Folders } from "./own-folders.ts";
import { createNew, openForAppending } from "../disk/open-file.ts";

const [FOLDER, FILE] = [0o700, 0o600];
const { hasModes } = operatingSystem();

/** Creates a folder and those above it, if missing. An existing one is not changed. */
export function makeOwnFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: FOLDER });
    } catch (error) {
      // Another process created it first.
      if (codeOf(error) === "EEXIST") continue;
      throw error;
    }
    // The umask may have removed what the owner needs.
    if (hasModes && modeOf(statSync(folder)) !== FOLDER) chmodSync(folder, FOLDER);
  }
}

/** Creates a folder in the system's temporary folder. */
export function makeOwnTemporaryFolder(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `commonplace-${what}-`));
  closeToOthers(folder);
  return folder;
}

/** Creates a file. The caller closes it. */
export function createOwnFile(path: string): number {
  return closed(createNew(path, FILE));
}

/** Opens a file to append to, created if missing. The caller closes it. */
export function openOwnFileForAppending(path: string): number {
  return closed(openForAppending(path, FILE));
}

function closed(file: number): number {
  try {
    if (hasModes && modeOf(fstatSync(file)) !== FILE) fchmodSync(file, FILE);
  } catch (error) {
    // It belongs to another user, who may let us write to it.
    if (codeOf(error) !== "EPERM") {
      closeSync(file);
      throw error;
    }
  }
  return file;
}

/** Creates and writes a file. @param isSynced waits until it is on the disk */
export function writeOwnFile(path: string, content: string | Uint8Array, isSynced = false): void {
  const file = createOwnFile(path);
  try {
    writeFileSync(file, content);
    if (isSynced) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a file private. Without opening it: closing it would drop this process's locks on it (POSIX). */
export function closeToOthers(path: string): void {
  if (!hasModes) return;
  const stats = statsAt(path);
  if (stats !== undefined) tighten(path, stats);
}

/** Undefined if nothing is there, or the folder cannot be read: whatever needs it reports that. */
function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The names of what this program stores in its folders, of all releases. */
const OWN_NAMES = {
  data: /^(?:journal|outlines|memory|backups|serving|vault|(?:conversations|token|device|outline\.opml|config\.json).*)$/,
  cache: /^(?:compiled|(?:notes|memory)-v.*)$/,
  config: /^config\.json$/,
};

/**
 * Makes our folders private: then others cannot reach what is below. A folder
 * that holds anything else, for example one named by `--home`, is not changed.
 */
export function tightenFolders(folders: Folders): void {
  for (const folder of ownFolders(folders)) closeToOthers(folder);
  // With --home, the folder of the config file is not ours.
  closeToOthers(folders.config);
}

/** Makes everything below them private, except the notes of the embedded vault, which are the user's. */
export async function tightenFiles({ data, cache, config }: Folders): Promise<void> {
  if (!hasModes) return;
  for (const folder of ownFolders({ data, cache, config })) await tightenBelow(folder, new Set([join(data, "vault")]));
}

function ownFolders({ data, cache, config }: Folders): string[] {
  if (!hasModes) return [];
  const named = [
    [data, OWN_NAMES.data],
    [cache, OWN_NAMES.cache],
    [dirname(config), OWN_NAMES.config],
  ] as const;
  return named.filter(([folder, names]) => holdsOnly(folder, names)).map(([folder]) => folder);
}

function holdsOnly(folder: string, names: RegExp): boolean {
  try {
    return readdirSync(folder).every((name) => names.test(name) || name === ".DS_Store");
  } catch {
    return false;
  }
}

async function tightenBelow(folder: string, but: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) continue;
    tighten(path, stats);
    if (stats.isDirectory() && !but.has(path)) await tightenBelow(path, but);
  }
}

/** Links are left to the user, hard links too, and files of another user to their owner. */
function tighten(path: string, stats: Stats): void {
  if (!stats.isDirectory() && (!stats.isFile() || stats.nlink > 1)) return;
  const mode = stats.isDirectory() ? FOLDER : FILE;
  if (modeOf(stats) === mode) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!/^(?:ENOENT|EPERM|EROFS|ENOTSUP)$/.test(codeOf(error))) throw error;
  }
}

function modeOf({ mode }: Stats): number {
  return mode & 0o777;
}
