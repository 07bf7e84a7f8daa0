// The one place where folders and files of this program's own are made: in its
// data, cache and configuration folders, for their owner alone, whatever the
// umask says and whatever an earlier release left there. Windows has no such
// modes: a profile's folders are closed to others there.
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
import { codeOf } from "../disk/system-errors.ts";
import type { Folders } from "./own-folders.ts";
import { createNew, openForAppending } from "../disk/open-file.ts";

const [FOLDER, FILE] = [0o700, 0o600];
const hasModes = process.platform !== "win32";

/** Makes a folder of ours where it is missing, and those above it. One that is there is not changed. */
export function makeOwnFolder(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: FOLDER });
    } catch (error) {
      // Another process was first.
      if (codeOf(error) === "EEXIST") continue;
      throw error;
    }
    // The umask may have taken away what its owner needs.
    if (hasModes && modeOf(statSync(folder)) !== FOLDER) chmodSync(folder, FOLDER);
  }
}

/** A new folder among the system's temporary ones. */
export function makeOwnTemporaryFolder(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `commonplace-${what}-`));
  closeToOthers(folder);
  return folder;
}

/** A new file of ours. The caller closes it. */
export function createOwnFile(path: string): number {
  return closed(createNew(path, FILE));
}

/** A file of ours to append to, made where it is missing. The caller closes it. */
export function openOwnFileForAppending(path: string): number {
  return closed(openForAppending(path, FILE));
}

function closed(file: number): number {
  try {
    if (hasModes && modeOf(fstatSync(file)) !== FILE) fchmodSync(file, FILE);
  } catch (error) {
    // Of another user, who may let us write to it.
    if (codeOf(error) !== "EPERM") {
      closeSync(file);
      throw error;
    }
  }
  return file;
}

/** Writes a new file of ours. @param isSynced waits until it is on the disk */
export function writeOwnFile(path: string, content: string | Uint8Array, isSynced = false): void {
  const file = createOwnFile(path);
  try {
    writeFileSync(file, content);
    if (isSynced) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Closes a file of ours to others. It is not opened: that would end the locks which this process has on it (POSIX). */
export function closeToOthers(path: string): void {
  if (!hasModes) return;
  const stats = statsAt(path);
  if (stats !== undefined) tighten(path, stats);
}

/** Undefined where nothing is there, or nothing can be: whatever needs the folder says so. */
function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What this program keeps in its folders, by the names that every release gave. */
const OWN_NAMES = {
  data: /^(?:journal|outlines|memory|backups|serving|vault|(?:conversations|token|device|outline\.opml|config\.json).*)$/,
  cache: /^(?:compiled|(?:notes|memory)-v.*)$/,
  config: /^config\.json$/,
};

/**
 * Our folders on their own: others cannot pass them, whatever is below. A
 * folder that holds something else too, as where `--home` names one of
 * another's, is left as it is.
 */
export function tightenFolders(folders: Folders): void {
  for (const folder of ownFolders(folders)) closeToOthers(folder);
  // With --home, the folder of the config file is not ours.
  closeToOthers(folders.config);
}

/** All that is below them. The notes of the embedded vault are the user's. */
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

/** A link is the user's own arrangement, and what another user owns is not ours to change. */
function tighten(path: string, stats: Stats): void {
  if (!stats.isDirectory() && !stats.isFile()) return;
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
