// The SQLite file of a note index: opens on first use, answers queries, and
// indexes what changed. Used by sqlite-note-index.ts, which keeps it fresh.
import { existsSync } from "node:fs";
import type { AccessRules, StoredFiles } from "../../files/files.ts";
import { type Log, nameIn } from "../../kernel/kernel.ts";
import {
  comparableName,
  type Facts,
  type Found,
  type FoundHeading,
  hasTag,
  filesNamed,
  headingsWith,
  mergeText,
  namesLike,
  NOTES,
  NOTES_KIND,
  removeEverything,
  search,
  type SearchOptions,
  type SearchQuery,
  type SweepOptions,
  termsOf,
} from "../../search/search.ts";
import {
  alone,
  countRelocation,
  countWriting,
  type Fed,
  IndexDatabase,
  indexFile,
  keepLease,
  readFed,
  readSeen,
  readState,
  RELOCATIONS,
  removeDatabaseFiles,
  type SweepState,
  takeLease,
  writeFed,
  writeSeen,
  writeState,
  writingsIn,
} from "../../sqlite/sqlite.ts";
import {
  allPaths,
  backlinksTo,
  documentsWithLinkNames,
  documentsWithLinks,
  factsAt,
  linksFrom,
  type Backlink,
  type OutgoingLink,
} from "./note-links.ts";
import type { Listing } from "./file-listing.ts";
import type { IndexedFiles } from "./indexed-files.ts";
import { type FileTable, FileTableCache } from "./file-table.ts";
import { closestNamed, mostAlike } from "./names.ts";
import type { TagCount } from "./note-index.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";
import { pdfTextAt, readWaitingPdfs, unreadPdfs, waitingPdfs } from "./pdf-texts.ts";
import type { EmbeddingEndpoint } from "../meaning/embedding-endpoint.ts";
import { Embeddings } from "../meaning/embeddings.ts";
import { Meanings } from "../meaning/meanings.ts";
import { relocate, type Relocation } from "./relocation.ts";
import { sweep, type Swept, type Unread } from "./sweep.ts";

export interface NoteDatabase {
  /** Returns whether there is an index; does not create one. */
  readonly exists: () => boolean;
  readonly state: () => SweepState;
  /** Undefined while another process sweeps. */
  readonly sweep: (root: IndexedFiles, options?: SweepOptions) => Promise<Swept | undefined>;
  /** How far a feed was followed; undefined for none. */
  readonly fed: () => Fed | undefined;
  /** Indexes what a feed has after that; of another feed, everything. Undefined while another process does it. */
  readonly follow: (feed: Feed, options?: SweepOptions) => Promise<Swept | undefined>;
  /** The paths that these files of a feed had when they were indexed. */
  readonly pathsOfFed: (files: readonly number[]) => string[];
  /** Deletes the index from the disk. */
  readonly discard: () => void;
  /** Indexes what is, or was, at or below these paths. */
  readonly refresh: (root: IndexedFiles, paths: readonly string[]) => Promise<Swept>;
  /** Updates the paths below a moved folder. Other changes there are left to a refresh. */
  readonly relocate: (folder: Relocation) => Promise<void>;
  /** Empties the index; the next sweep rebuilds it. */
  readonly clear: () => Promise<void>;
  readonly search: (query: SearchQuery, options: SearchOptions) => Found;
  readonly meanings: Meanings;
  /** Undefined unless the settings name an endpoint. */
  readonly embeddings: Embeddings | undefined;
  /** The number of a document; undefined if it is not indexed. */
  readonly idOf: (path: string) => number | undefined;
  readonly facts: (path: string) => Facts | undefined;
  /** Headings that have all words of a text, or words that begin so. */
  readonly headingsWith: (text: string, limit: number) => FoundHeading[];
  /** The paths of bases and canvases whose names have all words of a text, or words that begin so. */
  readonly filesNamed: (text: string, limit: number) => string[];
  /** The files with a link of one of these names (see nameOfLink), sorted by path. */
  readonly notesWithLinkNames: (names: Iterable<string>) => string[];
  /** The files at or below a path with any link, or that could not be read. */
  readonly notesWithLinks: (path: string) => string[];
  /** The files with links that lead to one of these. */
  readonly backlinks: (paths: readonly string[]) => Backlink[];
  readonly links: (paths: readonly string[]) => OutgoingLink[];
  /** Every file that links may lead to. */
  readonly paths: () => string[];
  readonly tags: () => TagCount[];
  /** The notes with this tag or one below it, and all files whose tags are not in the index. */
  readonly filesTagged: (tag: string) => string[];
  /** The facts of all files that queries need, kept in memory while there are queries. */
  readonly files: (signal?: AbortSignal) => Promise<FileTable>;
  /** The files whose names are most similar to this one, best first; possibly none. */
  readonly named: (name: string) => string[];
  readonly namedLike: (name: string) => string[];
  /** The modification times, in milliseconds, of all notes changed in a span of time. */
  readonly noteTimes: (from: number, before: number) => number[];
  /** The modification times of these notes, without missing ones. */
  readonly noteTimesOf: (paths: readonly string[]) => ReadonlyMap<string, number>;
  /** A token that differs after every change of a file's content, name or folder. */
  readonly stamp: () => string;
  /** Files that exist and could not be read by the last attempt. */
  readonly unread: () => Unread[];
  /** How many PDF files wait to be read. */
  readonly waitingPdfs: () => number;
  /** Reads them; resolves to false if another process does. */
  readonly readPdfs: (root: StoredFiles, reader: PdfReader, options?: SweepOptions) => Promise<boolean>;
  /** The text of a PDF file, with a page break between pages; undefined if it was not read. */
  readonly pdfText: (path: string) => string | undefined;
  /** PDF files that could not be read, or not to their end. */
  readonly unreadPdfs: () => Unread[];
  /** After an error: whether the index was replaced, so that the caller should sweep and ask again. */
  readonly recover: (error: unknown) => boolean;
  /** Closes the file if it was deleted or replaced. */
  readonly release: () => void;
  readonly close: () => void;
}

