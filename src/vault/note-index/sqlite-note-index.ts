// The note index in an SQLite file in the cache folder, shared by all processes that
// serve the vault. Swept before queries; snippets are cut from the files
// themselves. Opened by vault.ts.
import { type Log, Problem } from "../../kernel/kernel.ts";
import type { VaultPath } from "../../files/files.ts";
import {
  type Freshness,
  type Hit,
  keepFresh,
  nameOfDocument,
  parseQuery,
  type SearchQuery,
  settledWithin,
  type SweepOptions,
} from "../../search/search.ts";
import { BackgroundFill } from "../meaning/background-fill.ts";
import { type EmbeddingModel, openEmbeddingEndpoint } from "../meaning/embedding-endpoint.ts";
import { kindOf, textOf } from "../meaning/meanings.ts";
import type { NearNote, Sought } from "../meaning/passage-vectors.ts";
import { indexedFolder } from "./indexed-files.ts";
import { noteIndexFile, openNoteDatabase, type NoteDatabase } from "./note-database.ts";
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
import { openPdfReader, UnreadablePdf } from "../pdf/pdf-reader.ts";
import { type Changed, outermost } from "../../journal/journal.ts";
import type { Vault } from "../vault.ts";

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
/** Milliseconds that a query waits until this process's own writes are indexed; then the answer is marked as stale. */
const WRITES_WAIT = 2_000;
/** Milliseconds that a search waits for PDF files that it is the first to find unread: some are read by then. */
const PDF_WAIT = 2_500;

/** Opens and creates nothing before the first use. */
export function openSqliteNoteIndex(
  { root, access }: IndexedVault,
  { cache, log, pdfProgram, wordVectors, embeddings }: Opening,
): NoteIndex {
  const indexed = indexedFolder(root);
  const endpoint = embeddings && openEmbeddingEndpoint(embeddings);
  const index = openNoteDatabase({ file: noteIndexFile(cache, indexed.folder, access), log, wordVectors, endpoint });
  const { freshen, sweepSince, mending, tracked, outdated, close } = keepFresh({
    state: index.state,
    sweep: (options) => index.sweep(indexed, options),
    recover: index.recover,
  });

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

  /** Changes that are not indexed yet, oldest first. */
  const written: Changed[] = [];
  let indexing: Promise<void> | undefined;
  /** Indexes all pending changes in one sweep, after moving the folders in order. */
  const indexWritten = async () => {
    while (written.length > 0) {
      const paths: string[] = [];
      try {
        for (let next = written.shift(); next !== undefined; next = written.shift()) {
          paths.push(...next.paths);
          for (const folder of next.folders) await index.relocate(folder);
        }
        await index.refresh(indexed, outermost(paths));
      } catch {
        outdated();
      }
    }
  };

  /** Waits for own writes, so that this process's next query finds them. */
  const afterWrites = async <T extends Freshness>(
    signal: AbortSignal | undefined,
    query: () => Promise<T>,
  ): Promise<T> => {
    if (indexing !== undefined) await settledWithin(indexing, WRITES_WAIT, signal);
    const isLate = indexing !== undefined;
    const answer = await query();
    return isLate ? { ...answer, stale: true } : answer;
  };

  /** Vectors for what has none yet; those of an endpoint take as long as its model needs. */
  const meaningFill = new BackgroundFill(() => tracked(index.meanings.fill(indexed, closing.signal)));
  const embeddingFill = new BackgroundFill(async () => {
    if (index.embeddings !== undefined) await tracked(index.embeddings.fill(indexed, closing.signal));
  });

  const nearTo = async (sought: Sought, signal?: AbortSignal): Promise<NearNote[]> => {
    await settledWithin(Promise.all([meaningFill.run(), embeddingFill.runForSearch()]), MEANINGS_WAIT, signal);
    return (await index.embeddings?.nearTo(sought, signal)) ?? index.meanings.nearTo(sought, indexed);
  };

  const relatedIn = (near: readonly NearNote[], query: Pick<SearchQuery, "words">): RelatedNote[] =>
    near.flatMap(({ path, title, nearness, start, end }) => {
      const text = textOf(indexed, path, kindOf(path)).slice(start, end);
      const passage = shownPassage(index.meanings.bestSentence(text, query));
      return passage === "" ? [] : [{ path, title, nearness, passage }];
    });

  const ask = <T>(question: (database: NoteDatabase) => T | Promise<T>, signal?: AbortSignal) =>
    afterWrites(signal, () =>
      mending(async () => {
        const freshness = await freshen({ signal });
        return { ...freshness, answer: await question(index) };
      }),
    );

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
        return { notes: relatedIn(near, parseQuery(nameOfDocument(path))) };
      }),
    search: async (
      text,
      { snippetLength = SNIPPET_LENGTH, signal, onProgress, related = 0, relatesHits = false, ...options },
    ) => {
      const query = parseQuery(text);
      const scope = { ...options, paths: options.paths?.flatMap(pathsMeant) };
      const answered = async () => {
        const freshness = await freshen({ signal, onProgress });
        const { isNew, reading } = readPdfs();
        if (isNew) await settledWithin(reading, PDF_WAIT, signal);
        const found = index.search(query, scope);
        const wanted = wantedOf(query, found.words, snippetLength);
        const presented = await Promise.all(
          found.hits.map((hit) =>
            hit.kind === "pdf" ? presentPdf(root, index, hit, wanted) : present(root, hit, wanted),
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
          related: relatedIn(near, meant),
          ...(relatedFault !== undefined && { relatedFault }),
          total: found.total - gone,
          unread: index.unread(),
          waitingPdfs: readingPdfs === undefined ? 0 : index.waitingPdfs(),
        };
      };
      return afterWrites(signal, () => mending(answered));
    },
    refresh: async ({ rebuild = false, ...options } = {}) => {
      const time = Date.now();
      const work = async () => {
        if (rebuild) await index.clear();
        const swept = await sweepSince(time, options);
        await Promise.all([readPdfs(options).reading, meaningFill.run(), embeddingFill.run()]);
        return swept && { ...swept, unread: [...swept.unread, ...index.unreadPdfs()] };
      };
      return tracked(mending(work));
    },
    namedLike: async (name) => {
      try {
        return index.exists() ? index.namedLike(name) : [];
      } catch {
        // The caller works without the index.
        return [];
      }
    },
    stamp: async () => index.stamp(),
    filesLinking: async (names, path, turns) => {
      await indexing;
      try {
        if (!index.exists() || index.state().swept === 0) return undefined;
        await sweepSince(Date.now(), {});
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
      } catch {
        // The caller works without the index.
        return undefined;
      }
    },
    filesTagged: async (tag) => {
      await indexing;
      try {
        if (!index.exists() || index.state().swept === 0) return undefined;
        await sweepSince(Date.now(), {});
        return new Set(index.filesTagged(tag));
      } catch {
        // The caller works without the index.
        return undefined;
      }
    },
    noteWritten: async (changed) => {
      // Without an index there is nothing to keep up to date: the first query indexes everything.
      if (changed.paths.length === 0 || !index.exists()) return;
      written.push(changed);
      while (written.length > 0) {
        indexing ??= tracked(indexWritten()).finally(() => (indexing = undefined));
        await indexing;
      }
    },
    close: async () => {
      closing.abort();
      pdfReader?.close();
      await indexing;
      await close();
      index.close();
    },
  };
}

/** A hit with its snippet; undefined if its file is gone. */
async function present(root: Vault["root"], hit: Hit, wanted: Wanted): Promise<NoteHit | undefined> {
  try {
    const file = await root.read(hit.path as VaultPath);
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
