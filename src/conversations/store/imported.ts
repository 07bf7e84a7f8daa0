// Conversations that a person imported from an archive: the store has the only
// copy, so they are never read again, archived or forgotten. Each is a transcript
// of its own in the table `unit`, told from those in files by its path.

const PREFIX = "import:";

/** The path of an imported conversation. */
export function importedPath(source: string, conversation: string): string {
  return `${PREFIX}${source}/${conversation}`;
}

/** SQL: whether a row of `unit` is a transcript that can be read again. */
export const IS_IN_A_FILE = `path NOT GLOB '${PREFIX}*'`;
