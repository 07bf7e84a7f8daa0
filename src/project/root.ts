// Which folder is the project: what the user set, else what the host or the
// client says, else where the server was started. Asked anew in every call,
// since a client may change its roots. Used by every tool that works on, or
// within, a project.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { codeOf, realPath } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";

export interface ProjectRoot {
  /** A real path of a folder. */
  readonly folder: string;
  /** Who named it: a flag, a variable, the client, git, or nobody but the working directory. */
  readonly source: string;
}

export interface RootSources {
  /** What the user set, and where. */
  readonly setting: { readonly path: string; readonly source: string } | undefined;
  /** WORKSPACE_FOLDER_PATHS, as Cursor sets it for the servers that it starts. */
  readonly workspaceFolders: string | undefined;
  /** The addresses that the client gave as its roots; undefined where it has none. */
  readonly clientRoots: readonly string[] | undefined;
  readonly workingDirectory: string;
}

export function findProjectRoot(sources: RootSources): ProjectRoot {
  const { setting, workspaceFolders, clientRoots, workingDirectory } = sources;
  if (setting !== undefined) {
    // What somebody set is meant: nothing else takes its place.
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

/** Whether the client's roots can matter at all. */
export function asksClient({ setting, workspaceFolders }: Pick<RootSources, "setting" | "workspaceFolders">): boolean {
  return setting === undefined && first(pathsIn(workspaceFolders ?? "")) === undefined;
}

/** Before anything is asked about a project: a folder that cannot be read has its own answer. */
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

/** One path or several; commas and colons are allowed in the name of a folder, so the whole comes first. */
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

/** The nearest folder upwards that holds a `.git`, as git looks for it. */
function gitTop(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return folder === dirname(folder) ? undefined : gitTop(dirname(folder));
}
