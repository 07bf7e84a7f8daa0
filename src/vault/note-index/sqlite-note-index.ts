// The note index in an SQLite file in the cache folder, shared by all processes that
// serve the vault: of a folder, or of a space in a shared store, whose index is a cache of
// this machine too. Snippets are cut from the files themselves. Opened by vault.ts.
import type { AccessRules, StoredFiles, VaultPath } from "../../files/files.ts";
import type { SharedSpace } from "../../journal/journal.ts";
import { type Log, Problem } from "../../kernel/kernel.ts";
import {
  fedIndex,
  type Freshness,
  type Hit,
  nameOfDocument,
  parseQuery,
  type SearchQuery,
  settledWithin,
  type SweepOptions,
} from "../../search/search.ts";
import { BackgroundFill } from "../meaning/background-fill.ts";
import { type EmbeddingModel, openEmbeddingEndpoint } from "../meaning/embedding-endpoint.ts";
import type { NearNote, Sought } from "../meaning/passage-vectors.ts";
import { openPdfReader, UnreadablePdf } from "../pdf/pdf-reader.ts";
import type { Vault } from "../vault.ts";
import { keptFolder } from "./kept-folder.ts";
import type { KeptIndex, ReadFile } from "./kept-index.ts";
import { noteIndexFile, openNoteDatabase, type NoteDatabase, spaceIndexFile } from "./note-database.ts";
import {
  noteHit,
  pathsMeant,
  pdfHit,
  shownPassage,
  SNIPPET_LENGTH,
  unreadHit,
  type Wanted,
  wantedOf,
} from "./note-hits.ts";
import type { NoteIndex, NoteHit, RelatedNote, SimilarNotes } from "./note-index.ts";

type IndexedVault = Pick<Vault, "root"> & Partial<Pick<Vault, "access">>;

interface Opening {
  /** The cache folder. */
  readonly cache: string;
  readonly log: Log;
  /** The built pdf-process.ts; without it the text of PDF files is not indexed. */
  readonly pdfProgram?: string | undefined;
  /** The table of word vectors; without it notes are not searched by meaning. */
  readonly wordVectors?: string | undefined;
  /** An embeddings endpoint on this machine, to be used instead of the table while it answers. */
  readonly embeddings?: EmbeddingModel | undefined;
}

/** Milliseconds that a search waits for the vectors of new notes; the next one finds more. */
const MEANINGS_WAIT = 300;
/** How many names one statement looks up. */
const NAMES_AT_ONCE = 2000;
/** Milliseconds that a search waits for PDF files that it is the first to find unread: some are read by then. */
const PDF_WAIT = 2_500;

/** The index of a folder. Opens and creates nothing before the first use. */
export function openSqliteNoteIndex({ root, access }: IndexedVault, opening: Opening): NoteIndex {
  const index = openDatabase(noteIndexFile(opening.cache, root.folder, access), opening);
  return noteIndex(keptFolder(root, index), index, opening);
}

interface SpaceOpening extends Opening {
  readonly space: SharedSpace;
  readonly root: StoredFiles;
  readonly access: AccessRules;
  /** By a server, whose other members use the index, too. */
  readonly isServed: boolean;
}

/** The index of a space, for one member. Opens, creates and asks for nothing before the first use. */
export async function openSpaceNoteIndex({
  space,
  root,
  access,
  isServed,
  ...opening
}: SpaceOpening): Promise<NoteIndex> {
  const { keptSpace } = await import("./kept-space.ts");
  const file = spaceIndexFile(opening.cache, space.store.address.shown, space.name, access);
  const own = fedIndex(file, () => openDatabase(file, opening, true));
  return noteIndex(keptSpace({ space, root, access, own, isServed }), own.index, opening);
}

function openDatabase(file: string, { log, wordVectors, embeddings }: Opening, isFed = false): NoteDatabase {
  const endpoint = embeddings && openEmbeddingEndpoint(embeddings);
  return openNoteDatabase({ file, log, wordVectors, endpoint, isFed });
}

