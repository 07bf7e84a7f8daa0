// The files that should be in a place, as far as its journal knows: what it wrote or
// moved there, and what it took away. Shows whether a folder is the one that was
// changed before, or the empty place where a drive is not mounted yet. Used by the
// vault and by the outlines, through the journal's door.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder, readText, replaceWhole } from "../files/files.ts";
import { isRecord, parseJson } from "../kernel/kernel.ts";
import { type Database, lookInto } from "../sqlite/sqlite.ts";
import { journalName } from "./journal-names.ts";
import { FOLDER } from "./plan/action.ts";

export interface KnownPaths {
  /** Files that the journal left in the place. */
  readonly present: ReadonlySet<string>;
  /** Returns whether the journal itself moved or removed what was at a path. */
  readonly isGone: (path: string) => boolean;
}

/** A person's statement that a place is right as it is. */
export interface Accepted {
  /** The newest entry at that time. */
  readonly entry: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Of the entries, the newest are looked at. */
const MAX_ENTRIES = 5_000;

/** @param journals the folder of all journals. @param subject as `journalName` takes it */
export function knownPaths(journals: string, subject: string): KnownPaths {
  const file = databaseOf(journals, subject);
  const known = new Replay();
  if (!existsSync(file)) return known;
  const since = acceptedAt(journals, subject)?.entry ?? 0;
  try {
    for (const actions of lookInto(file, (database) => actionsAfter(database, since))) known.apply(actions);
  } catch {
    // A damaged journal knows nothing; a change reports it.
  }
  return known;
}

/** Undefined if nobody has said so. */
export function acceptedAt(journals: string, subject: string): Accepted | undefined {
  try {
    const { entry, at } = parseJson(readText(acceptedFile(journals, subject))) as Accepted;
    return { entry: Number(entry), at: Number(at) };
  } catch {
    return undefined;
  }
}

/** Remembers that a place is right as it is now: what was known of it before no longer counts. */
export function accept(journals: string, subject: string): void {
  const file = databaseOf(journals, subject);
  const entry = existsSync(file)
    ? Number(
        lookInto(file, (database) => database.prepare("SELECT max(number) AS newest FROM entry").get())?.["newest"],
      )
    : 0;
  makeOwnFolder(journals);
  replaceWhole(acceptedFile(journals, subject), JSON.stringify({ entry, at: Date.now() }));
}

/** The files from which this follows, for callers that keep the answer while they stay the same. */
export function knowledgeFiles(journals: string, subject: string): string[] {
  const file = databaseOf(journals, subject);
  return [file, `${file}-wal`, acceptedFile(journals, subject)];
}

function databaseOf(journals: string, subject: string): string {
  return join(journals, `${journalName(subject)}.db`);
}

function acceptedFile(journals: string, subject: string): string {
  return join(journals, `${journalName(subject)}.accepted`);
}

/** Oldest first. What cannot be read is left out. */
function actionsAfter(database: Database, number: number): unknown[][] {
  return database
    .prepare("SELECT actions FROM entry WHERE state = 1 AND number > ? ORDER BY number DESC LIMIT ?")
    .all(number, MAX_ENTRIES)
    .map((row) => parseJson(String(row["actions"])))
    .filter((actions) => Array.isArray(actions))
    .toReversed();
}

class Replay implements KnownPaths {
  readonly present = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #goneFolders = new Set<string>();

  apply(actions: readonly unknown[]): void {
    for (const action of actions) {
      if (!isRecord(action) || typeof action["path"] !== "string") continue;
      const { kind, path, to, fingerprint } = action;
      if (kind === "put" || kind === "patch") this.#add(path);
      else if (kind === "move" && typeof to === "string")
        if (fingerprint === FOLDER) this.#moveFolder(path, to);
        else this.#move(path, to);
    }
  }

  readonly isGone = (path: string): boolean => {
    if (this.present.has(path)) return false;
    return this.#gone.has(path) || [...this.#goneFolders].some((folder) => path.startsWith(folder));
  };

  #add(path: string): void {
    this.#gone.delete(path);
    // The trash may be emptied by the person, and what is hidden is no note.
    if (!path.startsWith(".")) this.present.add(path);
  }

  #move(path: string, to: string): void {
    this.present.delete(path);
    this.#gone.add(path);
    this.#add(to);
  }

  #moveFolder(path: string, to: string): void {
    for (const each of this.present) if (each.startsWith(`${path}/`)) this.#move(each, to + each.slice(path.length));
    this.#goneFolders.add(`${path}/`);
    this.#goneFolders.delete(`${to}/`);
    for (const each of this.#gone) if (each.startsWith(`${to}/`)) this.#gone.delete(each);
  }
}
