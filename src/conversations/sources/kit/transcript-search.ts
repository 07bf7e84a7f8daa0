// Lists folders and files for the sources' `find`. A missing one yields nothing,
// an unreadable one yields a finding.
import { codeOf, reasonOf } from "../../../files/files.ts";
import { readdirSync, type Dirent } from "node:fs";
import { transcriptFileAt, type Finding } from "../source.ts";

/** The entries of a folder by name; undefined if it does not exist or may not be read. */
export function* listed(folder: string): Generator<Finding, Dirent[] | undefined> {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (!/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error)))
      yield { kind: "unreadable", place: folder, count: 1, reason: reasonOf(error) };
    return undefined;
  }
}

/** The same, and reports that the source looked there. */
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

/** With its `-wal`, which may have the newest commits. */
export function foundDatabase(path: string): Generator<Finding, boolean> {
  return foundFile(path, [`${path}-wal`]);
}
