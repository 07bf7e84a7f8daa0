// Writes whole files atomically: a reader sees the old bytes or the new ones,
// never a part, and what was reported as done survives a power failure. Used by
// the journal for everything in a vault, and by the rooms with files of their
// own. Where the system copies extended attributes with a file (macOS), a file that is
// replaced keeps them; Node has no way to read or set them elsewhere.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
} from "node:fs";
import { basename } from "node:path";
import { AlreadyExists, nodeCrypto, operatingSystem, type Problem } from "../../kernel/kernel.ts";
import { isSameFile } from "./file-identity.ts";
import { cloneTo, createNew, openEmptied, openFolder } from "./open-file.ts";
import { asProblem, attempt, codeOf } from "./system-errors.ts";
import { sync, syncTogether } from "./sync.ts";
import { isTemporaryName } from "../vault/vault-path.ts";

/** How many files to open at a time: some systems allow a process 256. */
export const AT_ONCE = 32;

/**
 * Identifies content in reads, expectations and the journal: the first half of
 * its SHA-256. A model passes it from a read to a write, and 128 bits suffice.
 */
export function contentHash(bytes: Uint8Array): string {
  return nodeCrypto().hash("sha256", bytes, "hex").slice(0, 32);
}

/** The same for content in pieces. */
export function contentHashOf(pieces: Iterable<Uint8Array>): string {
  const whole = nodeCrypto().createHash("sha256");
  for (const piece of pieces) whole.update(piece);
  return whole.digest("hex").slice(0, 32);
}

/** A unique name that note programs do not show, and that `isTemporaryName` recognises. */
export function temporaryName(): string {
  return `.commonplace-${nodeCrypto().randomBytes(6).toString("hex")}.tmp`;
}

/** Replaces a file's content; its mode is kept. The caller syncs the folders. */
export async function replaceFile(path: string, bytes: Uint8Array, temporary: string): Promise<void> {
  checkWritable(path);
  await writeTemporary(temporary, bytes, { path, like: statSync(path, { bigint: true }), original: () => path });
  try {
    await putInPlace(temporary, path);
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

/** The caller syncs the folder. */
export async function removeFile(path: string): Promise<void> {
  await attempt([path], () => unlinkSync(path));
}

/** Throws if a file may not be written: the rename that replaces it would not check. */
export function checkWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw asProblem(error, path);
  }
}

interface Destination {
  readonly path: string;
  /** The file that is replaced. */
  readonly like?: BigIntStats | undefined;
  /** Its path, for what a copy of it has besides its content. */
  readonly original?: (() => string) | undefined;
  /** For a file without `like`; subject to the umask. */
  readonly mode?: number;
  /** True if it is the only file that is written now. */
  readonly isOne?: boolean;
}

/**
 * Writes and syncs a new file, to be put in place at `path` afterwards. The
 * write is synchronous; only the wait for the disk is not.
 */
export async function writeTemporary(
  temporary: string,
  bytes: Uint8Array,
  { path, like, original, mode = 0o666, isOne = true }: Destination,
): Promise<void> {
  let file: number | undefined;
  try {
    file = openCopy(temporary, original) ?? createNew(temporary, like === undefined ? mode : modeOf(like));
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    if (like !== undefined) copyAttributes(file, like);
    await (isOne ? sync(file) : syncTogether(file));
    closeSync(file);
    file = undefined;
  } catch (error) {
    if (file !== undefined) {
      closeSync(file);
      discard(temporary);
    }
    throw asProblem(error, path);
  }
}

/** An empty file with the attributes of another; undefined where the system does not copy them. */
function openCopy(temporary: string, original: (() => string) | undefined): number | undefined {
  if (original === undefined || !operatingSystem().copiesAttributes) return undefined;
  try {
    cloneTo(original(), temporary);
  } catch {
    // The content matters more. Whatever is in the way is reported by the creation.
    return undefined;
  }
  try {
    return openEmptied(temporary);
  } catch {
    discard(temporary);
    return undefined;
  }
}

function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & 0o777;
}

function copyAttributes(file: number, like: BigIntStats): void {
  const { hasModes, datesBirthByChange } = operatingSystem();
  if (!hasModes) return;
  fchmodSync(file, modeOf(like));
  const [owner, group] = [Number(like.uid), Number(like.gid)];
  if (owner !== process.geteuid?.() || group !== process.getegid?.()) {
    try {
      fchownSync(file, owner, group);
    } catch {
      // Only a superuser can change the owner; the content matters more.
    }
  }
  if (datesBirthByChange) {
    futimesSync(file, like.birthtime, like.birthtime);
    futimesSync(file, new Date(), new Date());
  }
}

