// The one door to node:sqlite: databases that only their owner can read, and
// errors of the database told as problems. Used by the journal and its lock.
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type * as Sqlite from "node:sqlite";
import { codeOf } from "../files/atomic.ts";
import { Problem } from "../text/problem.ts";

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
  try {
    makePrivate(path);
    return new (sqlite().DatabaseSync)(path);
  } catch (error) {
    throw databaseProblem(error);
  }
}

/**
 * SQLite gives its side files the mode of the database. A database that is
 * there must not be opened here: closing it again would drop every lock that
 * this process has on it (POSIX).
 */
function makePrivate(path: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw error;
  }
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
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

/** What the database refused; anything else as it is. */
export function databaseProblem(error: unknown): unknown {
  const code = primaryCode(error);
  const system = codeOf(error);
  if (code === 13 || system === "ENOSPC" || system === "EDQUOT")
    return new Problem(
      "denied",
      "The disk of the journal is full: nothing was changed.",
      "Free some space, then try again.",
    );
  if (code === 11 || code === 26)
    return new Problem(
      "denied",
      "The journal is damaged: nothing was changed.",
      "Move the folder `journal` out of the data folder; undo begins anew.",
    );
  if ([3, 8, 10, 14, 15].includes(code) || /^(?:EACCES|EPERM|EROFS|EIO|ENOTDIR|EEXIST)$/.test(system))
    return new Problem(
      "denied",
      "The journal cannot be written: nothing was changed.",
      "Check the permissions of the data folder.",
    );
  return error;
}
