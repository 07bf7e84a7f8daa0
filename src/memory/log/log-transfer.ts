// Carries the log to where the person wants it now: from the data folder into
// the vault, or out of it. Nothing is lost, whatever else is at work and
// whenever the process is killed:
//
// - A file is renamed to a name that nobody else knows before it is copied. A
//   process that is appending to it just then notices, and writes its line
//   again (event-log.ts): a line that is there twice counts once.
// - It is removed by that name only, after a copy of all its bytes is on the
//   disk, under a name made from them. So of two processes that carry in
//   opposite directions, neither removes what the other has just put there.
// - Under each of these names a file is part of the log, in both places: what a
//   killed process left half-way is read, and carried by the next one.
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

const MOST_TRIES = 200;

interface Carrying {
  readonly from: LogFolder;
  readonly to: LogFolder;
  /** This one. The files of others stay in the vault: those are still at work there. */
  readonly device: () => string;
}

/** @returns how many files it carried */
export async function carryLog({ from, to, device }: Carrying): Promise<number> {
  if (leadsElsewhere(from) || !existsSync(from.isInVault ? dirname(from.path) : from.path)) return 0;
  const names = filesIn(from).length === 0 ? [] : filesToCarry(from, device());
  const isBehindLink = leadsElsewhere(to);
  if (names.length > 0 && isBehindLink) throw new NotKept("its folder is a link to another");
  let carried = 0;
  for (const name of names) carried += Number(await carryFile(name, from, to));
  if (carried > 0) await syncFolders([dirname(to.path), dirname(dirname(to.path))]);
  for (const { path } of isBehindLink ? [from] : [from, to]) removeTemporaries(path);
  removeIfEmpty(from);
  return carried;
}

/** What the next call would carry. */
export function filesToCarry(from: LogFolder, device: string | undefined): string[] {
  return filesIn(from).filter((name) => !(from.isInVault && isOfAnother(name, device)));
}

/** The files of the log that are there. */
export function filesIn(folder: LogFolder): string[] {
  return leadsElsewhere(folder) ? [] : namesIn(folder.path).filter((name) => name.endsWith(".jsonl"));
}

/** Its files begin with the name of the device (event-log.ts), and the copies that a sync program makes of them do. */
function isOfAnother(name: string, device: string | undefined): boolean {
  const [, named] = /^([0-9a-f]{8})-\d{4}-\d\d/.exec(name) ?? [];
  return named !== undefined && named !== device;
}

async function carryFile(name: string, from: LogFolder, to: LogFolder): Promise<boolean> {
  const claimed = join(from.path, carriedName(name, randomBytes(8).toString("hex")));
  try {
    renameSync(join(from.path, name), claimed);
  } catch (error) {
    // Another process has it in hand.
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
    // Another process has carried it as well: then it is there twice.
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return true;
}

function carriedName(name: string, tag: string): string {
  return name.replace(/(?:\.carried-[0-9a-f]{16})?\.jsonl$/, `.carried-${tag}.jsonl`);
}

/** A copy that a killed process made before is not made again. */
async function keepCopy(to: LogFolder, name: string, bytes: Buffer): Promise<void> {
  const path = join(to.path, carriedName(name, contentHash(bytes).slice(0, 16)));
  if (!holds(path, bytes)) {
    const isFree = !existsSync(path);
    writeCopy(to, isFree ? path : join(to.path, carriedName(name, randomBytes(8).toString("hex"))), bytes);
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
 * A process that carries the other way may remove the folder just now: then it is made again, after a moment, so that
 * two that are at it in turn do not hinder each other for ever.
 */
function writeCopy(to: LogFolder, path: string, bytes: Buffer, tries = MOST_TRIES): void {
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

/** What killed processes left. One that is still at work makes its own again. */
function removeTemporaries(folder: string): void {
  for (const name of namesIn(folder)) if (isTemporaryName(name)) discard(join(folder, name));
}

/** The vault is left as if there had never been a memory; a process that appends just now makes the folders again. */
function removeIfEmpty({ path, isInVault }: LogFolder): void {
  for (const folder of isInVault ? [path, dirname(path)] : [path]) {
    try {
      rmdirSync(folder);
    } catch {
      // Something is in it, or it is gone.
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
