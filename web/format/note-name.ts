// Names of notes as people read them. Pure.
import { nameIn } from "../../src/kernel/kernel.ts";

/** The last part of the path, without the extension of a note. */
export function nameOf(path: string): string {
  return nameIn(path).replace(/\.md$/i, "");
}
