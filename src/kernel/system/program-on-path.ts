// Finds a program as a shell would, but never in the current folder, which may be
// of anybody. Used to run git, and to open a conversation in its own program.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { operatingSystem } from "./operating-system.ts";

/** The full path of a program on PATH. Relative entries of PATH are skipped: they could lead into a project. */
export function programOnPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, `${name}${operatingSystem().programEnding}`)).find(mayRun);
}

export function mayRun(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return statSync(program).isFile();
  } catch {
    return false;
  }
}