/** Files that say themselves which of them have changed, with numbers that only grow: those of a space. */
export interface Feed extends Fed {
  readonly files: Pick<IndexedFiles, "check" | "ahead">;
  /** Its numbers went back: nothing that was indexed before is known to be there. */
  readonly isRestored: boolean;
  /** The numbers of all files that changed after a number, as their versions have them, and those that are there now. */
  readonly changesAfter: (
    number: number,
  ) => Promise<{ readonly listing: Listing; readonly changed: readonly number[] }>;
}

/** Returns the index file. If something is hidden, it is one of its own, without the hidden words: other processes may see all of the vault. */
export function noteIndexFile(cache: string, vaultFolder: string, access?: Pick<AccessRules, "hiddenKey">): string {
  const hidden = access?.hiddenKey ?? "";
  return indexFile(cache, NOTES_KIND, hidden === "" ? vaultFolder : `${vaultFolder}\0${hidden}`);
}

/** Returns the index file of a space of a shared store, for one login. @param store the address, without a password */
export function spaceIndexFile(
  cache: string,
  store: string,
  space: string,
  access?: Pick<AccessRules, "hiddenKey">,
): string {
  return noteIndexFile(cache, `${store} ${space}`, access);
}

/** Opens and creates nothing before the first use. */
export function openNoteDatabase({
  file,
  log,
  wordVectors,
  endpoint,
  isFed = false,
}: {
  readonly file: string;
  /** Of files that others may take back: what is removed is overwritten. */
  readonly isFed?: boolean | undefined;
  readonly log: Log;
  /** The table of word vectors; without it notes are not searched by meaning. */
  readonly wordVectors?: string | undefined;
  /** Makes the vectors instead. */
  readonly endpoint?: EmbeddingEndpoint | undefined;
}): NoteDatabase {
  const database = new IndexDatabase(file, log, isFed ? FED_NOTES : NOTES);
  const meanings = new Meanings(database, wordVectors, log);
  const embeddings = endpoint && new Embeddings(database, endpoint, log);
  const fileTable = new FileTableCache(database);
  return {
    exists: () => database.isOpen || existsSync(file),
    state: () => {
      database.notice();
      return readState(database);
    },
    sweep: (root, options = {}) =>
      alone(database, options.signal, (holder) => sweepWhole(database, holder, root, options)),
    fed: () => {
      database.notice();
      return readFed(database);
    },
    follow: (feed, options = {}) =>
      alone(database, options.signal, (holder) => follow(database, holder, feed, options)),
    pathsOfFed: (files) => pathsOfFed(database, files),
    discard: () => {
      database.close();
      removeDatabaseFiles(file);
    },
    relocate: async (folder) => {
      database.notice();
      await relocate(database, folder);
    },
    refresh: async (root, paths) => {
      database.notice();
      const swept = await sweep(database, root, { within: paths, beforeSlice: () => countWriting(database) });
      if (swept.changed > 0) await mergeText(database);
      return swept;
    },
    clear: async () => {
      database.notice();
      await database.write(() => removeEverything(database));
    },
    search: (query, options) => search(database, query, options),
    meanings,
    embeddings,
    idOf: (path) => {
      const row = database.get("SELECT id FROM document WHERE path = ?", path);
      return row === undefined ? undefined : Number(row["id"]);
    },
    facts: (path) => factsAt(database, path),
    headingsWith: (text, limit) => headingsWith(database, text, limit),
    filesNamed: (text, limit) => filesNamed(database, text, limit),
    notesWithLinkNames: (names) => documentsWithLinkNames(database, names),
    notesWithLinks: (path) => documentsWithLinks(database, path),
    backlinks: (paths) => backlinksTo(database, paths),
    links: (paths) => linksFrom(database, paths),
    paths: () => allPaths(database),
    files: (signal) => fileTable.read(signal),
    tags: () =>
      database
        .all("SELECT min(written) AS tag, count(*) AS count FROM tag GROUP BY folded ORDER BY count DESC, folded")
        .map((row) => ({ tag: String(row["tag"]), count: Number(row["count"]) })),
    filesTagged: (tag) => {
      const { condition, values } = hasTag(tag);
      return database
        .all(
          `SELECT path FROM document WHERE ${condition} OR unread IS NOT NULL OR kind IN ('copy', 'canvas', 'base')`,
          ...values,
        )
        .map((row) => String(row["path"]));
    },
    named: (name) => filesCalled(database, name),
    namedLike: (name) => {
      return mostAlike(namesLike(database, termsOf(name))).map(({ id }) =>
        String(database.get("SELECT path FROM document WHERE id = ?", id)!["path"]),
      );
    },
    noteTimes: (from, before) =>
      database
        .all("SELECT mtime FROM document WHERE kind = 'note' AND mtime >= ? AND mtime < ?", from, before)
        .map((row) => Number(row["mtime"])),
    noteTimesOf: (paths) =>
      new Map(
        database
          .all(
            "SELECT path, mtime FROM document WHERE kind = 'note' AND path IN (SELECT value FROM json_each(?))",
            JSON.stringify(paths),
          )
          .map((row) => [String(row["path"]), Number(row["mtime"])]),
      ),
    // Ids change when files are added or removed, sizes and times when files change; a moved folder changes neither.
    stamp: () =>
      Object.values(
        database.get(
          `SELECT count(*) AS files, sum(id) AS ids, sum(size) AS sizes, sum(CAST(mtime AS INTEGER)) AS times, ${RELOCATIONS} AS relocations FROM document`,
        )!,
      ).join("-"),
    unread: () =>
      database
        .all("SELECT path, unread FROM document WHERE unread IS NOT NULL ORDER BY path")
        .map((row) => ({ path: String(row["path"]), reason: String(row["unread"]) })),
    waitingPdfs: () => waitingPdfs(database),
    readPdfs: (root, reader, options) => readWaitingPdfs(database, root, reader, options),
    pdfText: (path) => pdfTextAt(database, path),
    unreadPdfs: () => unreadPdfs(database),
    recover: (error) => database.recover(error),
    release: () => database.notice(),
    close: () => {
      fileTable.drop();
      embeddings?.close();
      database.close();
    },
  };
}

