// Moves the log to the place that the settings name: from the data folder into the
// vault, or out of it. Nothing is lost, whatever other processes do and whenever
// this one is killed. Used by app/vault-parts.ts.
//
// - A file is renamed to a random name before it is copied. A process that is
//   appending to it notices, and writes its line again (event-log.ts): duplicate
//   lines count once.
// - It is removed by that name only, after a copy of all its bytes is on the
//   disk, under a name made from them. So of two processes that move files in
//   opposite directions, neither removes what the other has just written.
// - Under each of these names a file is part of the log, in both places: what a
//   killed process left half-way is read, and moved by the next one.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  codeOf,
  contentHash,
  discard,
  isTemporaryName,
  readBytes,
  syncFolder,
  syncFolders,
  temporaryName,
  writeOwnFile,
} from "../../files/files.ts";
import { blockingPause } from "../../kernel/kernel.ts";
import { leadsElsewhere, makeLogFolder, NotKept, type LogFolder } from "./log-folder.ts";

const MAX_TRIES = 200;

interface Transfer {
  readonly from: LogFolder;
  readonly to: LogFolder;
  /** This device. The files of others stay in the vault, where those still write them. */
  readonly device: () => string;
}

/** @returns the number of files that were moved */
export async function moveLog({ from, to, device }: Transfer): Promise<number> {
  if (leadsElsewhere(from) || !existsSync(from.isInVault ? dirname(from.path) : from.path)) return 0;
  const names = filesIn(from).length === 0 ? [] : filesToMove(from, device());
  const isBehindLink = leadsElsewhere(to);
  if (names.length > 0 && isBehindLink) throw new NotKept("its folder is a link to another");
  let moved = 0;
  for (const name of names) moved += Number(await moveFile(name, from, to));
  if (moved > 0) await syncFolders([dirname(to.path), dirname(dirname(to.path))]);
  for (const { path } of isBehindLink ? [from] : [from, to]) removeTemporaries(path);
  removeIfEmpty(from);
  return moved;
}

/** The names of the files that would be moved. */
export function filesToMove(from: LogFolder, device: string | undefined): string[] {
  return filesIn(from).filter((name) => !(from.isInVault && isOfAnother(name, device)));
}

/** The names of the log's files in a folder. */
export function filesIn(folder: LogFolder): string[] {
  return leadsElsewhere(folder) ? [] : namesIn(folder.path).filter((name) => name.endsWith(".jsonl"));
}

/** Files begin with the name of their device (event-log.ts), and so do the copies that sync programs make. */
function isOfAnother(name: string, device: string | undefined): boolean {
  const [, named] = /^([0-9a-f]{8})-\d{4}-\d\d/.exec(name) ?? [];
  return named !== undefined && named !== device;
}

async function moveFile(name: string, from: LogFolder, to: LogFolder): Promise<boolean> {
  const claimed = join(from.path, movedName(name, randomBytes(8).toString("hex")));
  try {
    renameSync(join(from.path, name), claimed);
  } catch (error) {
    // Another process is moving it.
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
  let bytes: Buffer;
  try {
    bytes = readBytes(claimed);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
  await keepCopy(to, name, bytes);
  try {
    unlinkSync(claimed);
  } catch (error) {
    // Another process has moved it as well: then there are two copies.
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return true;
}

function movedName(name: string, tag: string): string {
  return name.replace(/(?:\.carried-[0-9a-f]{16})?\.jsonl$/, `.carried-${tag}.jsonl`);
}

/** A copy that a killed process made already is not made again. */
async function keepCopy(to: LogFolder, name: string, bytes: Buffer): Promise<void> {
  const path = join(to.path, movedName(name, contentHash(bytes).slice(0, 16)));
  if (!holds(path, bytes)) {
    const isFree = !existsSync(path);
    writeCopy(to, isFree ? path : join(to.path, movedName(name, randomBytes(8).toString("hex"))), bytes);
  }
  await syncFolder(to.path);
}

function holds(path: string, bytes: Buffer): boolean {
  try {
    return readBytes(path).equals(bytes);
  } catch {
    return false;
  }
}

/**
 * A process that moves files the other way may remove the folder at this moment: then it is created again, after a
 * random pause, so that the two do not block each other forever.
 */
function writeCopy(to: LogFolder, path: string, bytes: Buffer, tries = MAX_TRIES): void {
  const temporary = join(to.path, temporaryName());
  try {
    makeLogFolder(to);
    writeOwnFile(temporary, bytes, true);
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    if (codeOf(error) !== "ENOENT" || tries === 0) throw error;
    blockingPause(1 + Math.random() * 4);
    writeCopy(to, path, bytes, tries - 1);
  }
}

/** Removes what killed processes left. A running process writes its file again. */
function removeTemporaries(folder: string): void {
  for (const name of namesIn(folder)) if (isTemporaryName(name)) discard(join(folder, name));
}

/** Leaves no trace of memory in the vault; a process that appends at this moment creates the folders again. */
function removeIfEmpty({ path, isInVault }: LogFolder): void {
  for (const folder of isInVault ? [path, dirname(path)] : [path]) {
    try {
      rmdirSync(folder);
    } catch {
      // It is not empty, or it is gone.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test(codeOf(error))) return [];
    throw error;
  }
}
