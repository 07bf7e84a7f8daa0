// The folder of the log, and the files in it. In the data folder they are for
// their owner alone. In a vault they are part of what people share: a link must
// not lead out of it, and nobody else may write what is remembered.
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
import { Problem } from "../../kernel/kernel.ts";

export interface LogFolder {
  readonly path: string;
  readonly isInVault: boolean;
}

/** Memory could not be written, and why. */
export class NotKept extends Problem {
  readonly reason: string;

  constructor(reason: string) {
    super("denied", `Memory could not be written: ${reason}.`);
    this.reason = reason;
  }
}

/** Whether a link in the vault leads away from where its memory is; false where nothing is there. */
export function leadsElsewhere({ path, isInVault }: LogFolder): boolean {
  return isInVault && [dirname(path), path].some(isBehindLink);
}

function isBehindLink(path: string): boolean {
  try {
    // A link may lead to what is not there yet.
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

/** Closes a folder in a vault to writers that are neither its owner nor of its group. Throws `NotKept` where it is behind a link. */
export function closeLogFolder(log: LogFolder): void {
  if (!log.isInVault) return;
  followingNoLink(log, () => {
    for (const folder of [dirname(log.path), log.path])
      changeInReal(folder, (at) => closedToOthers(statSync(at).mode, 0o700, (closed) => chmodSync(at, closed)));
  });
}

/** Opens a file of the log to append to it. */
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

/** @param work refuses with an error of the system where a link is in the way */
function followingNoLink<T>(log: LogFolder, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw leadsElsewhere(log) ? new NotKept("its folder is a link to another") : error;
  }
}

/** The mode stays as the umask or a person made it, but for what the owner needs and others must not. */
function closedToOthers(mode: number, needed: number, change: (mode: number) => void): void {
  const closed = ((mode & 0o777) | needed) & ~0o002;
  if (process.platform === "win32" || closed === (mode & 0o777)) return;
  try {
    change(closed);
  } catch (error) {
    // Of another user, who shares the vault.
    if (codeOf(error) !== "EPERM") throw error;
  }
}
