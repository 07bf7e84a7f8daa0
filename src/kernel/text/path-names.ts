// The parts of a path that is written with `/`: of a vault, of a project.

/** Returns the part after the last `/`. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Returns the part before the last `/`; empty at the root. */
export function folderIn(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
