// Files of other programs that are there and cannot be read now, and how that
// is said to the person. Used by the sources of conversations and by the reader
// of foreign databases.
import { codeOf } from "./system-errors.ts";

/** Locked, encrypted, damaged, or of an unknown version. The message is the end of a sentence. */
export class UnreadableFile extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "UnreadableFile";
  }
}

/** What to say of a file that the system does not let us read. */
export function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "ENOENT":
      return "gone meanwhile";
    default:
      return `not readable (${codeOf(error) || (error as Error).message})`;
  }
}
