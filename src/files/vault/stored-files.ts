// The files of a vault or an outline, as other rooms read them: the reading
// half of where files live (the journal's `FileStore` adds the writing half).
// Asynchronous, so that they may be rows of a database.
import type { BigIntStats } from "node:fs";
import { Problem } from "../../kernel/kernel.ts";
import type { EntryPath, VaultPath } from "./vault-path.ts";

export type EntryKind = "absent" | "file" | "folder";

/** Size, times and identity of a file, as a disk or a store has them. */
export type FileStats = Pick<
  BigIntStats,
  "dev" | "ino" | "size" | "blocks" | "mtimeMs" | "mtimeNs" | "ctimeMs" | "ctimeNs" | "birthtimeMs" | "birthtimeNs"
>;

export interface Located {
  /** The path as it is stored: in the spelling of the disk, with links among its folders resolved. */
  readonly path: EntryPath;
  /** The place of the entry itself: for a link, of the link. */
  readonly absolute: string;
  readonly kind: EntryKind;
  /** For a link, those of its target. */
  readonly stats: FileStats | undefined;
  /** The target of a link, always inside the vault; undefined for anything else. */
  readonly target: EntryPath | undefined;
}

export interface Content {
  readonly bytes: Buffer;
  readonly hash: string;
  /** Taken just before the read: a later write changes them. */
  readonly stats: FileStats;
  /** True if it was written so recently that another write may not show in the stats. */
  readonly isYoung: boolean;
}

/** A file that is held open, to read any part of it. The caller closes it. */
export interface OpenedFile {
  readonly stats: FileStats;
  /** Fewer bytes than asked for only at the end of the file. */
  readonly read: (at: number, length: number) => Buffer;
  readonly close: () => void;
}

export interface ListedEntry {
  readonly path: VaultPath;
  readonly name: string;
  readonly kind: "file" | "folder";
  /** 1 for what is directly in the folder. */
  readonly depth: number;
}

export interface ListOptions {
  readonly depth?: number;
  readonly signal?: AbortSignal;
  /** Reports folders that may not be read. */
  readonly onUnreadable?: (path: VaultPath) => void;
  /** Leaves out an entry, with all below it. */
  readonly skip?: (path: string) => boolean;
}

export interface StoredFiles {
  /** The real path of the folder, which names the place. */
  readonly folder: string;
  /** Throws if the folder is gone or its drive was unmounted. */
  readonly check: () => void;
  /** Equal for two paths that mean the same entry. */
  readonly key: (path: string) => string;
  /** Returns whether the settings hide a path. What is hidden is absent to all that is below. */
  readonly isHidden: (path: string) => boolean;
  readonly locate: (path: EntryPath) => Promise<Located>;
  /** Undefined if there is no such file. Throws FileTooLarge before it reads more than `most` bytes. */
  readonly read: (path: EntryPath, most?: number) => Promise<Content | undefined>;
  /** Both at once, which is one question to a store; the content is undefined for what is no file. */
  readonly readLocated: (
    path: EntryPath,
    most?: number,
  ) => Promise<{ readonly located: Located; readonly content: Content | undefined }>;
  /** Opens a file of any size; undefined if there is no such file. */
  readonly open: (path: EntryPath) => Promise<OpenedFile | undefined>;
  /** A file of any size in pieces, each valid until the next; undefined if there is no such file. */
  readonly pieces: (path: EntryPath) => Promise<Iterable<Buffer> | AsyncIterable<Buffer> | undefined>;
  /** Size and times of what a listing named; undefined if it is gone. */
  readonly stats: (path: EntryPath) => Promise<FileStats | undefined>;
  /** The hash of a file of any size; undefined if there is none. */
  readonly hash: (path: EntryPath) => Promise<string | undefined>;
  /** Everything below a folder, sorted by name, folders before their content; without hidden entries and links. */
  readonly list: (folder: VaultPath, options?: ListOptions) => Promise<Iterable<ListedEntry>>;
  /** The text of a file of Obsidian's settings, by its path in `.obsidian`; undefined if there is none. */
  readonly settingsText: (path: string) => Promise<string | undefined>;
}

/** An entry itself: a link is not followed. */
export interface StoredEntry extends Pick<Located, "path" | "absolute" | "stats"> {
  readonly kind: EntryKind | "link" | "other";
}

/** The reads that plans of changes need besides. */
export interface PlannableFiles extends StoredFiles {
  /** Like `locate`, but a link is not followed: what is moved or removed is the link. */
  readonly locateEntry: (path: EntryPath) => Promise<StoredEntry>;
  /** The names of everything in a folder, hidden or not. */
  readonly namesIn: (folder: EntryPath) => Promise<readonly string[]>;
  /** Returns the text of a link. */
  readonly linkText: (path: EntryPath) => Promise<string>;
  /** Throws if this file may not be replaced. */
  readonly checkWritable: (path: EntryPath) => Promise<void>;
}

/** A path that leads to nothing, or to where nothing may be read or written: another attempt would not help. */
export class UnreachablePath extends Problem {}

/** Such a path, named as it was requested. */
export class InvalidPath extends UnreachablePath {
  readonly path: string;

  constructor(code: "invalid" | "denied", path: string, hint?: string) {
    super(code, `Invalid path: ${path}`, hint);
    this.path = path;
  }
}
