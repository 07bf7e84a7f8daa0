// The only module that opens files. Nothing here blocks on a pipe, a device or
// a socket, and only regular files are returned: the check is made on the open
// file, since another program may replace what was listed before.
// test/opened-files.test.ts keeps the system's own calls out of other modules.
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { basename } from "node:path";
import { operatingSystem, Problem } from "../../kernel/kernel.ts";

/** The default limit for a file that is read whole: notes, outlines, settings. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Thrown before anything is read. */
export class FileTooLarge extends Problem {
  constructor(path: string, size: number, most: number, hint?: string) {
    const sizes = `it has ${megabytes(size)}, and at most ${megabytes(most)} are read`;
    super("too_large", `The file ${basename(path)} is too large: ${sizes}.`, hint);
  }
}

/** `64 MB`, `1,500 MB`. Not with toLocaleString, whose first use loads Node's locale data: 11 ms, 8 MB. */
export function megabytes(bytes: number): string {
  const number = String(Math.ceil(bytes / 1024 / 1024));
  return `${number.replace(/\B(?=(?:\d{3})+$)/g, ",")} MB`;
}

export interface Opening {
  /**
   * True if the path may be a link. People link settings and the stores of their
   * programs to other places; in a vault, no link is followed here.
   */
  readonly followsLinks?: boolean;
}

const FOLLOWING: Opening = { followsLinks: true };

/** A pipe, a device, a socket, a folder, or a link if none is followed. */
class NotAFile extends Error {
  readonly code: string;

  constructor(path: string, code: string) {
    super(`${code}: not a regular file, '${path}'`);
    this.code = code;
  }
}

/** Returns whether a path led to something other than a file: a link, a folder, a pipe, a socket. */
export function isNoFile(error: unknown): boolean {
  return /^(?:ELOOP|EMLINK|EISDIR|ENOTDIR|EFTYPE|ENXIO)$/.test((error as NodeJS.ErrnoException).code ?? "");
}

/** The caller closes it. Throws the system's error, EISDIR for a folder, or EFTYPE for anything else but a file. */
export function openForReading(path: string, opening: Opening = {}): number {
  return openRegular(path, constants.O_RDONLY, opening);
}

/** Creates the file if it is missing; writes go to its end. */
export function openForAppending(path: string, mode: number): number {
  return openRegular(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, {}, mode);
}

/** Writes replace the bytes that are there. */
export function openForOverwriting(path: string): number {
  return openRegular(path, constants.O_RDWR, {});
}

/** A handle for fsync, which needs write access on some systems. */
export function openForSyncing(path: string): number {
  return openRegular(path, constants.O_RDWR, FOLLOWING);
}

/** Creates a file: throws EEXIST if anything exists there, even a broken link. */
export function createNew(path: string, mode = 0o666): number {
  return openSync(path, "wx", mode);
}

/** Copies a file by the system's own call: a clone, which shares the content, where the disk can make one. */
export function cloneTo(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

/** Opens a file that this process has just made, without its content. */
export function openEmptied(path: string): number {
  return openSync(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
}

/** Fails, without blocking, if a pipe has replaced the folder. */
export function openFolder(path: string, { followsLinks = false }: Opening = {}): number {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  return openSync(path, O_RDONLY | O_DIRECTORY | (followsLinks ? 0 : O_NOFOLLOW));
}

/** The content of an open file. Throws FileTooLarge before it reads a larger one. */
export function readOpened(file: number, path: string, most: number = MAX_FILE_BYTES): Buffer {
  const { size } = fstatSync(file);
  if (size > most) throw new FileTooLarge(path, size, most);
  return readFileSync(file);
}

export function readBytes(path: string, opening?: Opening, most?: number): Buffer {
  return withFile(path, opening, (file) => readOpened(file, path, most));
}

export function readText(path: string, opening?: Opening): string {
  return readBytes(path, opening).toString("utf8");
}

/** How much to read at a time of a file that is not read whole. */
const PIECE_BYTES = 1024 * 1024;

/** An open file in pieces, each valid until the next. */
export function* piecesOf(file: number): Generator<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; ;) {
    const read = readSync(file, piece, 0, piece.length, at);
    if (read === 0) return;
    at += read;
    yield piece.subarray(0, read);
  }
}

/** Some bytes of an open file; fewer only at its end. */
export function readPart(file: number, at: number, length: number): Buffer {
  const part = Buffer.allocUnsafe(Math.max(0, Math.min(length, fstatSync(file).size - at)));
  let done = 0;
  while (done < part.length) {
    const read = readSync(file, part, done, part.length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return part.subarray(0, done);
}

/** The first bytes of a file that may be of any size. */
export function readBeginning(path: string, most: number, opening?: Opening): Buffer {
  return withFile(path, opening, (file) => {
    const buffer = Buffer.alloc(Math.min(most, fstatSync(file).size));
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0));
  });
}

/** Follows links. Shares blocks if the disk supports it. */
export function copyTo(target: string, path: string): void {
  withFile(path, FOLLOWING, (file) => {
    // Through the open file if possible: a pipe may have replaced it at its path.
    const source = openedAt(file) === undefined ? path : `/proc/self/fd/${file}`;
    copyFileSync(source, target, constants.COPYFILE_FICLONE);
  });
}

function withFile<T>(path: string, opening: Opening | undefined, work: (file: number) => T): T {
  const file = openForReading(path, opening);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

function openRegular(path: string, flags: number, { followsLinks = false }: Opening, mode?: number): number {
  if (!operatingSystem().hasOpenFlags) return openOnWindows(path, flags, followsLinks, mode);
  const { O_NOFOLLOW, O_NONBLOCK } = constants;
  return checked(openSync(path, flags | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW), mode), path);
}

/** Windows has neither flag, and no pipes in folders: compares the entry before and after opening. */
function openOnWindows(path: string, flags: number, followsLinks: boolean, mode?: number): number {
  const before = followsLinks ? undefined : lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (before?.isSymbolicLink()) throw new NotAFile(path, "ELOOP");
  const file = checked(openSync(path, flags, mode), path);
  const after = before && fstatSync(file, { bigint: true });
  if (after?.ino === before?.ino && after?.dev === before?.dev) return file;
  closeSync(file);
  throw new NotAFile(path, "ELOOP");
}

function checked(file: number, path: string): number {
  const stats = fstatSync(file);
  if (stats.isFile()) return file;
  closeSync(file);
  throw new NotAFile(path, stats.isDirectory() ? "EISDIR" : "EFTYPE");
}

/** The current real path of an open file or folder. Only Linux knows it. */
export function openedAt(file: number): string | undefined {
  if (!operatingSystem().hasProc) return undefined;
  try {
    const path = readlinkSync(`/proc/self/fd/${file}`);
    // A removed file, or one outside the view of this process, has another form.
    return path.startsWith("/") && !path.endsWith(" (deleted)") ? path : undefined;
  } catch {
    return undefined;
  }
}
