// Tells if the configured outline was there and is gone, as when its drive is not
// mounted: a new one made in its place would be covered by the drive later. Used by
// outlines.ts and by doctor.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { realPath } from "../files/files.ts";
import { acceptedAt, knownPaths } from "../journal/journal.ts";
import { Problem } from "../kernel/kernel.ts";
import { sidecarNames } from "./file/sidecar-files.ts";

/** The folders that record what is known of outlines. */
interface Knowledge {
  readonly journalFolder: string;
  readonly idFolder: string;
}

/** The real path of a file that may be missing; undefined if its folder is missing too. */
export function realPathOf(file: string | undefined): string | undefined {
  if (file === undefined || !existsSync(dirname(file))) return undefined;
  return existsSync(file) ? realPath(file) : join(realPath(dirname(file)), basename(file));
}

/** Unless our journal removed it, or a person said that this is right. */
export function isMissing(real: string, { journalFolder, idFolder }: Knowledge): boolean {
  if (existsSync(real)) return false;
  const { present, isGone } = knownPaths(journalFolder, real);
  if (present.has(basename(real))) return true;
  const wasRead = sidecarNames(idFolder, real).length > 0;
  return wasRead && !isGone(basename(real)) && acceptedAt(journalFolder, real) === undefined;
}

/** For doctor. @param data the data folder */
export function isOutlineMissing(file: string, data: string): boolean {
  const real = realPathOf(file);
  return (
    real !== undefined && isMissing(real, { journalFolder: join(data, "journal"), idFolder: join(data, "outlines") })
  );
}

export function gone(path: string): Problem {
  return new Problem(
    "no_document",
    `The outline ${basename(path)} was in this folder and is not there: nothing was changed.`,
    "Its drive may not be mounted: mount it, then try again. If it is right that it is gone, say so with `commonplace index --accept`, or in the page under Status.",
  );
}
