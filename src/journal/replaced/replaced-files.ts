// Watches files that a change has replaced. A program that opened one before our
// rename, as all do that save in place, writes into a file without a name: its
// save would be lost. So the file keeps a second name in a folder of ours, and is
// looked at for a while; what is written into it is brought back (bring-back.ts).
// The second name outlives a killed process, and the next one goes on with it.
//
// A disk other than that of our data folder can hold no such name: there the
// file is held open instead, where the system allows that. Used by open-journal.ts.
import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  unlinkSync,
  type BigIntStats,
} from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  closeToOthers,
  codeOf,
  contentHashOf,
  type EntryPath,
  isSameFile,
  makeOwnFolder,
  MAX_FILE_BYTES,
  openForReading,
  openForWriting,
  piecesOf,
  readPart,
} from "../../files/files.ts";
import { operatingSystem } from "../../kernel/kernel.ts";
import type { Patch } from "../plan/action.ts";

/** When a replaced file is looked at, in milliseconds after it was replaced or last written. The last look ends the watch. */
const LOOKS = [100, 300, 1_000, 3_000, 10_000];

/** The same for a file that is held open: its disk cannot be unmounted. */
const LOOKS_HELD = LOOKS.slice(0, -1);

/** How long a file that was written must be left alone before it is read, in milliseconds. */
const REST = 150;

/** Between two looks at a file that was written. */
const LOOK_AGAIN = 50;

/** How long an orderly end waits for a program that is seen or suspected to write. */
const MAX_WAIT = 2_000;
/** The same if it is seen to have a file open that has no second name: the next process would know nothing of it. */
const MAX_WAIT_HELD = 10_000;

/** Limits for the files that are watched at a time; beyond them the oldest gets its last look early. */
const MAX_FILES = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Those that are held open, since the handles of a process are limited. */
const MAX_HANDLES = 64;

/** A file that was replaced, and what is known of it. */
export interface Replaced {
  /** The journal's entry that replaced it, and the index of the action. */
  readonly number: number;
  readonly index: number;
  /** Unknown if another process replaced it. */
  readonly path: EntryPath | undefined;
  /** The hash of its content when it was replaced, or last brought back. */
  readonly base: string;
  /** Reads the current content of the file; undefined if it is too large to be read whole. */
  readonly read: () => Buffer | undefined;
  /** To be called under the lock, once content with this hash is brought back: no process does it again. */
  readonly broughtBack: (hash: string) => void;
}

interface Watched extends Replaced {
  base: string;
  /** The second name, unless it is held open. */
  at: string | undefined;
  readonly handle: number | undefined;
  readonly name: string;
  readonly size: number;
  /** Undefined until the content was compared with `base`. */
  seen: BigIntStats | undefined;
  /** When it was replaced or last written, by `performance.now()`. */
  since: number;
  looks: number;
  due: number;
  isWritten: boolean;
  /** True if it was empty when it was replaced, or was written since: a program may have it open. */
  isSuspect: boolean;
  /** True if the log says that something is wrong with it. */
  isReported: boolean;
}

/** Brings back what was written into a file. Throws if that cannot be done now: it is tried again. */
export type BringBack = (replaced: Replaced) => Promise<void>;

/** Another program has written the file since it was compared. */
export class Overtaken extends Error {}

/** A file whose replacement is under way. */
export interface Kept {
  /** Throws `Overtaken` if it is not the file that was kept, or was written since. Call it right before the rename. */
  readonly check: () => void;
  /** After the rename, or instead of it. */
  readonly replaced: () => void;
  readonly release: () => void;
}

export class ReplacedFiles {
  readonly #folder: () => string;
  readonly #bringBack: BringBack;
  readonly #log: (message: string) => void;
  readonly #watched = new Set<Watched>();
  #bytes = 0;
  #handles = 0;
  #hasFolder = false;
  /** True if the disk of the files has no room for names in our folder. */
  #isElsewhere = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  /** @param folder where second names are kept */
  constructor(folder: () => string, bringBack: BringBack, log: (message: string) => void) {
    this.#folder = folder;
    this.#bringBack = bringBack;
    this.#log = log;
  }