/** Renames a written file, replacing what is at the path. @param check throws if that must not be replaced; called before each attempt */
export async function putInPlace(temporary: string, path: string, check?: () => void): Promise<void> {
  await attempt([path], () => {
    check?.();
    renameSync(temporary, path);
  });
}

/**
 * Gives a file a name that is still free. A rename would silently replace what
 * another program creates there at the same time; a hard link fails instead. On
 * disks without links, an empty file claims the name first. Also when a note is
 * moved on Windows: a file that another program has open could be linked there,
 * but then neither of its names could be removed.
 */
export async function publish(from: string, to: string): Promise<void> {
  const isNew = isTemporaryName(basename(from));
  const mayLink = isNew || !operatingSystem().locksOpenFiles;
  /** Left at `to` by an earlier attempt: a virus scanner may prevent its removal. */
  let left: "link" | "claim" | undefined;
  await attempt(isNew ? [to] : [to, from], () => {
    const entry = lstatSync(from, { bigint: true });
    const there = lstatSync(to, { bigint: true, throwIfNoEntry: false });
    const isSame = there !== undefined && isSameFile(entry, there);
    // The same entry under both names: only case or composition changes, on a disk that ignores it.
    const renamed = isSame && (entry.nlink === 1n || entry.isDirectory());
    const isOurs = left === "link" ? isSame : left === "claim" && isEmptyFile(to);
    if (there !== undefined && !renamed && !isOurs) throw taken(to);
    // Some systems would link the target of a symbolic link. A folder cannot be linked, and can only replace an empty one.
    if (renamed || !entry.isFile()) return renameSync(from, to);
    if (!isOurs) left = mayLink && link(from, to) ? "link" : claim(to);
    try {
      if (left === "link") return unlinkSync(from);
      if (!isEmptyFile(to)) throw taken(to);
      return renameSync(from, to);
    } catch (error) {
      // If another program has written into the claim or replaced it, it is not ours to remove.
      if (left === "link" || isEmptyFile(to)) discard(to);
      throw error;
    }
  });
}

/** @returns false if the disk does not support links */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw taken(to);
    // Disks without links fail with various codes (exFAT on Windows: EISDIR). If there is another reason, the claim or
    // the rename fails too.
    return false;
  }
}

function claim(path: string): "claim" {
  try {
    closeSync(createNew(path));
    return "claim";
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? taken(path) : error;
  }
}

/** By size, not by inode: on disks without links, an empty file may get another inode each time. */
function isEmptyFile(path: string): boolean {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === 0n;
}

/** @returns false if it existed already */
export async function makeFolder(path: string): Promise<boolean> {
  return attempt([path], () => {
    try {
      mkdirSync(path);
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST" && statSync(path).isDirectory()) return false;
      throw error;
    }
  });
}

/** @returns false if it is not empty */
export async function removeEmptyFolder(path: string): Promise<boolean> {
  return attempt([path], () => {
    try {
      rmdirSync(path);
      return true;
    } catch (error) {
      if (/^(?:ENOTEMPTY|EEXIST)$/.test(codeOf(error))) return false;
      throw error;
    }
  });
}

/** Removes a file if it exists, after a failure. */
export function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The recovery of the journal removes it.
  }
}

/** Makes created, renamed and removed names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and makes names durable by itself.
  if (!operatingSystem().opensFolders) return;
  let folder: number | undefined;
  try {
    folder = openFolder(path, { followsLinks: true });
    await sync(folder);
  } catch (error) {
    // EINVAL and similar: this file system does not support it. A folder that is gone does not need it.
    if (!/^(?:EINVAL|ENOTSUP|EOPNOTSUPP|EISDIR|EACCES|EPERM|ENOENT|ENOTDIR)$/.test(codeOf(error)))
      throw asProblem(error, path);
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

export async function syncFolders(paths: Iterable<string>): Promise<void> {
  const folders = [...new Set(paths)];
  for (let start = 0; start < folders.length; start += AT_ONCE)
    await Promise.all(folders.slice(start, start + AT_ONCE).map(syncFolder));
}

function taken(path: string): Problem {
  return new AlreadyExists(basename(path));
}
