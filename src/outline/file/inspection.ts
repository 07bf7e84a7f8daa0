// Reports the format and the number of rows of an outline without storing
// anything, not even row ids. Used by doctor, which must not change anything.
import { statSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../../files/files.ts";
import { MAX_CONTENTS_SIZE } from "../formats/archives/size-limits.ts";
import { CONTENTS, openContainer, parseOutline } from "../formats/format-detection.ts";
import type { OutlineFormat } from "../model.ts";

/** Throws a Problem if the file cannot be read as an outline. */
export function inspectOutline(path: string): { readonly format: OutlineFormat; readonly rows: number } {
  const file = statSync(path).isDirectory() ? join(path, CONTENTS) : path;
  const { format, count } = parseOutline(
    openContainer(readBytes(file, { followsLinks: true }, MAX_CONTENTS_SIZE)).contents(),
    path,
  );
  return { format, rows: count };
}