  /** Keeps the file at a path that a change is about to replace; undefined if that is not possible. */
  keep(path: string, stats: BigIntStats, patch: Patch, number: number, index: number): Kept | undefined {
    const at = this.#link(path, stats, nameOf({ number, index, base: patch.before }));
    const handle = at === undefined ? this.#hold(path) : undefined;
    if (at === undefined && handle === undefined) return undefined;
    const look = () => (at === undefined ? fstatSync(handle!, { bigint: true }) : lstatSync(at, { bigint: true }));
    const release = () => {
      if (handle !== undefined) closeSync(handle);
      else discard(at!);
    };
    return {
      check: () => {
        if (!isUnwritten(look(), stats)) throw new Overtaken();
      },
      replaced: () => {
        if (at !== undefined) orUndefined(() => closeToOthers(at));
        const now = orUndefined(look);
        const seen = now !== undefined && isUnwritten(now, stats) ? now : stats;
        this.#watch({
          number,
          index,
          path: patch.path,
          base: patch.before,
          at,
          handle,
          name: basename(path),
          size: Number(stats.size),
          seen,
          isSuspect: stats.size === 0n,
          isWritten: seen !== now,
        });
      },
      release,
    };
  }

  /**
   * Goes on with what other processes left: one that was killed, or that ended before the watch did.
   * @param isLocked whether no other process is changing files now
   */
  adopt(isLocked: boolean): void {
    const known = new Set([...this.#watched].map(({ at }) => at && basename(at)));
    for (const file of this.#left()) {
      const [, number, index, base] = /^(\d+)-(\d+)-([0-9a-f]{32})$/.exec(file) ?? [];
      if (base === undefined || known.has(file)) continue;
      const at = join(this.#folder(), file);
      const stats = orUndefined(() => lstatSync(at, { bigint: true }));
      if (stats?.isFile() !== true) continue;
      if (stats.nlink > 1n) {
        // The process was killed before the rename, or the file has a name of the user's: nothing in it can be lost.
        if (isLocked) discard(at);
        continue;
      }
      const [size, isSuspect] = [Number(stats.size), stats.size === 0n];
      const about = { number: Number(number), index: Number(index), path: undefined, base, size, isSuspect };
      // Its change time is that of the rename.
      const age = Math.max(0, Date.now() - Number(stats.ctimeMs));
      this.#watch({ ...about, at, handle: undefined, name: "", seen: undefined, isWritten: false }, age);
    }
  }

  /**
   * Lets go of all that nobody seems to have open: a purge deletes their content, and a full disk needs
   * their room. @returns how many there were
   */
  letGo(): number {
    this.adopt(true);
    const before = this.#watched.size;
    for (const each of this.#watched)
      if (!each.isSuspect && orUndefined(() => this.#compare(each) && this.#look(each)) === true) this.#end(each, true);
    return before - this.#watched.size;
  }

  /**
   * Ends the watch in this process. Where a program may be writing, it is waited for; the others keep
   * their second name for the next process, and are let go if they have none.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    const began = performance.now();
    for (;;) {
      await this.#lookAt([...this.#watched]);
      const awaited = await this.#mayBeWritten();
      for (const each of this.#watched) if (!awaited.has(each) && this.#isQuiet(each)) this.#end(each, false);
      const isOnlyHere = [...this.#watched].some(({ at }) => at === undefined);
      const most = isOnlyHere && operatingSystem().hasProc ? MAX_WAIT_HELD : MAX_WAIT;
      if (this.#watched.size === 0 || performance.now() - began >= most) break;
      await pause(LOOK_AGAIN);
    }
    for (const each of this.#watched) this.#end(each, false);
  }

  /** Those that were written just now, or that a program is seen or suspected to have open. */
  async #mayBeWritten(): Promise<ReadonlySet<Watched>> {
    const [written, quiet] = [new Set<Watched>(), [] as (Watched & { readonly seen: BigIntStats })[]];
    for (const each of this.#watched) {
      if (each.isWritten) written.add(each);
      else if (mayBeOpen(each)) quiet.push(each);
    }
    if (quiet.length === 0) return written;
    const now = performance.now();
    const open = (await seenOpen(quiet)) ?? quiet.filter(({ since }) => now - since < LOOKS[2]!);
    return new Set([...written, ...open]);
  }

  #watch(about: Omit<Watched, "since" | "looks" | "due" | "isReported" | "read" | "broughtBack">, age = 0): void {
    const since = performance.now() - age;
    const looks = LOOKS.findIndex((time) => time > age);
    const each: Watched = {
      ...about,
      since,
      // The last look may be overdue.
      looks: looks === -1 ? LOOKS.length - 1 : looks,
      due: since + (LOOKS[looks] ?? 0),
      isReported: false,
      read: () => withFile(each, wholeOf),
      broughtBack: (hash) => this.#rename(each, hash),
    };
    this.#watched.add(each);
    this.#bytes += each.size;
    if (each.at === undefined) this.#handles++;
    for (const oldest of this.#watched) {
      const isTooMuch = this.#watched.size > MAX_FILES || this.#bytes > MAX_BYTES || this.#handles > MAX_HANDLES;
      if (!isTooMuch || oldest === each) break;
      if (!oldest.isWritten && orUndefined(() => this.#look(oldest)) === true) this.#end(oldest, true);
      else break;
    }
    this.#wake(LOOKS[0]!);
  }

  #wake(wait: number): void {
    if (this.#isClosed) return;
    // A process need not live for it: an orderly end comes through close().
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#looking ??= this.#onTime().finally(() => (this.#looking = undefined));
    }, wait).unref();
  }

  async #onTime(): Promise<void> {
    const now = performance.now();
    await this.#lookAt([...this.#watched].filter(({ due }) => due <= now));
    // Another process may have been killed since.
    if (this.#watched.size === 0) this.adopt(false);
    if (this.#watched.size === 0) return;
    const next = [...this.#watched].reduce((least, { due }) => Math.min(least, due), Infinity);
    this.#wake(Math.max(LOOK_AGAIN, next - performance.now()));
  }

  async #lookAt(files: readonly Watched[]): Promise<void> {
    for (const each of files)
      try {
        await this.#lookAtOne(each);
      } catch (error) {
        if (codeOf(error) === "ENOENT") this.#end(each, false);
        else this.#report(each, `a replaced file cannot be watched: ${(error as Error).message}`);
      }
  }

  async #lookAtOne(each: Watched): Promise<void> {
    this.#compare(each);
    this.#look(each);
    const now = performance.now();
    if (each.isWritten) {
      each.due = now + LOOK_AGAIN;
      // An emptied file will be written, or somebody wanted it to be empty.
      if (each.seen!.size === 0n ? now - each.since < LOOKS.at(-1)! : now - each.since < REST) return;
      if (each.seen!.size > 0n && !(await this.#bring(each))) return;
      each.isWritten = false;
      each.isSuspect = true;
      each.looks = 0;
    } else if (now >= each.due) each.looks++;
    const next = (each.at === undefined ? LOOKS_HELD : LOOKS)[each.looks];
    if (next !== undefined) each.due = each.since + next;
    else if (mayBeOpen(each) && (await seenOpen([each]))?.length === 1) each.due = now + LOOKS[3]!;
    else if (this.#isQuiet(each)) this.#end(each, true);
    else each.due = now + LOOK_AGAIN;
  }

  /** Looks once more: a program may have written and closed the file while it was looked for. */
  #isQuiet(each: Watched): boolean {
    return orUndefined(() => this.#look(each)) ?? true;
  }

  /** Checks a file left by another process: only its content shows whether it was written. */
  #compare(each: Watched): boolean {
    if (each.seen === undefined)
      withFile(each, (file) => {
        each.seen = fstatSync(file, { bigint: true });
        each.isWritten = contentHashOf(piecesOf(file)) !== each.base;
      });
    return !each.isWritten;
  }

  async #bring(each: Watched): Promise<boolean> {
    try {
      await this.#bringBack(each);
      each.since = performance.now();
      return true;
    } catch (error) {
      if (codeOf(error) === "ENOENT") throw error;
      // Another process has brought it back: its name is gone.
      if (each.at !== undefined) lstatSync(each.at);
      this.#report(each, `what another program saved cannot be brought back yet: ${(error as Error).message}`);
      return false;
    }
  }

  /** Once for each file. It is tried again for as long as there is a process. */
  #report(each: Watched, message: string): void {
    if (!each.isReported) this.#log(message);
    each.isReported = true;
    each.due = performance.now() + LOOKS[3]!;
  }

  /** The name says what was brought back, for other processes. */
  #rename(each: Watched, hash: string): void {
    each.base = hash;
    const { at, seen } = each;
    if (at === undefined) return;
    each.at = join(this.#folder(), nameOf(each));
    renameSync(at, each.at);
    const now = lstatSync(each.at, { bigint: true });
    // It may have been written since it was read. The rename itself has changed the change time.
    if (seen !== undefined && isUnwritten(now, seen)) each.seen = now;
  }

  /** @returns whether nobody has written it since the last look */
  #look(each: Watched): boolean {
    const { at, handle, seen } = each;
    try {
      const now = at === undefined ? fstatSync(handle!, { bigint: true }) : lstatSync(at, { bigint: true });
      if (seen !== undefined && isUnwritten(now, seen) && now.ctimeNs === seen.ctimeNs) return !each.isWritten;
      each.seen = now;
      each.isWritten = true;
      each.since = performance.now();
      return false;
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      // Another process has ended the watch.
      return true;
    }
  }

  /** @param isOver whether the second name goes as well */
  #end(each: Watched, isOver: boolean): void {
    if (!this.#watched.delete(each)) return;
    this.#bytes -= each.size;
    if (each.handle !== undefined) {
      this.#handles--;
      closeSync(each.handle);
    } else if (isOver) discard(each.at!);
  }

  /** @param stats of the file when it was compared */
  #link(path: string, stats: BigIntStats, name: string): string | undefined {
    if (this.#isElsewhere) return undefined;
    const at = join(this.#folder(), name);
    try {
      if (!this.#hasFolder) makeOwnFolder(this.#folder());
      this.#hasFolder = true;
      linkSync(path, at);
      if (isSameFile(statsOf(at), stats) || !isSameFile(statsOf(path), stats)) return at;
      // File systems without numbers of their own give each name of a file another one, and so does Wine on each drive.
      discard(at);
      this.#isElsewhere = true;
      return undefined;
    } catch (error) {
      // The folder was removed, or the name is taken by what a failed change left.
      if (codeOf(error) === "ENOENT") this.#hasFolder = false;
      else if (codeOf(error) === "EEXIST") discard(at);
      else this.#isElsewhere = true;
      return undefined;
    }
  }

  /** Not on Windows, where a file that is open cannot be replaced. */
  #hold(path: string): number | undefined {
    if (operatingSystem().locksOpenFiles) return undefined;
    return orUndefined(() => openForReading(path));
  }

  #left(): string[] {
    return orUndefined(() => readdirSync(this.#folder())) ?? [];
  }
}

function statsOf(path: string): BigIntStats {
  return lstatSync(path, { bigint: true });
}

function nameOf({ number, index, base }: Pick<Replaced, "number" | "index" | "base">): string {
  return `${number}-${index}-${base}`;
}

/** A handle that is held is read by position, and stays where it is. */
function withFile<T>({ at, handle }: Watched, work: (file: number) => T): T {
  const file = at === undefined ? handle! : openForReading(at);
  try {
    return work(file);
  } finally {
    if (at !== undefined) closeSync(file);
  }
}

function wholeOf(file: number): Buffer | undefined {
  const { size } = fstatSync(file);
  return size > MAX_FILE_BYTES ? undefined : readPart(file, 0, size);
}

/** Worth a look at all processes: a program is suspected to have it open, or it would be lost with this process. */
function mayBeOpen(each: Watched): each is Watched & { readonly seen: BigIntStats } {
  return each.seen !== undefined && (each.isSuspect || each.at === undefined);
}

/** Those that a program is seen to have open for writing; undefined where the system does not say it. */
async function seenOpen<File extends Watched & { readonly seen: BigIntStats }>(
  files: readonly File[],
): Promise<readonly File[] | undefined> {
  const named = files.map((file) => ({ file, name: file.name, stats: file.seen }));
  const open = await openForWriting(named);
  return open && [...open].map(({ file }) => file);
}

/** Returns whether the content is the same, as far as size and time of modification show. */
function isUnwritten(now: BigIntStats, then: BigIntStats): boolean {
  return isSameFile(now, then) && now.size === then.size && now.mtimeNs === then.mtimeNs;
}

/** Watching is no reason for a change to fail. */
function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Another process may be faster. */
function discard(path: string): void {
  orUndefined(() => unlinkSync(path));
}
