// Lists folders and files for the sources' `find`. A missing one yields nothing,
// an unreadable one yields a finding.
import { codeOf, reasonOf } from "../../../files/files.ts";
import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
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

/** The files of a folder with such names. @param besideOf the file beside one that has facts about it */
export function* foundIn(folder: string, name: RegExp, besideOf?: (path: string) => string): Generator<Finding> {
  for (const entry of yield* lookedInto(folder)) {
    const path = join(folder, entry.name);
    if (name.test(entry.name)) yield* foundFile(path, besideOf === undefined ? [] : [besideOf(path)]);
  }
}

/** The same in all folders of a folder: one for each project. */
export function* foundBelow(folder: string, name: RegExp, besideOf?: (path: string) => string): Generator<Finding> {
  for (const project of yield* lookedInto(folder))
    for (const finding of foundIn(join(folder, project.name), name, besideOf))
      if (finding.kind !== "looked") yield finding;
}

/** With its `-wal`, which may have the newest commits. */
export function foundDatabase(path: string): Generator<Finding, boolean> {
  return foundFile(path, [`${path}-wal`]);
}
