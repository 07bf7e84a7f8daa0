// Files of other programs that exist but cannot be read now, and why. Used by
// the sources of conversations and by the reader of foreign databases.
import { codeOf } from "./system-errors.ts";

/** Locked, encrypted, damaged, or of an unknown version. The message is the end of a sentence. */
export class UnreadableFile extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "UnreadableFile";
  }
}

/** Why the system does not let us read a file. */
export function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "ENOENT":
      return "deleted";
    default:
      return `not readable (${codeOf(error) || (error as Error).message})`;
  }
}
