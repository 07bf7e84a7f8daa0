// Real paths: resolves them in the spelling of the disk, and opens files at a
// real path without following links. Used wherever real paths are compared.
//
// Very deep folders: the C library resolves each folder of a path with the whole
// path up to it. At 900 folders that takes 20 ms each time, and would keep a
// vault locked for minutes.
//
// RAM drives and other virtual disks on Windows: the system cannot resolve their
// paths, and returns an error even for what exists.
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
import { basename, dirname, join, normalize, parse, sep } from "node:path";
import { operatingSystem } from "../../kernel/kernel.ts";
import { isSameFile } from "./file-identity.ts";
import { openedAt, openFolder, openForReading, readOpened } from "./open-file.ts";
import { codeOf } from "./system-errors.ts";
import { comparable } from "../vault/vault-path.ts";

/** From this depth on, resolving through an open folder is faster. */
const DEEP = 40;

/** Throws the system's error if nothing is there. */
export function realPath(path: string): string {
  const isDeep = operatingSystem().hasProc && path.split(sep, DEEP).length === DEEP;
  const opened = isDeep ? openedPath(path) : undefined;
  if (opened !== undefined) return opened;
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" && !isThere(path)) throw error;
    return asListed(realpathSync(path));
  }
}

/** Returns whether no link is in a path, which may have either slash of Windows between its names. */
function isReal(path: string): boolean {
  return realPath(path) === normalize(path);
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
    // Not a folder, or no permission to read it: the C library returns the proper error.
    return undefined;
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** How often to reopen a file that another program replaces at the same time. */
const MAX_ATTEMPTS = 20;

/** Milliseconds. Disks store times in steps of up to two seconds: two writes within one may have the same time. */
const GRAIN = 3_000;

interface RealContent {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
  /** True if a write after this read might leave the stats unchanged. */
  readonly isYoung: boolean;
}

/**
 * The content of the file at a real path, with its stats from before the read.
 * Throws FileTooLarge if it has more bytes than that, and ELOOP if a link is in
 * the path by now: nothing swapped after a listing can lead elsewhere.
 */
export function readReal(path: string, most?: number): RealContent {
  const { file, stats, isYoung } = openReal(path);
  try {
    return { bytes: readOpened(file, path, most), stats, isYoung };
  } finally {
    closeSync(file);
  }
}

/** Opens the file at a real path; the caller closes it. Throws as `readReal` does. */
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
    if (attempt === MAX_ATTEMPTS) throw Object.assign(new Error(`EBUSY: '${path}'`), { code: "EBUSY" });
  }
}

/** Lists the folder at a real path, through a path that keeps meaning that folder. Throws ELOOP if a link is in the path by now. */
export function listReal<T>(path: string, list: (path: string) => T): T {
  const folder = openIfReadable(path);
  try {
    const isThere = folder === undefined ? undefined : isOpenedAt(folder, path);
    if (isThere === false) throw elsewhere(path);
    if (isThere === true) return list(`/proc/self/fd/${folder}`);
    const listed = list(path);
    if (!isReal(path)) throw elsewhere(path);
    return listed;
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** Undefined on Windows, which cannot open folders, and for a folder that may be written but not read. */
function openIfReadable(path: string): number | undefined {
  if (!operatingSystem().opensFolders) return undefined;
  try {
    return openFolder(path);
  } catch (error) {
    if (/^(?:EACCES|EPERM)$/.test(codeOf(error))) return undefined;
    throw error;
  }
}

/** Changes something in the folder at a real path, through a path that keeps meaning that folder. Throws ELOOP, before any change, if a link is in the path. */
export function changeInReal<T>(folder: string, change: (folder: string) => T): T {
  if (!isReal(folder)) throw elsewhere(folder);
  return listReal(folder, change);
}

/**
 * Creates a folder in a folder at a real path. Throws ELOOP if a link is in that path; nothing is left behind the link.
 * @returns false if the name exists already
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

/** Only Linux knows the path of an open file. Elsewhere the path is resolved again, and must mean the same file. */
function isAt(file: number, path: string, stats: BigIntStats): boolean {
  const isThere = isOpenedAt(file, path);
  if (isThere !== undefined) return isThere;
  if (!isReal(dirname(path))) return false;
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && isSameFile(there, stats);
}

/** Returns whether an open file or folder is the one at this real path; undefined if the system does not know, or it is gone. */
export function isOpenedAt(file: number, path: string): boolean | undefined {
  const at = openedAt(file);
  if (at === undefined) return undefined;
  // A disk that ignores case may return the name in the requested case.
  return at === path || comparable(at, { ignoreCase: true }) === comparable(path, { ignoreCase: true });
}

function elsewhere(path: string): Error {
  return Object.assign(new Error(`ELOOP: a link leads elsewhere, '${path}'`), { code: "ELOOP" });
}
