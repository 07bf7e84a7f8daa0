// Lists a project that git cannot list: reads every folder, applies ignore files
// as git does, and never follows links. Used by project.ts.
import { existsSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../files/files.ts";
import { Turns } from "../kernel/kernel.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { readBeginning } from "./project-files.ts";
import { SKIPPED_FOLDERS } from "./listing.ts";

export interface Walked {
  readonly files: readonly string[];
  readonly symlinks: readonly string[];
  /** Folders that contain a repository of their own. */
  readonly nested: readonly string[];
  readonly unreadable: readonly string[];
  /** Names that are not valid text, with replacement characters. */
  readonly unnameable: readonly string[];
  /** The walk stopped at the maximum number of files. */
  readonly isCut: boolean;
}

interface Folder {
  /** From the root, with `/` at the end; empty for the root. */
  readonly path: string;
  readonly rules: IgnoreRules;
}

/** A home folder that is mistaken for a project must not keep the server busy for minutes. */
const MOST_FILES = 500_000;
const MOST_RULES_BYTES = 1024 * 1024;

export async function walkProject(root: string, signal?: AbortSignal): Promise<Walked> {
  const walked = {
    files: [] as string[],
    symlinks: [] as string[],
    nested: [] as string[],
    unreadable: [] as string[],
    unnameable: [] as string[],
    isCut: false,
  };
  const folders: Folder[] = [{ path: "", rules: IgnoreRules.NONE }];
  const turns = new Turns(signal);
  while (folders.length > 0 && !walked.isCut) {
    const folder = folders.pop()!;
    const entries = entriesOf(join(root, folder.path));
    if (entries === undefined) {
      walked.unreadable.push(folder.path.slice(0, -1) || ".");
      continue;
    }
    if (folder.path !== "" && entries.some(({ name }) => name === ".git")) {
      walked.nested.push(folder.path.slice(0, -1));
      continue;
    }
    await take(entries, withOwnRules(root, folder, entries));
  }
  return { ...walked, files: walked.files.toSorted(byCodeUnits) };

  async function take(entries: readonly Dirent[], { path: parent, rules }: Folder): Promise<void> {
    for (const entry of entries) {
      if (turns.isOver()) await turns.next();
      const path = parent + entry.name;
      const isFolder = entry.isDirectory();
      if (isFolder && SKIPPED_FOLDERS.includes(entry.name)) continue;
      // A file named `.git` points to a repository, and is not a file of the project.
      if (entry.name === ".git" || rules.ignores(path, isFolder)) continue;
      // Invalid bytes come as U+FFFD, and no file exists under that name.
      if (entry.name.includes("\uFFFD") && !existsSync(join(root, path))) walked.unnameable.push(path);
      else if (isFolder) folders.push({ path: `${path}/`, rules });
      else if (entry.isSymbolicLink()) walked.symlinks.push(path);
      else if (entry.isFile()) walked.files.push(path);
    }
    walked.isCut = walked.files.length >= MOST_FILES;
  }
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function withOwnRules(root: string, folder: Folder, entries: readonly Dirent[]): Folder {
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return folder;
  const text = readBeginning(join(root, folder.path, ".gitignore"), MOST_RULES_BYTES) ?? "";
  return { ...folder, rules: folder.rules.with(folder.path, text) };
}

function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Deleted during the walk, or no longer a folder.
    return /^(?:ENOENT|ENOTDIR)$/.test(codeOf(error)) ? [] : undefined;
  }
}
