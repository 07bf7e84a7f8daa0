// The front door of journal/: the one way to change files of the user. An
// operation is planned and committed under the lock of its vault or outline,
// all or nothing, and any process can undo and redo it, also later. The journal
// knows nothing of formats. Used by the rooms that write files, and by the
// tools and commands that undo.
import type { Content, VaultPath } from "../files/files.ts";
import type { EntryChanges, UndoForecast } from "./changes.ts";
import type { ChangedBy } from "./entry.ts";
import type { Step } from "./plan/step.ts";
import type { openSharedStore as OpenSharedStore, SharedFileStore } from "./shared/shared-store.ts";
import type { exportSettings as ExportSettings, importSettings as ImportSettings } from "./shared/settings-files.ts";
import type { transferFiles as TransferFiles } from "./shared/transfer.ts";
import type { UndoStep } from "./undo.ts";

export type { Changed } from "./apply/commit.ts";
export { dropUnfinished } from "./entries.ts";
export type { ChangedBy } from "./entry.ts";
export type { EntryChanges, UndoForecast } from "./changes.ts";
export { changesTogether, type FileTogether } from "./changes-together.ts";
export { openFolderStore, type FileStore, type Sidecars } from "./file-store.ts";
export { inspectJournal } from "./inspect.ts";
export { hasJournal, idPrefixesIn, journalName } from "./journal-names.ts";
export { accept, acceptedAt, knowledgeFiles, knownPaths } from "./known-paths.ts";
export { joinJournals, type Journals, type Reach, type Undoing } from "./journals.ts";
export { openJournal, type JournalOptions } from "./open-journal.ts";
export { outermost } from "./plan/action.ts";
export { conflict } from "./plan/conflicts.ts";
export type { Step } from "./plan/step.ts";
export type { SharedFileStore, SharedPlace } from "./shared/shared-store.ts";
export type { SettingsFile, SettingsPlugin, TransferredSettings } from "./shared/settings-files.ts";
export type { Transferred } from "./shared/transfer.ts";
export type { SharedSpace } from "../shared/shared.ts";
export { applyEdits, editBetween, type Edit } from "./plan/splice.ts";

// The shared store's modules are loaded only if one is named.
export const openSharedStore = async (...given: Parameters<typeof OpenSharedStore>): Promise<SharedFileStore> =>
  (await import("./shared/shared-store.ts")).openSharedStore(...given);
export const transferFiles: typeof TransferFiles = async (...given) =>
  (await import("./shared/transfer.ts")).transferFiles(...given);
export const importSettings: typeof ImportSettings = async (...given) =>
  (await import("./shared/settings-files.ts")).importSettings(...given);
export const exportSettings: typeof ExportSettings = async (...given) =>
  (await import("./shared/settings-files.ts")).exportSettings(...given);

/** The result of a plan: the steps to commit. */
export interface Operation {
  /** A sentence for the history. */
  readonly message: string;
  readonly steps: readonly Step[];
}

/** A committed operation. */
export interface Written {
  readonly id: string;
  readonly tool: string;
  readonly paths: readonly string[];
  readonly message: string;
  /** The paths in the trash of what was moved there, if anything was. */
  readonly trashed?: readonly string[];
}

/** An operation that was undone or redone. */
export interface Reversed extends Written {
  /**
   * When it was made and who asked for it, if another process made it, or if another
   * member of a shared space did and it was named.
   */
  readonly ofOthers?: Pick<Past, "time" | "by">;
}

export interface MovedPath {
  readonly from: string;
  readonly to: string;
}

/** A committed operation in the history. */
export interface Past extends Written {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly undone: boolean;
  /** The notes and folders that it moved. */
  readonly moves: readonly MovedPath[];
  /** The person or program that asked for it, if known. */
  readonly by?: ChangedBy;
}

/** The entry that `undo` or `redo` without an id would take. */
export interface Next {
  readonly id: string;
  /** True if this process did it (or undid it), rather than another process. */
  readonly isOwn: boolean;
  /** Grows with time, across all journals. */
  readonly order: number;
}

