// The only module that opens databases with node:sqlite: our own are private to
// their owner. Used by the journal and the indexes.
import { closeSync, existsSync, fsyncSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type * as Sqlite from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  closeToOthers,
  codeOf,
  createOwnFile,
  makeOwnFolder,
  openFolder,
  openOwnFileForAppending,
} from "../files/files.ts";
import { operatingSystem } from "../kernel/kernel.ts";
import { failureOf } from "./errors.ts";
import { retryWhileBusySync } from "./retry.ts";

export type Database = Sqlite.DatabaseSync;

let loaded: typeof Sqlite | undefined;

/** Some versions of Node warn that the module is experimental; that warning is suppressed. */
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

/** Opens a database, created if missing, with mode 0600 in a folder of mode 0700. */
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
      // Only the last connection can leave WAL mode; then an exclusive lock keeps other processes out.
      database.exec("PRAGMA journal_mode = DELETE");
      database.exec("BEGIN EXCLUSIVE");
    } finally {
      database.close();
    }
  } catch (error) {
    // No process has a file open that is not a database.
    if (failureOf(error) !== "damaged") return false;
  }
  removeDatabaseFiles(path);
  return true;
}

/** Even if another process has it open: for a damaged cache. */
export function removeDatabaseFiles(path: string): void {
  for (const ending of [...SIDE_FILES, ""]) rmSync(path + ending, { force: true });
}

/** Moves what is in the write-ahead log of a database into the database, and frees the room of the log, if nobody is in the way. */
export function emptyLog(path: string): void {
  try {
    const database = new (sqlite().DatabaseSync)(path, { timeout: 100 });
    try {
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      database.close();
    }
  } catch {
    // It is damaged, busy, or has no room to grow.
  }
}

/** Makes what was committed survive a power cut: no lock is on the log, which is closed again. */
export function syncLog(path: string): void {
  if (!existsSync(`${path}-wal`)) return;
  const log = openOwnFileForAppending(`${path}-wal`);
  try {
    fsyncSync(log);
  } finally {
    closeSync(log);
  }
}

/** Milliseconds. */
const MAX_WAIT = 2_000;
const RETRY_EVERY = 5;

/** While several processes create the same file, SQLite refuses this at once, whatever its busy timeout: so it is retried. */
export function useWriteAheadLog(database: Database): void {
  const deadline = Date.now() + MAX_WAIT;
  retryWhileBusySync(() => database.exec("PRAGMA journal_mode = WAL"), { every: RETRY_EVERY, deadline });
}

/** A database of this process alone, in the temporary folder; deleted when it is closed. */
export function openTemporaryDatabase(): Database {
  return new (sqlite().DatabaseSync)("");
}

/**
 * Opens a database for reading only. `immutable` reads without locks, and creates
 * nothing beside it.
 * @param wait how long it may block for a lock, in milliseconds
 */
export function openReadOnly(path: string, way: "read-only" | "immutable", wait: number): Database {
  return new (sqlite().DatabaseSync)(readingUri(path, way), { readOnly: true, timeout: wait });
}

/**
 * Queries a database of ours without creating, changing or repairing anything. If no process has it open it is
 * opened as immutable, since any other way would leave an empty write-ahead log behind.
 */
export function lookInto<T>(path: string, question: (database: Database) => T): T {
  const isInUse = existsSync(`${path}-wal`) && existsSync(`${path}-shm`);
  const database = openReadOnly(path, isInUse ? "read-only" : "immutable", 1000);
  try {
    return question(database);
  } finally {
    database.close();
  }
}

/** SQLite accepts no host in a URI: a path on a server has four slashes (`file:////server/share/…`). */
export function readingUri(path: string, way: "read-only" | "immutable", { family } = operatingSystem()): string {
  const { host, pathname } = pathToFileURL(path, { windows: family === "win32" });
  const server = host === "" ? "" : `//${host}`;
  return `file://${server}${pathname}?${way === "immutable" ? "immutable=1" : "mode=ro"}`;
}

/**
 * SQLite gives its side files the mode of the database. An existing database must
 * not be opened here: closing it would drop all locks that this process has on it
 * (POSIX).
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
  if (!operatingSystem().opensFolders) return;
  const opened = openFolder(folder, { followsLinks: true });
  fsyncSync(opened);
  closeSync(opened);
}
