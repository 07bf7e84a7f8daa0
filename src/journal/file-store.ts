// Where the files of a vault or an outline live: what reads them, and what
// commits changes. The folder on disk is the one implementation; vault and
// outlines depend on the interface, so that another store (rows of a database)
// can take its place.
import { folderFiles, NO_RULES, openVaultRoot, type StoredFiles, visibleFiles } from "../files/files.ts";
import type { Journal } from "./journal.ts";
import { openJournal, type JournalOptions } from "./open-journal.ts";

export interface FileStore {
  /** Reads and lists, without what the settings hide. */
  readonly root: StoredFiles;
  /** Commits plans, and undoes them. */
  readonly journal: Journal;
}

/** A folder that exists; nothing is created in it. @param journals the folder of all journals */
export function openFolderStore(folder: string, journals: string, options: JournalOptions): FileStore {
  const root = openVaultRoot(folder);
  const shown = visibleFiles(folderFiles(root), options.access ?? NO_RULES);
  return { root: shown, journal: openJournal(journals, root, options) };
}
