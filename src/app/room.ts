// Room on a full disk: our own caches give way, so that a change or an undo is not
// refused for them. First the write-ahead logs of all databases, which may be many
// megabytes, then everything in the cache folder: it can be built again. Used by
// parts.ts, for the journals.
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Folders } from "../files/files.ts";
import type { Log } from "../kernel/kernel.ts";
import { emptyLog, removeDatabaseFiles } from "../sqlite/sqlite.ts";

interface Caches {
  readonly folders: Folders;
  /** Closes what this process has open of them: a deleted file takes room until then. */
  readonly release: () => Promise<void>;
  readonly log: Log;
}

/** Less does not count: the next attempt would fail as well. */
const MIN_BYTES = 100_000;

/**
 * Frees some of the disk that a folder is on.
 * @param isAgain logs alone did not suffice: what is tried again fills them as before
 * @returns false if nothing more can be freed there
 */
export async function makeRoom({ folders, release, log }: Caches, folder: string, isAgain: boolean): Promise<boolean> {
  const here = deviceOf(folder);
  const filesHere = (each: string) => (deviceOf(each) === here ? filesIn(each) : []);
  const caches = [...filesHere(folders.cache), ...filesHere(join(folders.cache, "compiled"))];
  const databases = [...caches, ...filesHere(folders.data), ...filesHere(join(folders.data, "journal"))];
  const logs = databases.filter((path) => path.endsWith(".db-wal"));
  const before = bytesOf(logs);
  for (const path of logs) emptyLog(path.slice(0, -"-wal".length));
  if (!isAgain && before - bytesOf(logs) >= MIN_BYTES) return true;
  const inCaches = bytesOf(caches);
  if (inCaches < MIN_BYTES) return false;
  log("the disk is full: our caches are deleted, and built again later");
  for (const path of caches) remove(path);
  await release();
  return inCaches - bytesOf(caches) >= MIN_BYTES;
}

function remove(path: string): void {
  try {
    if (path.endsWith(".db")) removeDatabaseFiles(path);
    else rmSync(path, { force: true });
  } catch {
    // Another process has it open, on a system that forbids this.
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

function bytesOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function deviceOf(folder: string): bigint | undefined {
  return statSync(folder, { bigint: true, throwIfNoEntry: false })?.dev;
}