/** Reads a file under the lock; undefined if there is none. The planner does not read it again. */
export type Read = (path: VaultPath, most?: number) => Promise<Content | undefined>;

/** Files that the settings hide, for keeping the links in them whole. Nothing of them may reach a caller. */
export interface HiddenFiles {
  readonly paths: () => Promise<Iterable<VaultPath>>;
  readonly read: Read;
}

/** The origin of a commit. */
export interface About {
  readonly tool: string;
  /** The person or program that asked for it. */
  readonly by?: ChangedBy | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Reports how many of the new contents are written; of very many files, how many are in place. */
  readonly onProgress?: ((written: number, of: number) => void) | undefined;
  /** Called once the operation is committed; not if it changes nothing. */
  readonly onWritten?: ((written: Written) => void) | undefined;
  /** Called with what the caller should know: what another program saved into a file that an earlier change replaced. */
  readonly onWarning?: ((sentence: string) => void) | undefined;
  /** Plans and checks the operation, and throws `Previewed` instead of committing it. */
  readonly isPreview?: boolean | undefined;
  /** A save of a person's visit to a note: the id of the entry of the save before, which it is added to; empty for the first. */
  readonly visit?: string | undefined;
}

/** Chooses the entry to undo or redo. */
export interface Which {
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads, and returns the steps to commit. */
export type Plan = (read: Read, hidden?: HiddenFiles) => Operation | Promise<Operation>;

export interface Journal {
  /**
   * Plans an operation under the lock, then commits it; undefined if it changes
   * nothing. The signal stops the wait, the plan and the writing of contents;
   * once the first file of the vault has changed, the operation is completed.
   */
  readonly change: (about: About, plan: Plan) => Promise<Written | undefined>;
  /** Plans an operation and checks it as `change` does, also against the settings, and changes nothing. Waits for no lock. */
  readonly preview: (about: Pick<About, "signal">, plan: Plan) => Promise<void>;
  /** Undoes that entry, else this process's newest operation, else the newest of all. */
  readonly undo: (which?: Which) => Promise<Reversed>;
  /** Redoes that entry, else what this process undid last, else what any process undid last. */
  readonly redo: (which?: Which) => Promise<Reversed>;
  /** Returns the changes of that entry, and any obstacle to undoing it. */
  readonly changes: (id: string, signal?: AbortSignal) => Promise<EntryChanges>;
  /** How many of these entries could be undone in this order, and what stands in the way of the next. Changes nothing. */
  readonly forecastUndo: (ids: readonly string[], signal?: AbortSignal) => Promise<UndoForecast>;
  /** Returns the entry that `undo` or `redo` without an id would take; undefined if there is none. */
  readonly next: (step: UndoStep) => Promise<Next | undefined>;
  /**
   * Completes or rolls back a change that a killed process left, if no other process holds the lock. Every change does
   * this as well; a process that only reads does it when it opens the vault. Never throws.
   */
  readonly recoverInterrupted: () => Promise<void>;
  /** The message of a change that this process rolled back; each is reported once, and none after a later change. */
  readonly takeRolledBack: () => string | undefined;
  /** The prefix of all entry ids. */
  readonly idPrefix: () => string;
  /** Returns whether this journal has an entry with this id. */
  readonly has: (id: string) => Promise<boolean>;
  /** Newest first. @param page `cursor` is the `nextCursor` of the previous page; with `path`, only what may concern it */
  readonly history: (page?: {
    readonly limit?: number;
    readonly cursor?: string;
    readonly path?: string | undefined;
  }) => Promise<{
    readonly entries: readonly Past[];
    readonly nextCursor?: string;
  }>;
  /** How many entries the history has. */
  readonly count: () => Promise<number>;
  /** Deletes everything that could be undone. @returns the number of entries */
  readonly purge: () => Promise<number>;
  /** Waits for the change in progress. */
  readonly close: () => Promise<void>;
}
