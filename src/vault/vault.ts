// The front door of vault/: an open vault (its files, the journal for every
// change, the index of its notes) and everything that can be done with one.
import { existsSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type AccessRules, makeOwnFolder, NO_RULES, writeOwnFile } from "../files/files.ts";
import {
  type About,
  type FileStore,
  type JournalOptions,
  openFolderStore,
  openSharedStore,
  type SharedPlace,
} from "../journal/journal.ts";
import type { Log } from "../kernel/kernel.ts";
import type { EmbeddingModel } from "./meaning/embedding-endpoint.ts";
import { timeZone, type Clock } from "./days/days.ts";
import { checkFormat } from "./edits/file-formats.ts";
import { GUIDE_NOTES } from "./guide-notes.ts";
import type { NoteIndex } from "./note-index/note-index.ts";
import { openPdfReader, type PdfReader } from "./pdf/pdf-reader.ts";
import { openSpaceNoteIndex, openSqliteNoteIndex } from "./note-index/sqlite-note-index.ts";
import { contentCheck } from "./presence.ts";

export { changedNotes } from "./changed-notes.ts";
export {
  append,
  create,
  deleteContent,
  findReplace,
  prepend,
  replace,
  replaceByLine,
  replaceEverywhere,
  rewrite,
  setProperties,
} from "./edits/note-changes.ts";
export { readFileContent, type FileContent } from "./notes/file-content.ts";
export { hashAt } from "./notes/content-hash.ts";
export { nearestNames } from "./directory-search.ts";
export { editNote, editNotes, type Change } from "./edits/note-editor.ts";
export {
  createFolder,
  deleteFolder,
  deleteNote,
  duplicateNote,
  listFolder,
  previewFolderDeletion,
  type FolderContents,
  type Listed,
} from "./folders.ts";
export { meantNote } from "./notes/link-targets.ts";
export { isAt } from "./notes/missing-note.ts";
export { queryVault, type QueryAnswer } from "./query/query.ts";
export { inOneTable } from "./query/several-vaults.ts";
export { vaultGraph, type VaultGraph } from "./query/vault-graph.ts";
export { vaultProperties } from "./query/vault-properties.ts";
export type { MediaContent } from "./media/media-content.ts";
export { imageIn, mediaFacts, openMedia, type MediaFacts, type MediaFile } from "./media/media-file.ts";
export { addAttachment, type NewAttachment } from "./media/new-attachment.ts";
export type { NoteAnswer, NoteHit, NoteIndex, RefreshOptions, RelatedNote } from "./note-index/note-index.ts";
export { linksOf, type LinkFound, type LinkType } from "./link-report.ts";
export { moveFolder, moveNote, renamedFolder, type Moved } from "./edits/note-mover.ts";
export { previewTagRename, renameTag, type TagRenameReport } from "./edits/tag-rename.ts";
export { dateOf, dayNumber, dayReader, daySpan, localTime, timeZone, weekdayOf } from "./days/days.ts";
export { pluginSettingsOrDefaults, type ObsidianSettings } from "./days/obsidian-settings.ts";
export type { FileTable, IndexedFile } from "./note-index/file-table.ts";
export { textOfNewNote } from "./templates/templates.ts";
export { whyNothing, whyNothingIn } from "./nothing-found.ts";
export { isWithin, meantPlace, missingPlace, searchedPlace } from "./meant-place.ts";
export { resolveDay } from "./notes/note-paths.ts";
export { noteIndexFile, spaceIndexFile } from "./note-index/note-database.ts";
export type { Swept } from "./note-index/sweep.ts";
export { readNote, withLineNumbers } from "./notes/note-reader.ts";
export { presenceOf } from "./presence.ts";

export interface Vault extends FileStore {
  /** The name of its folder, by which Obsidian knows it too. */
  readonly name: string;
  /** The paths that the settings hide and protect. The files, the journal and the index obey it themselves. */
  readonly access: AccessRules;
  readonly index: NoteIndex;
  /** Reads pages for a caller, who need not wait for the index's own reader; undefined where it was not built. */
  readonly pdfReader: PdfReader | undefined;
  /** The person's time, which decides what day it is. */
  readonly clock: Clock;
  /** Waits for running work, and closes. */
  readonly close: () => Promise<void>;
}

