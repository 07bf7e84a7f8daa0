// Counts and sizes of a project's files, by language and folder. Pure. Used by
// project.ts.
import { folderIn } from "../kernel/kernel.ts";
import { languageOf, NOT_CODE, ROLE_WORTH, type Role } from "./file-kinds.ts";

export interface LanguageShare {
  readonly language: string;
  readonly files: number;
  readonly bytes: number;
  /** Of the bytes in all languages, 0 to 1. */
  readonly share: number;
}

export interface FolderSize {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

export interface Statistics {
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
  readonly languages: readonly LanguageShare[];
  /** By bytes, with everything below; the root itself is not among them. */
  readonly largest_directories: readonly FolderSize[];
}

const MAX_LANGUAGES = 15;
const MAX_FOLDERS = 5;

interface Sum {
  files: number;
  bytes: number;
}

export function statisticsOf(
  files: readonly string[],
  bytesOf: (path: string) => number,
  roleOf: (path: string) => Role,
): Statistics {
  const own = new Map<string, Sum>();
  const languages = new Map<string, Sum>();
  let bytes = 0;
  for (const path of files) {
    const size = bytesOf(path);
    bytes += size;
    add(own, folderIn(path), size);
    const language = languageOf(path);
    // Generated and vendored files say nothing about the project's languages.
    if (language !== undefined && ROLE_WORTH[roleOf(path)] >= 0) add(languages, language, size);
  }
  const folders = withAllBelow(own);
  return {
    files: files.length,
    directories: folders.size,
    bytes,
    languages: sharesOf(languages),
    largest_directories: [...folders]
      .map(([path, sum]) => ({ path, ...sum }))
      .toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1))
      .slice(0, MAX_FOLDERS),
  };
}

function add(sums: Map<string, Sum>, key: string, bytes: number, files = 1): void {
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { files, bytes });
  else {
    sum.files += files;
    sum.bytes += bytes;
  }
}

/** Adds the files directly in each folder to the folder and to all above it. */
function withAllBelow(own: ReadonlyMap<string, Sum>): Map<string, Sum> {
  const folders = new Map<string, Sum>();
  for (const [path, { files, bytes }] of own) {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      add(folders, path.slice(0, end), bytes, files);
  }
  return folders;
}

/** Languages of code first, each by its share. */
function sharesOf(sums: ReadonlyMap<string, Sum>): LanguageShare[] {
  const total = [...sums.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  return [...sums]
    .map(([language, sum]) => ({
      language,
      ...sum,
      share: total === 0 ? 0 : Math.round((1000 * sum.bytes) / total) / 1000,
    }))
    .toSorted(
      (a, b) =>
        Number(NOT_CODE.has(a.language)) - Number(NOT_CODE.has(b.language)) ||
        b.bytes - a.bytes ||
        (a.language < b.language ? -1 : 1),
    )
    .slice(0, MAX_LANGUAGES);
}
