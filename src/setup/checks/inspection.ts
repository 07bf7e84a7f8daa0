// Read-only access to files for doctor's checks: creates and changes nothing.
import { accessSync, statSync, type Stats } from "node:fs";

/** @returns undefined if there is nothing at the path, or it cannot be reached */
export function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
