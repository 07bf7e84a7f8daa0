// The ids of rows in the data folder of this machine: one folder for each document.
// Used by file-document.ts for documents on a disk.
import { readdirSync, renameSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { contentHash, makeOwnFolder, readBytes, temporaryName, writeOwnFile } from "../../files/files.ts";
import type { Sidecars } from "../../journal/journal.ts";

/** The names of the files of a document. */
export function sidecarNames(folder: string, subject: string): string[] {
  try {
    return readdirSync(folderFor(folder, subject));
  } catch {
    return [];
  }
}

function folderFor(folder: string, subject: string): string {
  return join(folder, contentHash(Buffer.from(subject)).slice(0, 32));
}

/** @param folder holds those of all documents */
export function sidecarFiles(folder: string): Omit<Sidecars, "subjectOf"> {
  const folderOf = (subject: string) => folderFor(folder, subject);
  const list = (subject: string) => {
    const own = folderOf(subject);
    try {
      return readdirSync(own)
        .flatMap((name) => {
          const stats = statSync(join(own, name), { throwIfNoEntry: false });
          return stats === undefined ? [] : [{ name, time: stats.mtimeMs, size: stats.size }];
        })
        .toSorted((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1));
    } catch {
      return [];
    }
  };
  /** Makes a file the newest, also after the clock was set back: the oldest are deleted. */
  const touch = (subject: string, name: string) => {
    const newest = list(subject).find((each) => each.name !== name)?.time ?? 0;
    const time = Math.max(Date.now(), newest + 1) / 1000;
    try {
      utimesSync(join(folderOf(subject), name), time, time);
    } catch {
      // Another process has just removed it.
    }
  };
  return {
    list: async (subject) => list(subject),
    read: async (subject, name) => {
      try {
        return readBytes(join(folderOf(subject), name), { followsLinks: true });
      } catch {
        return undefined;
      }
    },
    write: async (subject, name, bytes) => {
      const own = folderOf(subject);
      const temporary = join(own, temporaryName());
      try {
        makeOwnFolder(own);
        writeOwnFile(temporary, bytes);
        renameSync(temporary, join(own, name));
        touch(subject, name);
      } catch (error) {
        removeIfThere(temporary);
        throw error;
      }
    },
    touch: async (subject, name) => touch(subject, name),
    remove: async (subject, names) => {
      for (const name of names) removeIfThere(join(folderOf(subject), name));
    },
  };
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process has removed it, or it was never created.
  }
}
