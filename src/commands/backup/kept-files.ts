// Lists the files of a backup: everything in the data folder that exists only here, and
// the settings. Not what belongs to this machine and this moment: the token, the
// name of the device, locks, records of running servers. Used by backup.ts and
// restore.ts.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Folders } from "../../files/files.ts";

export interface KeptFile {
  /** In the archive: `data/…` or `config.json`. */
  readonly name: string;
  readonly path: string;
  /** A database that other processes may be writing. */
  readonly isDatabase: boolean;
}

/** The last file of an archive: what must be in it. */
export const MANIFEST = "commonplace-backup.json";
export const NOTICE = "READ ME.txt";

/** Raised when older releases could no longer restore what is written. */
export const FORMAT = 1;

export interface Manifest {
  readonly format: number;
  readonly version: string;
  readonly created: string;
  readonly isRedacted: false;
  readonly files: readonly { readonly name: string; readonly size: number; readonly sha256: string }[];
}

const OF_THIS_MACHINE = /^(?:token|device|serving)(?:\/|$|\.)/;
const LEFT_OUT = /\.(?:lock|next)\.db$|\.db-(?:wal|shm|journal)$|(?:^|\/)\.commonplace-[^/]*$/;

export function keptFiles({ data, config }: Folders): KeptFile[] {
  const names = existsSync(data) ? namesBelow(data, "") : [];
  const files = names
    .filter((name) => !isOfThisMachine(name) && !isLeftOut(name) && join(data, name) !== config)
    .map((name) => ({ name: `data/${name}`, path: join(data, name), isDatabase: isDatabase(name) }));
  return existsSync(config) ? [...files, { name: "config.json", path: config, isDatabase: false }] : files;
}

/** The token, the name of the device, records of running servers: by a name in the data folder. */
export function isOfThisMachine(name: string): boolean {
  return OF_THIS_MACHINE.test(name);
}

/** Locks, drafts, and what SQLite keeps beside its databases. */
export function isLeftOut(name: string): boolean {
  return LEFT_OUT.test(name);
}

/** Ours are at these places; one in the embedded vault is the user's file. */
export function isDatabase(name: string): boolean {
  return /^(?:data\/)?(?:[^/]+|journal\/[^/]+)\.db$/.test(name);
}

/** Links are not followed: what they lead to is elsewhere. */
function namesBelow(folder: string, prefix: string): string[] {
  return (
    readdirSync(join(folder, prefix), { withFileTypes: true })
      // A store of 0.1.0 comes before the file that it refers to: "conversations" before "conversations-tools".
      .toSorted((a, b) => (a.name.replace(/\.db$/, "") < b.name.replace(/\.db$/, "") ? -1 : 1))
      .flatMap((entry) => {
        const name = `${prefix}${entry.name}`;
        if (entry.isDirectory()) return namesBelow(folder, `${name}/`);
        return entry.isFile() ? [name] : [];
      })
  );
}