/** Free pages keep nothing that may no longer be read. */
const FED_NOTES: typeof NOTES = {
  ...NOTES,
  prepare: (database) => {
    NOTES.prepare!(database);
    database.exec("PRAGMA secure_delete = ON");
  },
};

async function follow(database: IndexDatabase, holder: string, feed: Feed, options: SweepOptions): Promise<Swept> {
  const began = Date.now();
  const { identity, files, isRestored } = feed;
  await database.write(() => {
    const known = readFed(database);
    if (known?.identity === identity && !(isRestored && known.number > feed.number)) return;
    if (known !== undefined) removeEverything(database);
    takeLease(database, holder);
    writeFed(database, { identity, number: 0 });
  }, options.signal);
  const { number: after } = readFed(database)!;
  // Another process may have followed it further.
  const number = Math.max(after, feed.number);
  const { listing, changed } = await feed.changesAfter(after);
  if (after > 0) await movePaths(database, listing);
  const within =
    after === 0
      ? undefined
      : [...new Set([...listing.files.map(({ path }) => path), ...pathsOfFed(database, changed)])];
  const swept = await sweep(
    database,
    { ...files, list: async () => listing, isThere: () => false },
    {
      ...options,
      within,
      beforeSlice: (done, total) => {
        keepLease(database, holder);
        writeState(database, { done, total });
        countWriting(database);
      },
    },
  );
  const total = await database.write(() => {
    keepLease(database, holder);
    const count = Number(database.get("SELECT count(*) AS count FROM document WHERE kind <> 'folder'")!["count"]);
    writeState(database, { swept: began, done: count, total: count });
    writeFed(database, { identity, number });
    return count;
  }, options.signal);
  if (swept.changed > 0 || swept.removed > 0) await mergeText(database, options.signal);
  return { ...swept, total };
}

