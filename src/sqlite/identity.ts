// Tells whether an open database is still the one at its path. If its folder was
// deleted or moved, the next process creates a new one there, and each would hold
// a lock that the other does not see. Used by the journal and its lock.
import { codeOf, identityAt } from "../files/files.ts";

export interface Identified<T> {
  readonly opened: T;
  /** Returns whether opening the path now would open the same file. */
  readonly isCurrent: () => boolean;
}

/** Opens a path, and remembers which file it was. */
export function openIdentified<T extends { close: () => void }>(path: string, open: () => T): Identified<T> {
  for (;;) {
    const before = identityOf(path);
    const opened = open();
    let identity: string | undefined;
    try {
      identity = identityOf(path);
      // If it was replaced during the opening, it is unknown which of the two is open: open it again.
      if (identity !== undefined && (before === undefined || before === identity))
        return { opened, isCurrent: () => identityOf(path) === identity };
    } catch (error) {
      opened.close();
      throw error;
    }
    opened.close();
  }
}

/** While the file is open, no other file can get its inode. */
function identityOf(path: string): string | undefined {
  try {
    return identityAt(path);
  } catch (error) {
    // The folder may no longer be read: opening it again will report that.
    if (/^(?:EACCES|EPERM|ENOTDIR|ELOOP)$/.test(codeOf(error))) return undefined;
    throw error;
  }
}
