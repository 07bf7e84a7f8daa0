// Finds the project's folder: the user's setting, else what the host or the client
// names, else the git root of the working directory. Evaluated in every call,
// since a client may change its roots. Used by every tool that works in a
// project.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { codeOf, realPath } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";

export interface ProjectRoot {
  /** A real path of a folder. */
  readonly folder: string;
  /** Its origin: a flag, a variable, the client, git, or the working directory. */
  readonly source: string;
}

/** The places that may name the project's folder. */
export interface RootCandidates {
  /** The user's setting and its source. */
  readonly setting: { readonly path: string; readonly source: string } | undefined;
  /** WORKSPACE_FOLDER_PATHS, which Cursor sets for the servers that it starts. */
  readonly workspaceFolders: string | undefined;
  /** The URIs of the client's roots, or undefined if it has none. */
  readonly clientRoots: readonly string[] | undefined;
  readonly workingDirectory: string;
}

export function findProjectRoot(candidates: RootCandidates): ProjectRoot {
  const { setting, workspaceFolders, clientRoots, workingDirectory } = candidates;
  if (setting !== undefined) {
    // An explicit setting has no fallback.
    const folder = realFolder(setting.path);
    if (folder !== undefined) return { folder, source: setting.source };
    throw new Problem(
      "not_found",
      `The project's folder is not there: ${setting.path}`,
      `Correct ${setting.source}, or mount the folder.`,
    );
  }
  const workspace = first(pathsIn(workspaceFolders ?? ""));
  if (workspace !== undefined) return { folder: workspace, source: "WORKSPACE_FOLDER_PATHS" };
  const client = first((clientRoots ?? []).map(pathOfAddress));
  if (client !== undefined) return { folder: client, source: "MCP roots" };
  const working = realFolder(workingDirectory);
  if (working === undefined)
    throw new Problem("not_found", "The working directory is gone.", "Name the project with --project DIR.");
  const top = gitTop(working);
  return top === undefined ? { folder: working, source: "working directory" } : { folder: top, source: "git" };
}

/** Returns whether the project depends on the client's roots. */
export function asksClient({
  setting,
  workspaceFolders,
}: Pick<RootCandidates, "setting" | "workspaceFolders">): boolean {
  return setting === undefined && first(pathsIn(workspaceFolders ?? "")) === undefined;
}

/** Throws a problem of its own if the folder cannot be read. */
export function checkReadable(folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (/^(?:EACCES|EPERM)$/.test(codeOf(error)))
      throw new Problem("denied", "The project's folder may not be read.", "Check its permissions.");
    throw new Problem("not_found", "The project's folder is gone.", "Name another one, or bring it back.");
  }
}

function first(paths: readonly (string | undefined)[]): string | undefined {
  for (const path of paths) {
    const folder = path === undefined ? undefined : realFolder(path);
    if (folder !== undefined) return folder;
  }
  return undefined;
}

/** One path or several. Folder names may contain commas and colons, so the whole value is tried first. */
function pathsIn(value: string): readonly string[] {
  return value === "" ? [] : [value, ...value.split(","), ...value.split(delimiter)].map((path) => path.trim());
}

function pathOfAddress(address: string): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    return undefined;
  }
}

function realFolder(path: string): string | undefined {
  try {
    return isAbsolute(path) && statSync(path).isDirectory() ? realPath(path) : undefined;
  } catch {
    return undefined;
  }
}

/** The nearest parent folder that contains `.git`, as git searches for it. */
function gitTop(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return folder === dirname(folder) ? undefined : gitTop(dirname(folder));
}
