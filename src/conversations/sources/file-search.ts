// How sources look for files: what is missing is nothing, what is closed to us
// is a finding. Used by the sources' `find`.
import { codeOf, reasonOf } from "../../files/files.ts";
import { readdirSync, type Dirent } from "node:fs";
import { transcriptFileAt, type Finding } from "./source.ts";

/** What is in a folder, by name; undefined where it is not there or may not be read. */
export function* listed(folder: string): Generator<Finding, Dirent[] | undefined> {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (!/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error)))
      yield { kind: "unreadable", place: folder, count: 1, reason: reasonOf(error) };
    return undefined;
  }
}

/** The same, and says that it was looked for. */
export function* lookedInto(folder: string): Generator<Finding, Dirent[]> {
  const entries = yield* listed(folder);
  yield { kind: "looked", place: folder, isThere: entries !== undefined };
  return entries ?? [];
}

export function* foundFile(path: string, sideFiles: readonly string[] = []): Generator<Finding, boolean> {
  try {
    const transcript = transcriptFileAt(path, sideFiles);
    if (transcript !== undefined) yield { kind: "transcript", transcript };
    return transcript !== undefined;
  } catch (error) {
    yield { kind: "unreadable", place: path, count: 1, reason: reasonOf(error) };
    return true;
  }
}

/** A database's newest commits may be in its `-wal` alone. */
export function foundDatabase(path: string): Generator<Finding, boolean> {
  return foundFile(path, [`${path}-wal`]);
}
