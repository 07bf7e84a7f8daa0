// Finds out whether a program has a file open for writing. Only Linux says it, of
// the processes of this user, and to look through all of them takes some
// milliseconds: for cases of doubt. Used by the journal.
import { readdirSync, readlinkSync, statSync, type BigIntStats } from "node:fs";
import { basename } from "node:path";
import { operatingSystem, Turns } from "../../kernel/kernel.ts";
import { isSameFile } from "./file-identity.ts";
import { readText } from "./open-file.ts";

/** A file, and its name when it was opened, or any path that ends in that. */
export interface NamedFile {
  readonly name: string;
  readonly stats: BigIntStats;
}

/** Those of the files that another process has open for writing; undefined if the system does not say it. */
export async function openForWriting<File extends NamedFile>(
  files: readonly File[],
): Promise<ReadonlySet<File> | undefined> {
  if (!operatingSystem().hasProc) return undefined;
  const found = new Set<File>();
  const turns = new Turns();
  // A file that has lost this name is listed with " (deleted)" behind it.
  const named = files.map((file) => ({ file, name: `/${basename(file.name)}` }));
  for (const program of namesIn("/proc")) {
    if (!/^\d+$/.test(program) || Number(program) === process.pid) continue;
    const folder = `/proc/${program}/fd`;
    for (const handle of namesIn(folder)) {
      const link = linkIn(`${folder}/${handle}`);
      for (const { file, name } of named)
        if (link.includes(name) && isFile(`${folder}/${handle}`, file.stats))
          if (isWritable(`/proc/${program}/fdinfo/${handle}`)) found.add(file);
    }
    if (turns.isOver()) await turns.next();
  }
  return found;
}

/** Empty for a process that has ended, or is another user's. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkIn(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function isFile(path: string, stats: BigIntStats): boolean {
  try {
    return isSameFile(statSync(path, { bigint: true }), stats);
  } catch {
    return false;
  }
}

/** By the flags with which it was opened, in octal: the last two bits are 0 for reading only. */
function isWritable(info: string): boolean {
  try {
    const [, flags = "1"] = /^flags:\s*(\d+)/m.exec(readText(info)) ?? [];
    return (Number.parseInt(flags, 8) & 3) !== 0;
  } catch {
    return false;
  }
}
