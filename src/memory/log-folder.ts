// The folder of the log, and the files in it. In the data folder they are for
// their owner alone. In a vault they are part of what people share: a link must
// not lead out of it, and nobody else may write what is remembered.
import { chmodSync, closeSync, existsSync, fchmodSync, fstatSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../files/atomic.ts";
import { openForAppending } from "../files/open-file.ts";
import { makeOwnFolder, openOwnFileForAppending } from "../files/own-files.ts";
import { realPath } from "../files/real-path.ts";

export interface LogFolder {
  readonly path: string;
  readonly isInVault: boolean;
}

/** Whether a link in the vault leads out of it; false where nothing is there. */
export function leadsElsewhere({ path, isInVault }: LogFolder): boolean {
  return isInVault && existsSync(path) && realPath(path) !== path;
}

export function makeLogFolder({ path, isInVault }: LogFolder): void {
  if (!isInVault) return makeOwnFolder(path);
  for (const folder of [dirname(path), path]) {
    try {
      mkdirSync(folder, { mode: 0o775 });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** Whether it is where it seems to be. Closes it to writers that are neither its owner nor of its group. */
export function isTrusted(log: LogFolder): boolean {
  const { path, isInVault } = log;
  if (!isInVault) return true;
  if (leadsElsewhere(log)) return false;
  for (const folder of [dirname(path), path]) {
    const { mode } = statSync(folder);
    closedToOthers(mode, 0o700, (closed) => chmodSync(folder, closed));
  }
  return true;
}

/** Opens a file of the log to append to it. */
export function openLogFile({ isInVault }: LogFolder, path: string): number {
  if (!isInVault) return openOwnFileForAppending(path);
  const file = openForAppending(path, 0o600);
  try {
    closedToOthers(fstatSync(file).mode, 0o600, (closed) => fchmodSync(file, closed));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
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
