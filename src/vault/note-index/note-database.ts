// The SQLite file of a note index: opens on first use, answers queries, and
// indexes what changed. Used by sqlite-note-index.ts, which keeps it fresh.
import { existsSync } from "node:fs";
import type { AccessRules, StoredFiles } from "../../files/files.ts";
import type { Log } from "../../kernel/kernel.ts";
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
  countWriting,
  hasLease,
  IndexDatabase,
  indexFile,
  IndexReplaced,
  newHolder,
  readSeen,
  readState,
  releaseLease,
  RELOCATIONS,
  type SweepState,
  takeLease,
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
  /** Whether there is an index; does not create one. */
  readonly exists: () => boolean;
  readonly state: () => SweepState;
  /** Undefined while another process sweeps. */
  readonly sweep: (root: IndexedFiles, options?: SweepOptions) => Promise<Swept | undefined>;
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
  /** What queries need of all files, kept in memory while there are queries. */
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
  readonly close: () => void;
}

/** Where something is hidden, an index of its own, without its words: other processes may see all of the vault. */
export function noteIndexFile(cache: string, vaultFolder: string, access?: Pick<AccessRules, "hiddenKey">): string {
  const hidden = access?.hiddenKey ?? "";
  return indexFile(cache, NOTES_KIND, hidden === "" ? vaultFolder : `${vaultFolder}\0${hidden}`);
}

/** Opens and creates nothing before the first use. */
export function openNoteDatabase({
  file,
  log,
  wordVectors,
  endpoint,
}: {
  readonly file: string;
  readonly log: Log;
  /** The table of word vectors; without it notes are not searched by meaning. */
  readonly wordVectors?: string | undefined;
  /** Where vectors come from instead. */
  readonly endpoint?: EmbeddingEndpoint | undefined;
}): NoteDatabase {
  const database = new IndexDatabase(file, log, NOTES);
  const meanings = new Meanings(database, wordVectors, log);
  const embeddings = endpoint && new Embeddings(database, endpoint, log);
  const fileTable = new FileTableCache(database);
  return {
    exists: () => database.isOpen || existsSync(file),
    state: () => {
      database.notice();
      return readState(database);
    },
    sweep: async (root, options = {}) => {
      const holder = newHolder();
      if (!(await database.write(() => takeLease(database, holder), options.signal))) return undefined;
      try {
        return await sweepWhole(database, holder, root, options);
      } catch (error) {
        if (error instanceof LeaseLost || error instanceof IndexReplaced) return undefined;
        throw error;
      } finally {
        await release(database, holder);
      }
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
    close: () => {
      fileTable.drop();
      embeddings?.close();
      database.close();
    },
  };
}

class LeaseLost extends Error {}

async function sweepWhole(
  database: IndexDatabase,
  holder: string,
  root: IndexedFiles,
  options: SweepOptions,
): Promise<Swept> {
  const began = Date.now();
  const before = writingsIn(database);
  let writings = 0;
  const keepLease = () => {
    if (!hasLease(database, holder)) throw new LeaseLost();
    takeLease(database, holder);
  };
  const swept = await sweep(database, root, {
    ...options,
    seen: readSeen(database),
    beforeSlice: (done, total) => {
      keepLease();
      writeState(database, { done, total });
      countWriting(database);
      writings++;
    },
  });
  await database.write(() => {
    keepLease();
    // Searches work from here on; merging only makes them faster.
    writeState(database, { swept: began, done: swept.total, total: swept.total });
    // Another process may have written during the sweep, after its file was listed.
    if (swept.seen !== undefined && writingsIn(database) === before + writings) writeSeen(database, swept.seen);
  }, options.signal);
  if (swept.changed > 0) await mergeText(database, options.signal);
  return swept;
}

async function release(database: IndexDatabase, holder: string): Promise<void> {
  try {
    await database.write(() => releaseLease(database, holder));
  } catch {
    // It expires by itself.
  }
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
