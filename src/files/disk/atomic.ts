// Whole files, written so that a reader sees the old bytes or the new ones and
// never a part, and so that what was reported as done survives a power failure.
// Used by the journal for everything in a vault, and by whoever keeps files of
// its own. Extended attributes are lost when a file is replaced: Node has no
// means to copy them.
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
import { AlreadyExists, nodeCrypto, type Problem } from "../../kernel/kernel.ts";
import { isSameFile } from "./file-identity.ts";
import { createNew, openFolder } from "./open-file.ts";
import { asProblem, attempt, codeOf } from "./system-errors.ts";
import { sync, syncTogether } from "./sync.ts";
import { isTemporaryName } from "../vault/vault-path.ts";

/** Open files at a time: some systems allow a process 256. */
export const AT_ONCE = 32;

/**
 * Names content in reads, expectations and the journal: the first half of its
 * SHA-256. A model carries it from a read to a write, and 128 bits are plenty.
 */
export function contentHash(bytes: Uint8Array): string {
  return nodeCrypto().hash("sha256", bytes, "hex").slice(0, 32);
}

/** The same of a file that is not read whole. */
export function contentHashOf(pieces: Iterable<Uint8Array>): string {
  const whole = nodeCrypto().createHash("sha256");
  for (const piece of pieces) whole.update(piece);
  return whole.digest("hex").slice(0, 32);
}

/** A name that nothing else has, that note programs do not show, and that `isTemporaryName` recognises. */
export function temporaryName(): string {
  return `.commonplace-${nodeCrypto().randomBytes(6).toString("hex")}.tmp`;
}

/** Puts these bytes in place of a file's content; its mode is kept. The caller syncs the folders. */
export async function replaceFile(path: string, bytes: Uint8Array, temporary: string): Promise<void> {
  checkWritable(path);
  await writeTemporary(temporary, bytes, { path, like: statSync(path, { bigint: true }) });
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

/** Refuses a file that may not be written: the rename that replaces it would not ask. */
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
  /** Of a file that is like no other; the umask counts. */
  readonly mode?: number;
  /** Whether no other file is written at the same time. */
  readonly isOne?: boolean;
}

/**
 * Writes a new file to the disk, to be put in place at `path` afterwards. The
 * bytes are handed to the system at once; only the wait for the disk is
 * asynchronous.
 */
export async function writeTemporary(
  temporary: string,
  bytes: Uint8Array,
  { path, like, mode = 0o666, isOne = true }: Destination,
): Promise<void> {
  let file: number | undefined;
  try {
    file = createNew(temporary, like === undefined ? mode : modeOf(like));
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    if (like !== undefined) takeAfter(file, like);
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

function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & 0o777;
}

function takeAfter(file: number, like: BigIntStats): void {
  if (process.platform === "win32") return;
  fchmodSync(file, modeOf(like));
  const [owner, group] = [Number(like.uid), Number(like.gid)];
  if (owner !== process.geteuid?.() || group !== process.getegid?.()) {
    try {
      fchownSync(file, owner, group);
    } catch {
      // Only a superuser can give a file away; the content matters more than its owner.
    }
  }
  if (process.platform === "darwin") {
    // The birth time follows a modification time that is set before it.
    futimesSync(file, like.birthtime, like.birthtime);
    futimesSync(file, new Date(), new Date());
  }
}

/** Puts a written file where another may be. */
export async function putInPlace(temporary: string, path: string): Promise<void> {
  await attempt([path], () => renameSync(temporary, path));
}

/**
 * Gives a file a name that nothing has yet. A rename would silently replace
 * what another program puts there in the meantime; a link fails instead. Where
 * there are no links, an empty file claims the name first. So it does on Windows
 * where a note is moved: what another program has open could be linked there,
 * but neither of its names removed again.
 */
export async function publish(from: string, to: string): Promise<void> {
  const isNew = isTemporaryName(basename(from));
  const mayLink = isNew || process.platform !== "win32";
  /** What an earlier try left at `to`: a scanner may keep us from removing it. */
  let left: "link" | "claim" | undefined;
  await attempt(isNew ? [to] : [to, from], () => {
    const entry = lstatSync(from, { bigint: true });
    const there = lstatSync(to, { bigint: true, throwIfNoEntry: false });
    const isSame = there !== undefined && isSameFile(entry, there);
    // The same entry twice is a change of case or of composition on a disk that ignores it.
    const renamed = isSame && (entry.nlink === 1n || entry.isDirectory());
    const isOurs = left === "link" ? isSame : left === "claim" && isEmptyFile(to);
    if (there !== undefined && !renamed && !isOurs) throw taken(to);
    // A system may follow a symbolic link instead of linking it; a folder cannot be linked, and replaces none but an empty one.
    if (renamed || !entry.isFile()) return renameSync(from, to);
    if (!isOurs) left = mayLink && link(from, to) ? "link" : claim(to);
    try {
      if (left === "link") return unlinkSync(from);
      if (!isEmptyFile(to)) throw taken(to);
      return renameSync(from, to);
    } catch (error) {
      // What another program has written into the claim, or put in its place, is not ours to remove.
      if (left === "link" || isEmptyFile(to)) discard(to);
      throw error;
    }
  });
}

/** @returns false where the disk refuses it */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw taken(to);
    // Disks without links refuse with whatever code they like (exFAT on Windows: EISDIR). Where the link was refused
    // for another reason, that stops the claim or the rename too.
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

/** By size, not by number: disks without links may number an empty file differently each time. */
function isEmptyFile(path: string): boolean {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === 0n;
}

/** @returns false where it was there already */
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

/** @returns false where it is not empty */
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

/** Removes a file that may not be there, on the way out of a failure. */
export function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Whoever recovers the journal finds it again.
  }
}

/** Makes new, renamed and removed names of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and keeps names by itself.
  if (process.platform === "win32") return;
  let folder: number | undefined;
  try {
    folder = openFolder(path, { followsLinks: true });
    await sync(folder);
  } catch (error) {
    // EINVAL and its like: this file system has no such promise to give. A folder that is gone needs none.
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
