// The folder of the log, and its files. In the data folder they are private. In
// a vault they are shared with it: a link must not lead out of it, and other
// users must not write the log. Used by event-log.ts and log-transfer.ts.
import { chmodSync, closeSync, fchmodSync, fstatSync, lstatSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  changeInReal,
  codeOf,
  makeInReal,
  makeOwnFolder,
  openForAppending,
  openOwnFileForAppending,
  realPath,
} from "../../files/files.ts";
import { operatingSystem, Problem } from "../../kernel/kernel.ts";

export interface LogFolder {
  readonly path: string;
  readonly isInVault: boolean;
}

/** Memory could not be written. */
export class NotKept extends Problem {
  readonly reason: string;

  constructor(reason: string) {
    super("denied", `Memory could not be written: ${reason}.`);
    this.reason = reason;
  }
}

/** Returns whether a link in the vault leads its memory elsewhere; false if nothing is there. */
export function leadsElsewhere({ path, isInVault }: LogFolder): boolean {
  return isInVault && [dirname(path), path].some(isBehindLink);
}

function isBehindLink(path: string): boolean {
  try {
    // A link may be broken.
    return lstatSync(path).isSymbolicLink() || realPath(path) !== path;
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error))) return false;
    throw error;
  }
}

export function makeLogFolder(log: LogFolder): void {
  if (!log.isInVault) return makeOwnFolder(log.path);
  followingNoLink(log, () => {
    for (const folder of [dirname(log.path), log.path]) makeInReal(folder, 0o775);
  });
}

/** Removes write access of others (not owner, not group) to a folder in a vault. Throws `NotKept` if it is behind a link. */
export function closeLogFolder(log: LogFolder): void {
  if (!log.isInVault) return;
  followingNoLink(log, () => {
    for (const folder of [dirname(log.path), log.path])
      changeInReal(folder, (at) => closedToOthers(statSync(at).mode, 0o700, (closed) => chmodSync(at, closed)));
  });
}

/** Opens a file of the log for appending. */
export function openLogFile(log: LogFolder, path: string): number {
  if (!log.isInVault) return openOwnFileForAppending(path);
  const file = followingNoLink(log, () =>
    changeInReal(log.path, (folder) => openForAppending(join(folder, basename(path)), 0o600)),
  );
  try {
    closedToOthers(fstatSync(file).mode, 0o600, (closed) => fchmodSync(file, closed));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** @param work fails with a system error if a link is in the path */
function followingNoLink<T>(log: LogFolder, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw leadsElsewhere(log) ? new NotKept("its folder is a link to another") : error;
  }
}

/** Keeps the mode, except for what the owner needs and what others must not have. */
function closedToOthers(mode: number, needed: number, change: (mode: number) => void): void {
  const closed = ((mode & 0o777) | needed) & ~0o002;
  if (!operatingSystem().hasModes || closed === (mode & 0o777)) return;
  try {
    change(closed);
  } catch (error) {
    // It belongs to another user, who shares the vault.
    if (codeOf(error) !== "EPERM") throw error;
  }
}