function noteIndex(kept: KeptIndex, index: NoteDatabase, { log, pdfProgram, wordVectors }: Opening): NoteIndex {
  const { root, files, tracked } = kept;
  let pdfReader = pdfProgram === undefined ? undefined : openPdfReader(pdfProgram, { isInBackground: true });
  let readingPdfs: Promise<void> | undefined;
  const closing = new AbortController();
  /** Reads PDF files in the background. Never rejects. */
  const readPdfs = (options: SweepOptions = {}): { readonly isNew: boolean; readonly reading: Promise<void> } => {
    const reader = pdfReader;
    if (readingPdfs !== undefined) return { isNew: false, reading: readingPdfs };
    if (reader === undefined || index.waitingPdfs() === 0) return { isNew: false, reading: Promise.resolve() };
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    const read = async () => {
      try {
        await index.readPdfs(root, reader, { ...options, signal });
      } catch (error) {
        if (signal.aborted || index.recover(error)) return;
        // Without a process none can be read: once is enough to find out.
        if (error instanceof UnreadablePdf) pdfReader = undefined;
        log(`PDF files could not be indexed: ${(error as Error).message}`);
      }
    };
    readingPdfs = tracked(read()).finally(() => (readingPdfs = undefined));
    return { isNew: true, reading: readingPdfs };
  };

  /** Vectors for what has none yet; those of an endpoint take as long as its model needs. */
  const meaningFill = new BackgroundFill(() => tracked(index.meanings.fill(files, closing.signal)));
  const embeddingFill = new BackgroundFill(async () => {
    if (index.embeddings !== undefined) await tracked(index.embeddings.fill(files, closing.signal));
  });

  const nearTo = async (sought: Sought, signal?: AbortSignal): Promise<NearNote[]> => {
    await settledWithin(Promise.all([meaningFill.run(), embeddingFill.runForSearch()]), MEANINGS_WAIT, signal);
    return (await index.embeddings?.nearTo(sought, signal)) ?? index.meanings.nearTo(sought, files);
  };

  const relatedIn = async (near: readonly NearNote[], query: Pick<SearchQuery, "words">): Promise<RelatedNote[]> => {
    const texts = await index.meanings.textsOf(
      files,
      near.map(({ path }) => path),
    );
    return near.flatMap(({ path, title, nearness, start, end }) => {
      const passage = shownPassage(index.meanings.bestSentence(texts.get(path)!.slice(start, end), query));
      return passage === "" ? [] : [{ path, title, nearness, passage }];
    });
  };

  const ask = <T>(question: (database: NoteDatabase) => T | Promise<T>, signal?: AbortSignal) =>
    kept.ask(async (freshness) => ({ ...freshness, answer: await question(index) }), { signal });

  return {
    files: (signal) => ask((database) => database.files(signal), signal),
    tags: () => ask((database) => database.tags()),
    headings: (text, limit) => ask((database) => database.headingsWith(text, limit)),
    filesNamed: (text, limit) => ask((database) => database.filesNamed(text, limit)),
    paths: () => ask((database) => database.paths()),
    named: (name) => ask((database) => database.named(name)),
    links: (paths) => ask((database) => database.links(paths)),
    backlinks: (paths) => ask((database) => database.backlinks(paths)),
    noteTimes: ({ from, before }, paths) =>
      ask((database) => ({ changed: database.noteTimes(from, before), known: database.noteTimesOf(paths) })),
    similar: (path, count) =>
      ask(async ({ idOf, meanings, embeddings: own }): Promise<SimilarNotes> => {
        if (wordVectors === undefined && own === undefined) return { notes: [], none: "off" };
        await meaningFill.run();
        const id = idOf(path);
        if (id === undefined) return { notes: [] };
        void embeddingFill.run();
        const sought = { query: parseQuery(""), scope: {}, without: [path], count };
        const near = own?.like(id, sought) ?? meanings.like(id, sought);
        if (near === undefined) return { notes: [], none: "unknown" };
        return { notes: await relatedIn(near, parseQuery(nameOfDocument(path))) };
      }),
    search: async (
      text,
      { snippetLength = SNIPPET_LENGTH, signal, onProgress, related = 0, relatesHits = false, ...options },
    ) => {
      const query = parseQuery(text);
      const scope = { ...options, paths: options.paths?.flatMap(pathsMeant) };
      const answered = async (freshness: Freshness) => {
        const { isNew, reading } = readPdfs();
        if (isNew) await settledWithin(reading, PDF_WAIT, signal);
        const found = index.search(query, scope);
        const wanted = wantedOf(query, found.words, snippetLength);
        const texts = found.hits.filter(({ kind }) => kind !== "pdf").map(({ path }) => path);
        const read = await kept.readers(texts);
        const presented = await Promise.all(
          found.hits.map((hit) =>
            hit.kind === "pdf" ? presentPdf(root, index, hit, wanted) : present(read, hit, wanted),
          ),
        );
        const hits = presented.filter((hit) => hit !== undefined);
        const gone = found.hits.length - hits.length;
        const listed = found.hits.map(({ path }) => path);
        const besides = relatesHits ? { without: [], uncounted: listed } : { without: listed };
        const meant = index.meanings.queryMeant(query, found.corrections);
        const near = related > 0 ? await nearTo({ query: meant, scope, ...besides, count: related }, signal) : [];
        const relatedFault = related > 0 ? index.embeddings?.fault : undefined;
        return {
          ...freshness,
          hits,
          related: await relatedIn(near, meant),
          ...(relatedFault !== undefined && { relatedFault }),
          total: found.total - gone,
          unfound: found.unfound,
          known: found.known,
          unread: index.unread(),
          waitingPdfs: readingPdfs === undefined ? 0 : index.waitingPdfs(),
        };
      };
      return kept.ask(answered, { signal, onProgress });
    },
    refresh: async ({ rebuild = false, ...options } = {}) => {
      const rest = () => Promise.all([readPdfs(options).reading, meaningFill.run(), embeddingFill.run()]);
      const swept = await kept.refresh(Date.now(), options, rebuild, rest);
      return swept && { ...swept, unread: [...swept.unread, ...index.unreadPdfs()] };
    },
    namedLike: async (name) => {
      try {
        return (await kept.ifThere(() => index.namedLike(name))) ?? [];
      } catch {
        // The caller works without the index.
        return [];
      }
    },
    stamp: kept.stamp,
    filesLinking: (names, path, turns) =>
      kept.inPlan(async () => {
        const found = new Set(index.notesWithLinks(path));
        const asked = new Set<string>();
        const ask = () => {
          for (const linking of index.notesWithLinkNames(asked)) found.add(linking);
          asked.clear();
        };
        for (const name of names) {
          if (asked.add(name).size >= NAMES_AT_ONCE) ask();
          if (turns.isOver()) await turns.next();
        }
        ask();
        return found;
      }),
    filesTagged: (tag) => kept.inPlan(async () => new Set(index.filesTagged(tag))),
    noteWritten: kept.noteWritten,
    release: index.release,
    close: async () => {
      closing.abort();
      pdfReader?.close();
      await kept.close();
    },
  };
}

/** A hit with its snippet; undefined if its file is gone. */
async function present(read: ReadFile, hit: Hit, wanted: Wanted): Promise<NoteHit | undefined> {
  try {
    const file = await read(hit.path);
    return file && noteHit(file.bytes, hit, wanted);
  } catch (error) {
    // It exists but cannot be read: show what the index knows.
    if (error instanceof Problem) return unreadHit(hit);
    throw error;
  }
}

/** The same for a PDF file, whose text is in the index, with the page. */
async function presentPdf(
  root: Vault["root"],
  index: NoteDatabase,
  hit: Hit,
  wanted: Wanted,
): Promise<NoteHit | undefined> {
  if (!(await isFile(root, hit.path as VaultPath))) return undefined;
  return pdfHit(index.pdfText(hit.path) ?? "", hit, wanted);
}

async function isFile(root: Vault["root"], path: VaultPath): Promise<boolean> {
  try {
    return (await root.locate(path)).kind === "file";
  } catch {
    return false;
  }
}
