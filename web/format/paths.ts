// Parts of vault paths. Pure.

/** The last part of the path, without the extension of a note. */
export function nameOf(path: string): string {
  return lastPart(path).replace(/\.md$/i, "");
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
