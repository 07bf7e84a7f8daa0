// The one module that opens files. Whatever lies at a path by the time it is
// opened, nothing here waits for a pipe, a device or a socket, and only a
// regular file is handed on: the check is made on what is open, not on what was
// listed before. A scan (test/opened-files.test.ts) keeps the system's own calls
// out of every other module.
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

export interface Opening {
  /**
   * Whether the path may be a link. People link their settings and the stores of
   * their programs to where they really are; nothing in a vault is opened so.
   */
  readonly followsLinks?: boolean;
}

const FOLLOWING: Opening = { followsLinks: true };

/** A pipe, a device, a socket, a folder, or a link where none is followed. */
class NotAFile extends Error {
  readonly code: string;

  constructor(path: string, code: string) {
    super(`${code}: not a regular file, '${path}'`);
    this.code = code;
  }
}

/** Whether a path led to something else than a file: a link, a folder, a pipe, a socket. */
export function isNoFile(error: unknown): boolean {
  return /^(?:ELOOP|EMLINK|EISDIR|ENOTDIR|EFTYPE|ENXIO)$/.test((error as NodeJS.ErrnoException).code ?? "");
}

/** The caller closes it. Throws what the system says, EISDIR for a folder, or EFTYPE for what is no regular file. */
export function openForReading(path: string, opening: Opening = {}): number {
  return openRegular(path, constants.O_RDONLY, opening);
}

/** Makes the file where it is missing; what is written goes to its end. */
export function openForAppending(path: string, mode: number): number {
  return openRegular(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, {}, mode);
}

/** For what must be synced through a handle that may write. */
export function openForSyncing(path: string): number {
  return openRegular(path, constants.O_RDWR, FOLLOWING);
}

/** A file that is not there yet: EEXIST where anything is, a link to nothing too. */
export function createNew(path: string, mode = 0o666): number {
  return openSync(path, "wx", mode);
}

/** A pipe that took the folder's place is refused, not waited for. */
export function openFolder(path: string, { followsLinks = false }: Opening = {}): number {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  return openSync(path, O_RDONLY | O_DIRECTORY | (followsLinks ? 0 : O_NOFOLLOW));
}

/** All that is in an open file. */
export function readOpened(file: number): Buffer {
  return readFileSync(file);
}

export function readBytes(path: string, opening?: Opening): Buffer {
  return withFile(path, opening, readOpened);
}

export function readText(path: string, opening?: Opening): string {
  return withFile(path, opening, (file) => readFileSync(file, "utf8"));
}

/** The first bytes of a file that may be of any size. */
export function readBeginning(path: string, most: number, opening?: Opening): Buffer {
  return withFile(path, opening, (file) => {
    const buffer = Buffer.alloc(Math.min(most, fstatSync(file).size));
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0));
  });
}

/** Follows links. Blocks are shared where the disk can do that. */
export function copyTo(target: string, path: string): void {
  withFile(path, FOLLOWING, (file) => {
    // By the open file, where it has a path of its own: what is at the first one may be a pipe by now.
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
  if (process.platform === "win32") return openOnWindows(path, flags, followsLinks, mode);
  const { O_NOFOLLOW, O_NONBLOCK } = constants;
  return checked(openSync(path, flags | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW), mode), path);
}

/** Windows has neither flag, and opens no pipe by a path in a folder: the entry is the same before and after. */
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

/** The real path of what is open, whatever happened to it since. Only Linux knows it. */
export function openedAt(file: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const path = readlinkSync(`/proc/self/fd/${file}`);
    // What was just removed, or is outside of what this process sees, is named otherwise.
    return path.startsWith("/") && !path.endsWith(" (deleted)") ? path : undefined;
  } catch {
    return undefined;
  }
}
