// The one door to node:sqlite: databases that only their owner can read, and
// what it means when one refuses. Used by the journal and by the index.
import { closeSync, fsyncSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type * as Sqlite from "node:sqlite";
import { pathToFileURL } from "node:url";
import { closeToOthers, codeOf, createOwnFile, makeOwnFolder, openFolder } from "../files/files.ts";
import { blockingPause } from "../kernel/kernel.ts";

export type Database = Sqlite.DatabaseSync;

let loaded: typeof Sqlite | undefined;

/** Some versions of Node warn that the module is experimental; that one sentence is held back. */
function sqlite(): typeof Sqlite {
  if (loaded !== undefined) return loaded;
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning)))
      Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    loaded = process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
  return loaded;
}

/** Opens a database, made if need be, with mode 0600 in a folder of mode 0700. */
export function openDatabase(path: string): Database {
  makePrivate(path);
  return new (sqlite().DatabaseSync)(path);
}

const SIDE_FILES = ["-wal", "-shm", "-journal"];

/**
 * Removes a database with its side files, unless another process has it open.
 * @returns whether it is gone
 */
export function removeDatabase(path: string): boolean {
  try {
    const database = new (sqlite().DatabaseSync)(path, { timeout: 0 });
    try {
      // Only the last connection can leave the write-ahead log; from there on an exclusive lock keeps everybody out.
      database.exec("PRAGMA journal_mode = DELETE");
      database.exec("BEGIN EXCLUSIVE");
    } finally {
      database.close();
    }
  } catch (error) {
    // What is no database is open nowhere.
    if (refusalOf(error) !== "damaged") return false;
  }
  removeDatabaseFiles(path);
  return true;
}

/** Whoever has it open: for a cache that is damaged. */
export function removeDatabaseFiles(path: string): void {
  for (const ending of [...SIDE_FILES, ""]) rmSync(path + ending, { force: true });
}

const LONGEST_WAIT = 2_000;
const ASK_AGAIN = 5;

/** While several processes make the same file, SQLite refuses this at once, however long it may wait for a lock: so it is asked again. */
export function useWriteAheadLog(database: Database): void {
  const end = Date.now() + LONGEST_WAIT;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
    blockingPause(ASK_AGAIN);
  }
}

/** A database of this process alone, on the disk for temporary files; gone when it is closed. */
export function openTemporaryDatabase(): Database {
  return new (sqlite().DatabaseSync)("");
}

/**
 * A database that is only read. One that is immutable is read as it lies there,
 * without locks, and nothing is made beside it.
 * @param patience how long it may wait for a lock, in milliseconds: it blocks
 */
export function openReadOnly(path: string, way: "read-only" | "immutable", patience: number): Database {
  return new (sqlite().DatabaseSync)(readingUri(path, way), { readOnly: true, timeout: patience });
}

/** SQLite takes no server in a URI: a path on one has four slashes (`file:////server/share/…`). */
export function readingUri(
  path: string,
  way: "read-only" | "immutable",
  platform: NodeJS.Platform = process.platform,
): string {
  const { host, pathname } = pathToFileURL(path, { windows: platform === "win32" });
  const server = host === "" ? "" : `//${host}`;
  return `file://${server}${pathname}?${way === "immutable" ? "immutable=1" : "mode=ro"}`;
}

/**
 * SQLite gives its side files the mode of the database. A database that is
 * there must not be opened here: closing it again would drop every lock that
 * this process has on it (POSIX).
 */
function makePrivate(path: string): void {
  const folder = dirname(path);
  makeOwnFolder(folder);
  try {
    closeSync(createOwnFile(path));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    for (const ending of ["", ...SIDE_FILES]) closeToOthers(path + ending);
    return;
  }
  if (process.platform === "win32") return;
  const opened = openFolder(folder, { followsLinks: true });
  fsyncSync(opened);
  closeSync(opened);
}

const BUSY = 5;

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** The numbers are SQLite's primary result codes; 0 is none. */
function primaryCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/** Why a database does not do what it is asked; undefined for any other error. */
export type Refusal = "full" | "damaged" | "closed to us";

export function refusalOf(error: unknown): Refusal | undefined {
  const code = primaryCode(error);
  const system = codeOf(error);
  if (code === 13 || system === "ENOSPC" || system === "EDQUOT") return "full";
  if (code === 11 || code === 26) return "damaged";
  if ([3, 8, 10, 14, 15].includes(code) || /^(?:EACCES|EPERM|EROFS|EIO|ENOTDIR|EEXIST)$/.test(system))
    return "closed to us";
  return undefined;
}
