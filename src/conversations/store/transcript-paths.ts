// Transcripts in the table `unit` that are not files of this machine, recognised by
// their paths. The store has the only copy of their conversations, so they are
// never read again, archived or forgotten: those of conversations that a person
// imported from an archive, and those that came with a backup of another machine.
const IMPORTED = "import:";
const RESTORED = "restored:";

/** The path of an imported conversation. */
export function importedPath(source: string, conversation: string): string {
  return `${IMPORTED}${source}/${conversation}`;
}

/** The path of a transcript that was not there when a backup was restored. */
export function restoredPath(path: string): string {
  return `${RESTORED}${path}`;
}

/** The path that a transcript had where the backup was made; it may come to be there. */
export function withoutRestored(path: string): { readonly path: string; readonly isRestored: boolean } {
  const isRestored = path.startsWith(RESTORED);
  return { path: isRestored ? path.slice(RESTORED.length) : path, isRestored };
}

/** SQL: whether a row of `unit` is a transcript that can be read again. */
export const IS_IN_A_FILE = `path NOT GLOB '${IMPORTED}*' AND path NOT GLOB '${RESTORED}*'`;