function pathsOfFed(database: IndexDatabase, files: readonly number[]): string[] {
  if (files.length === 0) return [];
  return database
    .all("SELECT path FROM document WHERE inode IN (SELECT value FROM json_each(?))", JSON.stringify(files))
    .map((row) => String(row["path"]));
}

/** Documents whose files were moved with their folders keep what is known of them. */
async function movePaths(database: IndexDatabase, { files }: Listing): Promise<void> {
  const known = new Map(
    database
      .all(
        "SELECT inode, path, size, mtime, hash FROM document WHERE inode IN (SELECT value FROM json_each(?))",
        JSON.stringify(files.map(({ version }) => version.inode)),
      )
      .map((row) => [Number(row["inode"]), row]),
  );
  const moved = files.filter(({ path, version, hash }) => {
    const before = known.get(version.inode);
    if (before === undefined || before["path"] === path || nameIn(String(before["path"])) !== nameIn(path))
      return false;
    return before["hash"] === hash && before["size"] === version.size && before["mtime"] === version.mtime;
  });
  if (moved.length === 0) return;
  await database.write(() => {
    // A file in the way is not at that path any more, and is indexed again where it is.
    database.runEach(
      "UPDATE OR IGNORE document SET path = ? WHERE inode = ?",
      moved.map(({ path, version }) => [path, version.inode]),
    );
    countWriting(database);
    countRelocation(database);
  });
}

async function sweepWhole(
  database: IndexDatabase,
  holder: string,
  root: IndexedFiles,
  options: SweepOptions,
): Promise<Swept> {
  const began = Date.now();
  const before = writingsIn(database);
  let writings = 0;
  const swept = await sweep(database, root, {
    ...options,
    seen: readSeen(database),
    beforeSlice: (done, total) => {
      keepLease(database, holder);
      writeState(database, { done, total });
      countWriting(database);
      writings++;
    },
  });
  await database.write(() => {
    keepLease(database, holder);
    // Searches work from here on; merging only makes them faster.
    writeState(database, { swept: began, done: swept.total, total: swept.total });
    // Another process may have written during the sweep, after its file was listed.
    if (swept.seen !== undefined && writingsIn(database) === before + writings) writeSeen(database, swept.seen);
  }, options.signal);
  if (swept.changed > 0) await mergeText(database, options.signal);
  return swept;
}

function filesCalled(database: IndexDatabase, name: string): string[] {
  const rows = database.all(
    `SELECT path, facts ->> 'aliases' AS aliases
     FROM name JOIN document ON document.id = name.document JOIN facts ON facts.document = document.id
     WHERE name.folded = ? AND kind <> 'folder' ORDER BY path`,
    comparableName(name),
  );
  const documents = rows.map(({ path, aliases }) => ({
    path: String(path),
    aliases: JSON.parse(String(aliases)) as string[],
  }));
  return closestNamed(documents, name);
}
