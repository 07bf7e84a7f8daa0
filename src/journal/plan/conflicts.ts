// The errors for a change that does not fit what is on the disk, and the stamp by
// which a file is recognised. Used by plan.ts and apply/.
import { type FileStats, identityOf, InvalidPath } from "../../files/files.ts";
import { AlreadyExists, Problem } from "../../kernel/kernel.ts";

/** The error for a change that was made for other content than the current one. */
export function conflict(path: string, current: string): Problem {
  return new Problem(
    "conflict",
    `${path} has changed since it was read: its content hash is now ${current}.`,
    "Read it again, then repeat the change on what is there now.",
  );
}

/** Accesses a file or folder that the caller has read or located before: if its path is refused now, it was replaced. */
export async function withReplacedNamed<T>(path: string, access: () => T | Promise<T>): Promise<T> {
  try {
    return await access();
  } catch (error) {
    if (!(error instanceof InvalidPath) || error.path !== path) throw error;
    throw new Problem(
      "conflict",
      `${path} was replaced during the change, perhaps by a link, and is no longer a file or folder of the vault. Nothing was changed.`,
      "Look at what is there now, then try again.",
    );
  }
}

/** Changes with every write of a file, without reading it. */
export function stampOf(stats: FileStats): string {
  return `${identityOf(stats)}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

export function absent(path: string): Problem {
  return new Problem("not_found", `File not found: ${path}`);
}

export function exists(path: string): Problem {
  return new AlreadyExists(path);
}

export function inTheWay(what: string): Problem {
  return new Problem(
    "conflict",
    `This no longer fits: ${what}.`,
    "Nothing was changed. Look at what is there now, and edit it instead.",
  );
}
