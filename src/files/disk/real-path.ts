// Real paths: that of an entry, as its disk spells it, and what is opened at its
// real path and nowhere else. Everything that compares real paths asks here.
//
// Very deep folders: the C library asks about each folder of a path with the
// whole path up to it. At 900 folders that takes 20 ms a time, for which a vault
// would be locked by the minute.
//
// Disks that Windows does not know the path of (RAM drives and other virtual
// ones): the system's own answer is an error, also for what is there.
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  type BigIntStats,
} from "node:fs";
import { basename, dirname, join, parse, sep } from "node:path";
import { isSameFile } from "./file-identity.ts";
import { openedAt, openFolder, openForReading, readOpened } from "./open-file.ts";
import { codeOf } from "./system-errors.ts";
import { comparable } from "../vault/vault-path.ts";

/** From so many folders on, the other way is faster. */
const DEEP = 40;

/** Throws what the system says where nothing is there. */
export function realPath(path: string): string {
  const isDeep = process.platform === "linux" && path.split(sep, DEEP).length === DEEP;
  const opened = isDeep ? openedPath(path) : undefined;
  if (opened !== undefined) return opened;
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" && !isThere(path)) throw error;
    return asListed(realpathSync(path));
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The path with each name as its folder lists it: Node's own real path keeps the case that it was asked with. */
function asListed(path: string): string {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep).filter(Boolean);
  return names.reduce((folder, name) => join(folder, listedName(folder, name)), root.replace(/^[a-z]:/, toUpperCase));
}

function listedName(folder: string, name: string): string {
  let listed: string[] = [];
  try {
    listed = readdirSync(folder);
  } catch {
    // A folder that may be passed through but not listed.
  }
  if (listed.includes(name)) return name;
  const key = comparable(name, { ignoreCase: true });
  return listed.find((other) => comparable(other, { ignoreCase: true }) === key) ?? name;
}

function toUpperCase(text: string): string {
  return text.toUpperCase();
}

function openedPath(path: string): string | undefined {
  let folder: number | undefined;
  try {
    folder = openFolder(path, { followsLinks: true });
    return openedAt(folder);
  } catch {
    // No folder, or no right to read it: the C library has the proper answer.
    return undefined;
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** How often a file is opened again that another program replaced just then. */
const MOST_ATTEMPTS = 20;

/** Disks keep times in steps of up to two seconds: what is written within one need not show in them. */
const GRAIN = 3_000;

interface RealContent {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
  /** Whether a write after this reading might leave the stats as they are. */
  readonly isYoung: boolean;
}

/**
 * The content of the file at a real path, with its stats from before the
 * reading. Throws FileTooLarge where it has more bytes than that, and ELOOP where a link is in the path by now: nothing that is
 * swapped between a listing and this call leads elsewhere.
 */
export function readReal(path: string, most?: number): RealContent {
  const { file, stats, isYoung } = openReal(path);
  try {
    return { bytes: readOpened(file, path, most), stats, isYoung };
  } finally {
    closeSync(file);
  }
}

/** The file at a real path, open, and its stats. The caller closes it. Throws as `readReal` does. */
export function openReal(path: string): Omit<RealContent, "bytes"> & { readonly file: number } {
  for (let attempt = 1; ; attempt++) {
    const now = Date.now();
    const file = openForReading(path);
    let isOurs = false;
    try {
      const stats = fstatSync(file, { bigint: true });
      isOurs = isAt(file, path, stats);
      if (isOurs) return { file, stats, isYoung: now - Number(stats.ctimeMs) < GRAIN };
      const isReplaced = fstatSync(file).nlink === 0;
      if (!isReplaced) throw elsewhere(path);
    } finally {
      if (!isOurs) closeSync(file);
    }
    if (attempt === MOST_ATTEMPTS) throw Object.assign(new Error(`EBUSY: '${path}'`), { code: "EBUSY" });
  }
}

/** Lists the folder at a real path, under a path that stays that folder. Throws ELOOP where a link is in the path by now. */
export function listReal<T>(path: string, list: (path: string) => T): T {
  const folder = openIfReadable(path);
  try {
    const isThere = folder === undefined ? undefined : isOpenedAt(folder, path);
    if (isThere === false) throw elsewhere(path);
    if (isThere === true) return list(`/proc/self/fd/${folder}`);
    const listed = list(path);
    if (realPath(path) !== path) throw elsewhere(path);
    return listed;
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** Undefined on Windows, which opens no folders, and for a folder that may be written but not read. */
function openIfReadable(path: string): number | undefined {
  if (process.platform === "win32") return undefined;
  try {
    return openFolder(path);
  } catch (error) {
    if (/^(?:EACCES|EPERM)$/.test(codeOf(error))) return undefined;
    throw error;
  }
}

/** Changes something in the folder at a real path, by a path that stays that folder. Throws ELOOP before that where a link is in the path. */
export function changeInReal<T>(folder: string, change: (folder: string) => T): T {
  if (realPath(folder) !== folder) throw elsewhere(folder);
  return listReal(folder, change);
}

/**
 * Makes a folder in one at a real path. Throws ELOOP where a link is in that path; nothing is left behind the link.
 * @returns false where something of that name is there already
 */
export function makeInReal(path: string, mode: number): boolean {
  let made: string | undefined;
  try {
    changeInReal(dirname(path), (folder) => {
      const at = join(folder, basename(path));
      mkdirSync(at, { mode });
      made = at;
    });
    return true;
  } catch (error) {
    if (made !== undefined) rmdirSync(made);
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Only Linux knows where an open file is. Elsewhere the path is asked again, and must mean the same file. */
function isAt(file: number, path: string, stats: BigIntStats): boolean {
  const isThere = isOpenedAt(file, path);
  if (isThere !== undefined) return isThere;
  if (realPath(dirname(path)) !== dirname(path)) return false;
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && isSameFile(there, stats);
}

/** Whether what is open is what really is at this path; undefined where the system does not know, or it is gone. */
export function isOpenedAt(file: number, path: string): boolean | undefined {
  const at = openedAt(file);
  if (at === undefined) return undefined;
  // A disk that ignores case may name a file as it was asked for.
  return at === path || comparable(at, { ignoreCase: true }) === comparable(path, { ignoreCase: true });
}

function elsewhere(path: string): Error {
  return Object.assign(new Error(`ELOOP: a link leads elsewhere, '${path}'`), { code: "ELOOP" });
}
