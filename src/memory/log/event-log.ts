// Appends events to this device's file of the month, and never changes what is
// there. Used by event-store.ts.
//
// Any number of processes append to one file: each event is one write to a
// file opened for appending, which the system puts at the end as a whole on a
// local disk. A killed process leaves the whole line or nothing; a power failure
// or a full disk can tear the last line. So the next append starts a new line
// first, and only the torn one is lost. (Between that check of the last byte and
// the write, another process could tear a line on a disk that becomes full at
// that moment; the write that follows would fail as well.)
//
// A trace is not synced to the disk: it may be lost with the power, as the
// call that it describes was worth more than the milliseconds. What was said
// on purpose (sessions, workspaces, states) is synced before the answer.
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fstatSync, readSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, sync, syncFolders } from "../../files/files.ts";
import { blockingPause, Problem } from "../../kernel/kernel.ts";
import { lineOf, type MemoryEvent } from "./event.ts";
import { closeLogFolder, makeLogFolder, NotKept, openLogFile, type LogFolder } from "./log-folder.ts";

/** Appends events: the writing half of `EventStore`. */
export interface EventWriter {
  /**
   * The time, which never goes back in a process, or `after` if that is later; and an id that sorts after the earlier
   * ones of the process.
   */
  readonly moment: (after?: number) => { readonly id: string; readonly at: number };
  /**
   * Throws `NotKept`, or the problem that the vault is gone.
   * @returns undefined if they are written already; else a promise that settles when they are
   */
  readonly append: (events: readonly MemoryEvent[]) => Promise<void> | undefined;
  /** Like `append`, and waits until the events are on the disk. */
  readonly appendDurably: (events: readonly MemoryEvent[]) => Promise<void>;
}

interface Opening {
  readonly folder: LogFolder;
  readonly device: string;
  /** Throws if the drive of the folder is unmounted, before the folder is created. */
  readonly check: () => void;
}

const LINE_BREAK = 10;
/** How often a line is written again, or a folder created again, while the log is moved elsewhere. */
const MAX_TRIES = 20;

/** Creates nothing before the first event. */
export function openLog({ folder: place, device, check }: Opening): EventWriter {
  const { path: folder } = place;
  const process = randomBytes(6).toString("base64url");
  let count = 0;
  let last = 0;
  let lastFile = "";
  let isClosed = false;
  /** The size of a file that ends in a torn line, so that only one call waits for its end. */
  let torn: number | undefined;
  /** Folders with new names that may not be on the disk yet. */
  let unsynced: readonly string[] = [];

  const currentFile = () => join(folder, `${device}-${new Date().toISOString().slice(0, 7)}.jsonl`);

  /** Opens the file; creates it with its folder, unless the vault itself is gone. */
  const open = (path: string): number => {
    // A process that moves the log elsewhere may remove the folder between two steps.
    for (let tries = MAX_TRIES; ; tries--) {
      try {
        if (!existsSync(folder)) {
          check();
          makeLogFolder(place);
          // In a vault two folders are new; the one above them may be, too.
          unsynced = [folder, dirname(folder), dirname(dirname(folder))];
          isClosed = false;
        }
        if (!isClosed) closeLogFolder(place);
        isClosed = true;
        return openLogFile(place, path);
      } catch (error) {
        if (codeOf(error) !== "ENOENT" || tries === 0) throw error;
      }
    }
  };

  /** Appends the lines. @returns the file, still open */
  const appendLines = (path: string, lines: string): number => {
    for (let tries = MAX_TRIES; ; tries--) {
      const file = open(path);
      try {
        torn = tornEnd(file, torn);
        const bytes = Buffer.from(torn === undefined ? lines : `\n${lines}`);
        if (writeSync(file, bytes) < bytes.length) throw Object.assign(new Error("short write"), { code: "ENOSPC" });
        // If the file was moved at that moment, with these lines or without, they are written again: duplicates do no harm.
        if (isAt(file, path) || tries === 0) return file;
      } catch (error) {
        closeSync(file);
        throw error;
      }
      closeSync(file);
    }
  };

  const write = (events: readonly MemoryEvent[]): number => {
    try {
      const path = currentFile();
      // A new month adds a name to the folder.
      if (path !== lastFile) unsynced = [...unsynced, folder];
      lastFile = path;
      return appendLines(path, events.map((event) => `${lineOf(event)}\n`).join(""));
    } catch (error) {
      throw error instanceof Problem ? error : new NotKept(reasonOf(error));
    }
  };

  return {
    moment: (after = 0) => {
      last = Math.max(Date.now(), last);
      return { id: `${process}.${(count++).toString(36).padStart(4, "0")}`, at: Math.max(last, after) };
    },
    append: (events) => {
      closeSync(write(events));
      return undefined;
    },
    appendDurably: async (events) => {
      const file = write(events);
      try {
        await sync(file);
        const folders = unsynced;
        await syncFolders(folders);
        if (unsynced === folders) unsynced = [];
      } catch (error) {
        throw error instanceof Problem ? error : new NotKept(reasonOf(error));
      } finally {
        closeSync(file);
      }
    },
  };
}

function isAt(file: number, path: string): boolean {
  const [open, there] = [fstatSync(file, { bigint: true }), statSync(path, { bigint: true, throwIfNoEntry: false })];
  return open.ino === there?.ino && open.dev === there.dev;
}

/**
 * Another process may be in the middle of a write, waiting for a processor: the
 * milliseconds between two checks of the file's end, and how many without change.
 */
const [BETWEEN_LOOKS, MAX_LOOKS] = [5, 20];

/**
 * Waits while a last line without a line break grows: only one that stays was torn.
 * @param known the size at which the file was found torn before
 * @returns the size of a file that ends in a torn line
 */
function tornEnd(file: number, known: number | undefined): number | undefined {
  let before = -1;
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const { size } = fstatSync(file);
    if (size === 0) return undefined;
    const end = Buffer.alloc(1);
    if (readSync(file, end, 0, 1, size - 1) === 1 && end[0] === LINE_BREAK) return undefined;
    if (size === known) return known;
    if (size !== before) looks = 0;
    before = size;
    blockingPause(BETWEEN_LOOKS);
  }
  return before;
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "its disk is full";
    case "EROFS":
      return "its disk is read-only";
    case "EACCES":
    case "EPERM":
      return "its folder may not be written";
    default:
      return `its file was refused (${codeOf(error) || String(error)})`;
  }
}
