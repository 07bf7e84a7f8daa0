// The one door to node:sqlite: databases that only their owner can read, and
// what it means when one refuses. Used by the journal and by the index.
import { closeSync, fsyncSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type * as Sqlite from "node:sqlite";
import { pathToFileURL } from "node:url";
import { closeToOthers, codeOf, createOwnFile, makeOwnFolder, openFolder } from "../files/files.ts";
import { failureOf } from "./errors.ts";
import { retryWhileBusySync } from "./retry.ts";

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
    if (failureOf(error) !== "damaged") return false;
  }
  removeDatabaseFiles(path);
  return true;
}

/** Whoever has it open: for a cache that is damaged. */
export function removeDatabaseFiles(path: string): void {
  for (const ending of [...SIDE_FILES, ""]) rmSync(path + ending, { force: true });
}

/** Milliseconds. */
const LONGEST_WAIT = 2_000;
const RETRY_EVERY = 5;

/** While several processes create the same file, SQLite refuses this at once, whatever its busy timeout: so it is retried. */
export function useWriteAheadLog(database: Database): void {
  const deadline = Date.now() + LONGEST_WAIT;
  retryWhileBusySync(() => database.exec("PRAGMA journal_mode = WAL"), { every: RETRY_EVERY, deadline });
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
