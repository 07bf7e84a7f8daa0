// The interface of the index of a vault's notes, as the vault, the tools and the
// commands `search` and `index` use it. It is a file on this machine, also for a space in a
// shared store (sqlite-note-index.ts).
import type { Changed } from "../../journal/journal.ts";
import type { Turns } from "../../kernel/kernel.ts";
import type {
  FoundHeading,
  Freshness,
  Hit,
  HowSure,
  SearchOptions,
  Snippet,
  SweepOptions,
} from "../../search/search.ts";
import type { FileTable } from "./file-table.ts";
import type { Backlink, OutgoingLink } from "./note-links.ts";
import type { Swept, Unread } from "./sweep.ts";

/** The place of the words: keyword in the text, fuzzy in the name, combined in both. */
export type SearchMethod = "keyword" | "fuzzy" | "combined";

export interface NoteHit extends Pick<Hit, "kind" | "score" | "grounds"> {
  readonly path: string;
  readonly method: SearchMethod;
  /** The heading of level 1 at the top, or the name of the file. */
  readonly title: string;
  readonly snippet: Pick<Snippet, "text" | "highlights">;
  /** The page of a PDF file that the snippet is from. */
  readonly page?: number;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The properties that matched, if the text did not or the query asks for them by name. */
  readonly matched: Readonly<Record<string, unknown>>;
  /** Milliseconds. */
  readonly mtime: number;
}

/** A note that is near in meaning, and the passage that is. */
export interface RelatedNote {
  readonly path: string;
  readonly title: string;
  /** From 0 to 1. */
  readonly nearness: number;
  readonly passage: string;
}

/** The notes that are most like one. */
export interface SimilarNotes {
  /** Nearest first. */
  readonly notes: readonly RelatedNote[];
  /** Why none can be found: searching by meaning is turned off, or the note has no passage with a known meaning. */
  readonly none?: "off" | "unknown";
}

export interface NoteAnswer extends Freshness {
  readonly hits: readonly NoteHit[];
  /** How many PDF files are still to be read. */
  readonly waitingPdfs: number;
  /** Notes near in meaning that are not among the hits, unless those are wanted, too. */
  readonly related: readonly RelatedNote[];
  /** Why they are not from the embeddings endpoint that the settings name. */
  readonly relatedFault?: string;
  /** All hits, not only those within the limit. */
  readonly total: number;
  /** Words that no note has in any form, as terms. Undefined if none were looked for. */
  readonly unfound?: readonly string[] | undefined;
  /** Of a question: whether it is answered. */
  readonly known?: HowSure | undefined;
  /** Files that exist and could not be read: they are found by their previous content, or by name. */
  readonly unread: readonly Unread[];
}

export interface NoteSearch extends SearchOptions {
  /** In characters. */
  readonly snippetLength?: number | undefined;
  /** How many related notes; by default none. */
  readonly related?: number | undefined;
  /** Hits may be related, too, and do not count: for a caller that lists some of the hits, and leaves out those. */
  readonly relatesHits?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called while the search waits for the first indexing of the vault. */
  readonly onProgress?: SweepOptions["onProgress"];
}

export interface RefreshOptions extends SweepOptions {
  /** Empty the index first. */
  readonly rebuild?: boolean | undefined;
}

/** An answer, and whether changes may be missing from it. */
export type Fresh<T> = Freshness & { readonly answer: T };

export interface TagCount {
  readonly tag: string;
  readonly count: number;
}

export interface NoteTimes {
  /** The modification time of each note that was changed in the span of time, in milliseconds. */
  readonly changed: readonly number[];
  /** The modification times of the notes that were asked for, if they exist. */
  readonly known: ReadonlyMap<string, number>;
}

export interface NoteIndex {
  readonly search: (text: string, options: NoteSearch) => Promise<NoteAnswer>;
  readonly similar: (path: string, count: number) => Promise<Fresh<SimilarNotes>>;
  /** The properties, tags, links, sizes and times of all files. */
  readonly files: (signal?: AbortSignal) => Promise<Fresh<FileTable>>;
  readonly tags: () => Promise<Fresh<readonly TagCount[]>>;
  /** Headings that have all words of a text, or words that begin so. */
  readonly headings: (text: string, limit: number) => Promise<Fresh<readonly FoundHeading[]>>;
  /** The paths of notes, and of bases and canvases, whose names have all words of a text, or words that begin so; up to the limit of each. */
  readonly filesNamed: (text: string, limit: number) => Promise<Fresh<readonly string[]>>;
  /** Every file that links may lead to. */
  readonly paths: () => Promise<Fresh<readonly string[]>>;
  /** The links in these notes. */
  readonly links: (paths: readonly string[]) => Promise<Fresh<readonly OutgoingLink[]>>;
  /** The files with links that lead to one of these. */
  readonly backlinks: (paths: readonly string[]) => Promise<Fresh<readonly Backlink[]>>;
  readonly noteTimes: (span: { from: number; before: number }, paths: readonly string[]) => Promise<Fresh<NoteTimes>>;
  /**
   * The files with a link of one of these names (see `namesTouchedBy`), and those at or below a path with any link,
   * after a sweep. Undefined if the index is not complete: then every file has to be read.
   */
  readonly filesLinking: (
    names: Iterable<string>,
    path: string,
    turns: Turns,
  ) => Promise<ReadonlySet<string> | undefined>;
  /**
   * The files that may have to change if this tag or one below it gets another name: notes that have it, and files
   * whose tags are not in the index. Undefined if the index is not complete: then every file has to be read.
   */
  readonly filesTagged: (tag: string) => Promise<ReadonlySet<string> | undefined>;
  /** The files with this name; if there are none, those with this alias, else those with this title. */
  readonly named: (name: string) => Promise<Fresh<readonly string[]>>;
  /** The files whose names are most similar to this one, without waiting for a sweep; possibly none. */
  readonly namedLike: (name: string) => Promise<readonly string[]>;
  /** A token that differs after every change that any process indexed. */
  readonly stamp: () => Promise<string>;
  /** Resolves once everything that was in the vault at the time of the call is indexed. Undefined if another process did it. */
  readonly refresh: (options?: RefreshOptions) => Promise<Swept | undefined>;
  /** Indexes what this process wrote, moved or deleted; later queries wait for it. Never rejects: the next query sweeps instead. */
  readonly noteWritten: (changed: Changed) => Promise<void>;
  /** Closes files that were deleted, so that their room is free. */
  readonly release: () => void;
  /** Waits for running work, and closes. */
  readonly close: () => Promise<void>;
}
