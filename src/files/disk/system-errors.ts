// Errors of the file system: their sentences for a caller, and retries while
// another program has a file open. Used by everything that writes files.
import { closeSync, lstatSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { operatingSystem, Problem } from "../../kernel/kernel.ts";
import { openForSyncing } from "./open-file.ts";

/** Milliseconds: virus scanners and sync programs on Windows keep a file open only briefly. */
const PAUSES = [5, 10, 20, 40, 80, 160, 320, 640];

/**
 * Repeats work for a while if another program may have one of the paths open.
 * The first path is the one that error messages name.
 */
export async function attempt<T>(paths: readonly [string, ...string[]], work: () => T): Promise<T> {
  for (const wait of PAUSES) {
    try {
      return work();
    } catch (error) {
      if (!mayBeHeld(error)) throw asProblem(error, paths[0]);
    }
    await pause(wait);
  }
  try {
    return work();
  } catch (error) {
    throw (mayBeHeld(error) ? heldOpen(error, paths) : undefined) ?? asProblem(error, paths[0]);
  }
}

/** On Windows a permission error may mean it; elsewhere only network drives of Windows servers report it. */
function mayBeHeld(error: unknown): boolean {
  return BUSY.test(codeOf(error)) || (operatingSystem().locksOpenFiles && /^(?:EPERM|EACCES)$/.test(codeOf(error)));
}

const BUSY = /^(?:EBUSY|ETXTBSY)$/;

/** The problem that another program has one of the paths open; undefined if a permission is missing instead. */
function heldOpen(error: unknown, paths: readonly string[]): Problem | undefined {
  const held = paths.find(isHeldOpen) ?? (BUSY.test(codeOf(error)) ? paths[0] : undefined);
  return held === undefined ? undefined : openElsewhere(held);
}

function openElsewhere(path: string): Problem {
  return new Problem(
    "denied",
    `Another program has '${basename(path)}' open: nothing was changed.`,
    "Close it there, or try again.",
  );
}

/**
 * Returns whether another program holds a path that cannot be renamed or removed: it can
 * still be written, or opening it fails as busy. A folder is held by a file that
 * is open in it.
 */
function isHeldOpen(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (!stats.isFile()) return true;
    closeSync(openForSyncing(path));
    return true;
  } catch (error) {
    return BUSY.test(codeOf(error));
  }
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

/** Returns whether this is the error of a system call; a Problem and Node's own errors have codes of another form. */
export function isSystemError(error: unknown): boolean {
  return /^(?:E[A-Z0-9]+|UNKNOWN)$/.test(codeOf(error));
}

/** Returns whether the cause may pass, by itself or once a person has fixed it. */
export function mayPass(error: unknown): boolean {
  return /^(?:ENOSPC|EDQUOT|EROFS|EACCES|EPERM|EBUSY|EMFILE|ENFILE)$/.test(codeOf(error));
}

/** A system call that failed for a lasting reason: another attempt would fail in the same way. */
export class FailedCall extends Problem {
  constructor(message: string) {
    super("denied", message);
  }
}

/** A disk without room, which caches may make. */
export class FullDisk extends Problem {
  constructor() {
    super("denied", "The disk is full: nothing was changed.", "Free some space, then try again.");
  }
}

/** A system error as a problem that does not reveal the path of the vault. */
export function asProblem(error: unknown, path: string): unknown {
  const name = basename(path);
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return new FullDisk();
    case "EROFS":
      return new Problem("denied", "The disk is read-only: nothing was changed.");
    case "EACCES":
    case "EPERM":
      return new Problem("denied", `No permission to write '${name}': nothing was changed.`);
    case "EBUSY":
    case "ETXTBSY":
      return openElsewhere(path);
    case "EXDEV":
      return new FailedCall(`'${name}' cannot be moved to another disk: nothing was changed.`);
    case "ENAMETOOLONG":
      return new Problem("invalid", `The path is too long: '${name}'. Nothing was changed.`);
    case "ENOENT":
      return new Problem("not_found", `'${name}' or its folder is no longer there: nothing was changed.`);
    case "ENOTDIR":
      return new Problem("invalid", `A file is in the way of the folder of '${name}': nothing was changed.`);
    case "EMFILE":
    case "ENFILE":
      return new Problem("denied", `'${name}' could not be written (${codeOf(error)}): nothing was changed.`);
    default:
      return isSystemError(error)
        ? new FailedCall(`'${name}' could not be written (${codeOf(error)}): nothing was changed.`)
        : error;
  }
}
