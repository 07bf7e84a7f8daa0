// A look at an outline that leaves no trace: what it is, and how many rows it
// has. Used by doctor, which changes nothing, not even what is kept about rows.
import { statSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../../files/files.ts";
import { LARGEST_CONTENTS } from "../formats/archives/size-limits.ts";
import { CONTENTS, openContainer, readSource } from "../formats/format-detection.ts";
import type { OutlineFormat } from "../model.ts";

/** Throws a Problem where it cannot be read as an outline. */
export function inspectOutline(path: string): { readonly format: OutlineFormat; readonly rows: number } {
  const file = statSync(path).isDirectory() ? join(path, CONTENTS) : path;
  const { format, count } = readSource(
    openContainer(readBytes(file, { followsLinks: true }, LARGEST_CONTENTS)).contents(),
  );
  return { format, rows: count };
}
