// What it means that the system refuses something: sentences for a caller, and
// patience where another program has a file open. Used by everything that
// writes files.
import { closeSync, lstatSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Problem } from "../../kernel/kernel.ts";
import { openForSyncing } from "./open-file.ts";

/** What a virus scanner or a sync program on Windows has open is free again soon. */
const PAUSES = [5, 10, 20, 40, 80, 160, 320, 640];

/**
 * Does it again for a while where another program may have one of the paths
 * open. The first of them names what was to be written.
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

/** On Windows any refusal may mean it; elsewhere a disk of a network says so, whose server is Windows. */
function mayBeHeld(error: unknown): boolean {
  return BUSY.test(codeOf(error)) || (process.platform === "win32" && /^(?:EPERM|EACCES)$/.test(codeOf(error)));
}

const BUSY = /^(?:EBUSY|ETXTBSY)$/;

/** What to say where another program has one of the paths open; undefined where permission is missing. */
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
 * Whether what cannot be renamed or removed could be written all the same, or
 * cannot be opened because of somebody else. A folder can only be held by what
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

/** Whether the system refused a call; the codes of a Problem and of Node's own errors look otherwise. */
export function isSystemError(error: unknown): boolean {
  return /^(?:E[A-Z0-9]+|UNKNOWN)$/.test(codeOf(error));
}

/** Whether the system refused for a reason that passes by itself, or once a person has seen to it. */
export function mayPass(error: unknown): boolean {
  return /^(?:ENOSPC|EDQUOT|EROFS|EACCES|EPERM|EBUSY|EMFILE|ENFILE)$/.test(codeOf(error));
}

/** A system call that failed for a reason that is no state to wait for: another try would fail in the same way. */
export class FailedCall extends Problem {
  constructor(message: string) {
    super("denied", message);
  }
}

/** What the system refused, for a reader who shall not see where the vault lies. */
export function asProblem(error: unknown, path: string): unknown {
  const name = basename(path);
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return new Problem("denied", "The disk is full: nothing was changed.", "Free some space, then try again.");
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
