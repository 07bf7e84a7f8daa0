// Opens the files of a space in a shared store. Loaded only if a vault is one; used
// by the front door.
import { NO_RULES, visibleFiles } from "../../files/files.ts";
import { type Store, type SharedSpace, sharedSpace } from "../../shared/shared.ts";
import type { FileStore, Sidecars } from "../file-store.ts";
import type { JournalOptions } from "../open-journal.ts";
import { sharedFiles } from "./shared-files.ts";
import { sharedJournal } from "./shared-journal.ts";
import { sharedSidecars } from "./shared-sidecars.ts";

export interface SharedPlace {
  readonly store: Store;
  /** The name of the space. */
  readonly space: string;
  /** Names it on this machine; nothing is at this path. */
  readonly folder: string;
  /** By one of several servers: which changes are the member's own, the store alone knows. */
  readonly isServed?: true;
}

export interface SharedFileStore extends FileStore {
  readonly space: SharedSpace;
  readonly sidecars: Sidecars;
  readonly isShared: true;
}

/** Asks for nothing before it is used. */
export function openSharedStore(
  { store, space: name, folder, isServed }: SharedPlace,
  options: JournalOptions,
): SharedFileStore {
  const space = sharedSpace(store, name, folder);
  const files = sharedFiles(space);
  return {
    space,
    root: visibleFiles(files, options.access ?? NO_RULES),
    journal: sharedJournal(space, files, { ...options, isServed }),
    sidecars: sharedSidecars(space),
    isShared: true,
  };
}
