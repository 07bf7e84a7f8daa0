// The parts of a path that is written with `/`: of a vault, of a project.

/** What follows the last `/`. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** What precedes the last `/`; empty at the root. */
export function folderIn(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