/** The author of a change: named in the history, and able to cancel while waiting. */
export interface Author {
  readonly tool: string;
  /** The person or program that asked for it. */
  readonly by?: About["by"];
  readonly signal?: AbortSignal;
  /** Called with the progress of a long change. */
  readonly onProgress?: (done: number, total: number, message?: string) => void;
  /** Called with the entry of the history, once the change is made. */
  readonly onWritten?: About["onWritten"];
  readonly isPreview?: About["isPreview"];
  readonly visit?: About["visit"];
  /** Called with what the caller should know about a change that is made all the same. */
  readonly onWarning?: (sentence: string) => void;
}

interface Opening extends CommonOpening {
  readonly folder: string;
  /** True if it is the embedded vault, which is created if it is missing. A configured vault never is. */
  readonly isEmbedded: boolean;
  /** The folder of journals. */
  readonly journals: string;
}

interface CommonOpening {
  /** Frees some of the disk that a folder is on. */
  readonly makeRoom?: JournalOptions["makeRoom"];
  /** The paths that the settings hide and protect; default: none. */
  readonly access?: AccessRules;
  /** The folder of the index. */
  readonly cache: string;
  readonly log: Log;
  /** Such as Europe/Berlin; default: the system's. */
  readonly timeZone?: string | undefined;
  readonly now?: () => number;
  /** The built pdf-process.ts; without it no text of PDF files is read. */
  readonly pdfProgram?: string | undefined;
  /** The table of word vectors; without it notes are not searched by meaning. */
  readonly wordVectors?: string | undefined;
  /** An embeddings endpoint on this machine, which is then used instead. */
  readonly embeddings?: EmbeddingModel | undefined;
}

export function openVault({ folder, isEmbedded, journals, ...opening }: Opening): Vault {
  if (isEmbedded) makeEmbeddedVault(folder);
  // The embedded one is beside its journal, on the same disk.
  const check = isEmbedded ? undefined : contentCheck({ journals, cache: opening.cache, access: opening.access });
  return assembled(opening, (options) => openFolderStore(folder, journals, options, check));
}

/** A space of a shared store. */
export async function openSharedVault(place: SharedPlace, opening: CommonOpening): Promise<Vault> {
  let changed: JournalOptions["changed"];
  const options = {
    ...journalOptions(opening),
    changed: (what: Parameters<NonNullable<typeof changed>>[0]) => changed?.(what),
  };
  const { space, root, journal, sidecars, isShared } = await openSharedStore(place, options);
  const { access = NO_RULES } = opening;
  const index = await openSpaceNoteIndex({ ...opening, space, root, access, isServed: place.isServed === true });
  const vault = assembled(opening, (own) => {
    changed = own.changed;
    return { root, journal, sidecars, isShared, index };
  });
  return { ...vault, name: space.name };
}

function journalOptions({ log, access = NO_RULES, makeRoom }: CommonOpening) {
  return { log, access, makeRoom, checkContent: checkFormat };
}

function assembled(
  opening: CommonOpening,
  openFiles: (options: JournalOptions) => FileStore & {
    /** If it is not the index of a folder. */
    readonly index?: NoteIndex;
  },
): Vault {
  const { cache, log, access = NO_RULES, pdfProgram, wordVectors, embeddings, now = Date.now } = opening;
  const {
    root,
    journal,
    sidecars,
    isShared,
    index: opened,
  } = openFiles({
    ...journalOptions(opening),
    changed: (changed) => void index.noteWritten(changed),
  });
  const index: NoteIndex =
    opened ?? openSqliteNoteIndex({ root, access }, { cache, log, pdfProgram, wordVectors, embeddings });
  const pdfReader = pdfProgram === undefined ? undefined : openPdfReader(pdfProgram);
  return {
    name: basename(root.folder),
    root,
    access,
    journal,
    ...(sidecars !== undefined && { sidecars }),
    ...(isShared && { isShared }),
    index,
    pdfReader,
    clock: { now, zone: timeZone(opening.timeZone) },
    close: async () => {
      pdfReader?.close();
      await journal.close();
      await index.close();
    },
  };
}

/** Returns whether a note of the embedded vault is as the program wrote it. */
export function isGuideNote(path: string, text: string): boolean {
  return Object.hasOwn(GUIDE_NOTES, path) && GUIDE_NOTES[path] === text;
}

/** The embedded vault with its guide. One that was emptied stays empty. */
export function makeEmbeddedVault(folder: string): void {
  if (existsSync(folder)) return;
  const now = Date.now() / 1000;
  for (const [i, [path, text]] of Object.entries(GUIDE_NOTES).entries()) {
    const file = join(folder, path);
    makeOwnFolder(dirname(file));
    writeOwnFile(file, text);
    // The page lists the newest note first, and the guide should be read from its first note.
    utimesSync(file, now - i, now - i);
  }
}
