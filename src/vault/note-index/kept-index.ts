// An index of notes in SQLite and what keeps it up to date: sweeps of a folder
// (kept-folder.ts), or the feed of a space in a shared store (kept-space.ts).
import type { StoredFiles } from "../../files/files.ts";
import type { Freshness, SweepOptions } from "../../search/search.ts";
import type { IndexedFiles } from "./indexed-files.ts";
import type { NoteIndex } from "./note-index.ts";
import type { Swept } from "./sweep.ts";

/** Reads a file that the index has; undefined if it is gone. Throws a problem if it cannot be read. */
export type ReadFile = (path: string) => Promise<{ readonly bytes: Buffer } | undefined>;

export interface KeptIndex extends Pick<NoteIndex, "stamp" | "noteWritten" | "close"> {
  readonly root: StoredFiles;
  /** For what gives meaning to passages. */
  readonly files: Pick<IndexedFiles, "ahead">;
  /** Work that has to end before the index is closed. */
  readonly tracked: <T>(work: Promise<T>) => Promise<T>;
  /** Asks once the index has what changed before, or, after a short wait, without. It may be asked again on a new index. */
  readonly ask: <T extends Freshness>(
    question: (freshness: Freshness) => Promise<T>,
    options?: SweepOptions,
  ) => Promise<T>;
  /** Prepares to read some files: those of a shared store come at once. */
  readonly readers: (paths: readonly string[]) => Promise<ReadFile>;
  /**
   * Indexes everything that was there at this time, and then does the rest.
   * @param isRebuild whether the index is emptied first
   */
  readonly refresh: (
    time: number,
    options: SweepOptions,
    isRebuild: boolean,
    rest: () => Promise<unknown>,
  ) => Promise<Swept | undefined>;
  /** Asks for a plan of a change. Undefined if the index is not complete. */
  readonly inPlan: (question: () => Promise<Set<string>>) => Promise<ReadonlySet<string> | undefined>;
  /** Asks the index as it is, without waiting; undefined if there is none. */
  readonly ifThere: <T>(question: () => T) => Promise<T | undefined>;
}
