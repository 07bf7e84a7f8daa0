// The store of a vault's or an outline's files: reads them, and commits
// changes. Vault and outlines depend on the interface: here for a folder on disk,
// in shared/shared-store.ts for rows of a shared store.
import {
  type CheckContent,
  folderFiles,
  NO_RULES,
  openVaultRoot,
  type StoredFiles,
  type VaultPath,
  visibleFiles,
} from "../files/files.ts";
import type { Journal } from "./journal.ts";
import { openJournal, type JournalOptions } from "./open-journal.ts";

export interface FileStore {
  /** Reads and lists, without what the settings hide. */
  readonly root: StoredFiles;
  /** Commits plans, and undoes them. */
  readonly journal: Journal;
  /** Keeps data that belongs to a file and is not part of it, if all who share the files must see it. */
  readonly sidecars?: Sidecars;
  /** Several people write the files: a place in one may be another a moment after it was read. */
  readonly isShared?: true;
}

/** Small files of our own, in a folder for each subject. */
export interface Sidecars {
  /** Identifies a file, for everybody. */
  readonly subjectOf: (path: VaultPath) => string;
  /** The newest first. */
  readonly list: (subject: string) => Promise<readonly { readonly name: string; readonly size: number }[]>;
  readonly read: (subject: string, name: string) => Promise<Buffer | undefined>;
  /** Does nothing for those who may not write. */
  readonly write: (subject: string, name: string, bytes: Buffer) => Promise<void>;
  /** Makes it the newest. */
  readonly touch: (subject: string, name: string) => Promise<void>;
  readonly remove: (subject: string, names: readonly string[]) => Promise<void>;
}

/**
 * A folder that exists; nothing is created in it.
 * @param journals the folder of all journals
 * @param checkContent throws if what is known to be in the folder is not there
 */
export function openFolderStore(
  folder: string,
  journals: string,
  options: JournalOptions,
  checkContent?: CheckContent,
): FileStore {
  const root = openVaultRoot(folder, { checkContent });
  if (checkContent !== undefined) root.check();
  const shown = visibleFiles(folderFiles(root), options.access ?? NO_RULES);
  return { root: shown, journal: openJournal(journals, root, options) };
}
