// How names of arguments are compared. Pure; used by argument-names.ts and
// argument-places.ts.

/** `filePath`, `file_path` and `FilePath` are one name. */
export function plain(name: string): string {
  return name.replace(/[\s_.-]/g, "").toLowerCase();
}

/** @param names with spaces between them */
export function isAmong(names: string, name: string): boolean {
  return plain(name) !== "" && ` ${names} `.toLowerCase().includes(` ${plain(name)} `);
}
