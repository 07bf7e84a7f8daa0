// Whether a database that is open is still the one at its path. If its folder
// was deleted or moved away, the next process makes a new one there, and each
// would hold a lock that the other knows nothing of. Used by the journal and
// its lock.
import { codeOf, identityAt } from "../files/files.ts";

export interface Identified<T> {
  readonly opened: T;
  /** Whether whoever opens the path now gets the same file. */
  readonly isCurrent: () => boolean;
}

/** Opens a path, and keeps in mind which file that was. */
export function openIdentified<T extends { close: () => void }>(path: string, open: () => T): Identified<T> {
  for (;;) {
    const before = identityOf(path);
    const opened = open();
    let identity: string | undefined;
    try {
      identity = identityOf(path);
      // One that was exchanged in this very moment is opened again: which of the two it is, nobody could tell.
      if (identity !== undefined && (before === undefined || before === identity))
        return { opened, isCurrent: () => identityOf(path) === identity };
    } catch (error) {
      opened.close();
      throw error;
    }
    opened.close();
  }
}

/** While the file is open, no other one gets its number. */
function identityOf(path: string): string | undefined {
  try {
    return identityAt(path);
  } catch (error) {
    // A folder that is closed to us by now: to open it again will say so.
    if (/^(?:EACCES|EPERM|ENOTDIR|ELOOP)$/.test(codeOf(error))) return undefined;
    throw error;
  }
}
