// The ids of rows in the data folder of this machine: one folder for each document.
// Used by file-document.ts for documents on a disk.
import { readdirSync, renameSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { contentHash, makeOwnFolder, readBytes, temporaryName, writeOwnFile } from "../../files/files.ts";
import type { Sidecars } from "../../journal/journal.ts";

/** @param folder holds those of all documents */
export function sidecarFiles(folder: string): Omit<Sidecars, "subjectOf"> {
  const folderOf = (subject: string) => join(folder, contentHash(Buffer.from(subject)).slice(0, 32));
  return {
    list: async (subject) => {
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
    },
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
      } catch (error) {
        removeIfThere(temporary);
        throw error;
      }
    },
    touch: async (subject, name) => {
      const now = new Date();
      try {
        utimesSync(join(folderOf(subject), name), now, now);
      } catch {
        // Another process has just removed it.
      }
    },
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
