// The note index of a space in a shared store, for one member: its rows are in the
// store, so that no server has to build one, and row-level security decides who sees
// them. Every answer is one transaction, which first asks which space has the name, and
// whether files wait to be indexed. Loaded only for a vault in a shared store; opened by
// vault.ts.
import type { AccessRules, StoredFiles } from "../../../files/files.ts";
import type { SharedSpace } from "../../../journal/journal.ts";
import { type Log, Problem } from "../../../kernel/kernel.ts";
import type { TaggedQuery } from "../../../postgres/postgres.ts";
import {
  nameOfDocument,
  parseQuery,
  type SearchQuery,
  settledWithin,
  type SweepOptions,
} from "../../../search/search.ts";
import { BackgroundFill } from "../../meaning/background-fill.ts";
import { type EmbeddingModel, openEmbeddingEndpoint } from "../../meaning/embedding-endpoint.ts";
import { openPdfReader, UnreadablePdf } from "../../pdf/pdf-reader.ts";
import { FileTable } from "../file-table.ts";
import { noteHit, pathsMeant, pdfHit, shownPassage, SNIPPET_LENGTH, unreadHit, wantedOf } from "../note-hits.ts";
import type { Fresh, NoteHit, NoteIndex, RelatedNote, SimilarNotes } from "../note-index.ts";
import { catchingUp, type Indexable } from "./catching-up.ts";
import { indexAgain } from "./indexing.ts";
import { pdfTexts, readPdfFiles, unreadPdfs, waitingPdfs } from "./pdf-files.ts";
import { EVERY_NOTE } from "./shared-filter.ts";
import * as lookups from "./shared-lookups.ts";
import { type NearText, SharedMeanings } from "./shared-meanings.ts";
import { filterOfQuery, searchShared, type SharedHit } from "./shared-search.ts";
import type { SearchedSpace } from "./shared-text.ts";
import { cacheOf, type SpaceCache } from "./space-cache.ts";

interface Opening {
  readonly space: SharedSpace;
  readonly root: StoredFiles;
  readonly access: AccessRules;
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
/** Milliseconds that a search waits for PDF files that it is the first to find unread: some are read by then. */
const PDF_WAIT = 2_500;
/** How many names one statement looks up. */
const NAMES_AT_ONCE = 2_000;

/** The index as one transaction sees it. */
interface Asked extends lookups.Lookup, Indexable {
  readonly cache: SpaceCache;
  readonly number: number;
  readonly isWaiting: boolean;
  readonly searched: () => Promise<SearchedSpace>;
}

/** Asks for nothing before it is used. */
export function openSharedNoteIndex({
  space,
  root,
  access,
  log,
  pdfProgram,
  wordVectors,
  embeddings,
}: Opening): NoteIndex {
  const closing = new AbortController();
  const isHidden = access.hides ? access.isHidden : undefined;
  const index = catchingUp(space, closing);
  const meanings = new SharedMeanings({
    space,
    isHidden,
    wordVectors,
    endpoint: embeddings && openEmbeddingEndpoint(embeddings),
    log,
  });
  const storeName = `${space.store.address.host}:${space.store.address.port}/${space.store.address.database}`;

  const begin = async (sql: TaggedQuery, id: number): Promise<Asked> => {
    const [row] = await sql`
      SELECT space.id || ' ' || extract(epoch FROM space.created) AS identity, coalesce(state.number, 0) AS number,
        coalesce(state.texts, 0) AS texts, coalesce(state.words, 0) AS words, coalesce(files.number, 0) AS change,
        EXISTS (SELECT 1 FROM commonplace.note_waiting WHERE note_waiting.space = space.id) AS waits,
        space.id IN (SELECT commonplace.spaces_to_index()) AS may
      FROM commonplace.space LEFT JOIN commonplace.note_state AS state ON state.space = space.id
      LEFT JOIN commonplace.file_state AS files ON files.space = space.id WHERE space.id = ${id}`;
    // Numbers begin again in a database that was made again.
    const cache = cacheOf(`${storeName} ${String(row?.["identity"])}`);
    const number = Number(row?.["number"] ?? 0);
    const documents = Number(row?.["texts"] ?? 0);
    const statistics = { documents, averageLength: documents === 0 ? 0 : Number(row?.["words"]) / documents };
    return {
      sql,
      space: id,
      isHidden,
      cache,
      number,
      version: `${String(row?.["identity"])} ${String(row?.["change"])} ${number}`,
      isWaiting: row?.["waits"] === true,
      mayIndex: row?.["may"] === true,
      searched: async () => ({
        sql,
        space: id,
        words: await cache.words(sql, id, number),
        documents: cache.documents,
        statistics,
      }),
    };
  };
  const state = () => space.ask(begin);

  /** Asks once the index has what was committed before; or, after a while, without. */
  const ask = async <T>(question: (asked: Asked) => Promise<T>, options: SweepOptions = {}): Promise<Fresh<T>> => {
    const first = await space.ask(async (sql, id) => {
      const asked = await begin(sql, id);
      return asked.isWaiting ? { asked } : { asked, answer: await question(asked) };
    });
    if ("answer" in first) return { stale: false, answer: first.answer as T };
    const freshness = await index.forQuery(first.asked, options);
    return { ...freshness, answer: await space.ask(async (sql, id) => question(await begin(sql, id))) };
  };

  let pdfReader = pdfProgram === undefined ? undefined : openPdfReader(pdfProgram, { isInBackground: true });
  let readingPdfs: Promise<void> | undefined;
  /** The number of the index in which no PDF file waited. */
  let allPdfsRead = -1;
  /** Reads PDF files in the background. Never rejects. */
  const readPdfs = ({ space: id, mayIndex }: Indexable, options: SweepOptions = {}): Promise<void> => {
    const reader = pdfReader;
    if (reader === undefined || !mayIndex) return Promise.resolve();
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    const read = async () => {
      try {
        await readPdfFiles(space, id, root, reader, { ...options, signal });
      } catch (error) {
        if (signal.aborted) return;
        // Without a process none can be read: once is enough to find out.
        if (error instanceof UnreadablePdf) pdfReader = undefined;
        log(`PDF files could not be indexed: ${(error as Error).message}`);
      }
    };
    readingPdfs ??= index.tracked(read()).finally(() => (readingPdfs = undefined));
    return readingPdfs;
  };
  /** How many PDF files wait to be read. */
  const pdfsWaiting = async ({ sql, space: id, number }: Asked): Promise<number> => {
    if (pdfReader === undefined || allPdfsRead === number) return 0;
    const waiting = await waitingPdfs(sql, id);
    if (waiting === 0) allPdfsRead = number;
    return waiting;
  };

  /** Vectors for what has none yet; those of an endpoint take as long as its model needs. */
  const meaningFill = new BackgroundFill(async ({ space: id, mayIndex }: Indexable, number: number) => {
    if (mayIndex) await index.tracked(meanings.fill(id, number, closing.signal));
  });
  const embeddingFill = new BackgroundFill(async ({ space: id, mayIndex }: Indexable, number: number) => {
    if (mayIndex) await index.tracked(meanings.fillEmbeddings(id, number, closing.signal));
  });

  const relatedNotes = async (
    asked: Asked,
    near: readonly NearText[],
    query: Pick<SearchQuery, "words">,
  ): Promise<RelatedNote[]> => {
    const sentences = await meanings.sentences(asked, near, query);
    return near
      .map(({ path, title, nearness }, i) => ({ path, title, nearness, passage: shownPassage(sentences[i]!) }))
      .filter(({ passage }) => passage !== "");
  };

  /** If the index is complete; else the caller reads every file. */
  const ifComplete = async (question: (asked: Asked) => Promise<ReadonlySet<string>>) => {
    try {
      const { stale, answer } = await ask(question);
      return stale ? undefined : answer;
    } catch {
      // Without access the caller learns it from the files themselves.
      return undefined;
    }
  };

  return {
    files: (signal) =>
      ask(async ({ sql, space: id, version, cache }) => {
        const table = await cache.files.read(sql, id, version, signal);
        return isHidden === undefined ? table : new FileTable(table.files.filter(({ path }) => !isHidden(path)));
      }),
    tags: () => ask(lookups.tagCounts),
    headings: (text, limit) => ask(async (asked) => lookups.headingsWith(asked, await asked.searched(), text, limit)),
    filesNamed: (text, limit) => ask((asked) => lookups.filesNamed(asked, text, limit)),
    paths: () => ask(lookups.allPaths),
    named: (name) => ask((asked) => lookups.filesCalled(asked, name)),
    links: (paths) => ask((asked) => lookups.linksFrom(asked, paths)),
    backlinks: (paths) => ask((asked) => lookups.backlinksTo(asked, paths)),
    noteTimes: (span, paths) => ask((asked) => lookups.noteTimes(asked, span, paths)),
    similar: async (path, count) => {
      const asked = await ask(async (now) => now);
      await meaningFill.run(asked.answer, asked.answer.number);
      void embeddingFill.run(asked.answer, asked.answer.number);
      return ask(async (now): Promise<SimilarNotes> => {
        if (wordVectors === undefined && embeddings === undefined) return { notes: [], none: "off" };
        const ordinal = await lookups.ordinalOf(now, path);
        if (ordinal === undefined) return { notes: [] };
        const filter = await filterOfQuery(await now.searched(), isHidden, parseQuery(""), {});
        const sought = { query: parseQuery(""), filter, without: [path], count };
        const near = await meanings.like(now, ordinal, sought);
        if (near === undefined) return { notes: [], none: "unknown" };
        return { notes: await relatedNotes(now, near, parseQuery(nameOfDocument(path))) };
      });
    },
    search: async (
      text,
      { snippetLength = SNIPPET_LENGTH, signal, onProgress, related = 0, relatesHits = false, ...options },
    ) => {
      const query = parseQuery(text);
      const scope = { ...options, paths: options.paths?.flatMap(pathsMeant) };
      let direction: Float32Array | undefined;
      if (related > 0) {
        const { answer } = await ask(async (asked) => asked, { signal, onProgress });
        const filled = [meaningFill.run(answer, answer.number), embeddingFill.runForSearch(answer, answer.number)];
        await settledWithin(Promise.all(filled), MEANINGS_WAIT, signal);
        direction = await meanings.directionOf(query, signal);
      }
      const find = async (asked: Asked) => {
        const searched = await asked.searched();
        const found = await searchShared(searched, isHidden, query, scope);
        const hits = await presented(asked, found.hits, wantedOf(query, found.words, snippetLength));
        const listed = found.hits.map(({ path }) => path);
        const besides = relatesHits ? { without: [], uncounted: listed } : { without: listed };
        const filter = related === 0 ? EVERY_NOTE : await filterOfQuery(searched, isHidden, query, scope);
        const meant = meanings.queryMeant(query, found.corrections);
        const sought = { query: meant, filter, ...besides, count: related };
        const near = related === 0 ? [] : await meanings.nearTo(asked, sought, direction);
        return {
          hits,
          related: await relatedNotes(asked, near, meant),
          total: found.total,
          unread: await lookups.unreadFiles(asked),
          waitingPdfs: readingPdfs === undefined ? 0 : await pdfsWaiting(asked),
        };
      };
      const asking = { signal, onProgress };
      let { answer, ...freshness } = await ask(
        async (asked) => (readingPdfs === undefined && (await pdfsWaiting(asked)) > 0 ? asked : find(asked)),
        asking,
      );
      if (!("hits" in answer)) {
        // Not while a connection is held: the files are read through others.
        await settledWithin(readPdfs(answer), PDF_WAIT, signal);
        ({ answer, ...freshness } = await ask(find, asking));
      }
      const relatedFault = related > 0 ? meanings.fault : undefined;
      return { ...freshness, ...answer, ...(relatedFault !== undefined && { relatedFault }) };
    },
    refresh: async ({ rebuild = false, ...options } = {}) => {
      const { mayIndex, space: number } = await state();
      if (rebuild && !mayIndex) throw mayNotIndex(space.name);
      if (rebuild) await space.store.transaction((sql) => indexAgain(sql, number));
      const before = await state();
      const waits = !mayIndex && before.isWaiting && (await index.forQuery(before, options)).stale;
      if (waits) throw mayNotIndex(space.name);
      const { changed, removed } = mayIndex ? await index.all(before, options) : { changed: 0, removed: 0 };
      const now = await state();
      await Promise.all([readPdfs(now, options), meaningFill.run(now, now.number), embeddingFill.run(now, now.number)]);
      return space.ask(async (sql, id) => {
        const asked = await begin(sql, id);
        const [row] = await sql`SELECT count(*) AS count FROM commonplace.note WHERE space = ${id}`;
        const unread = [...(await lookups.unreadFiles(asked)), ...(await unreadPdfs(sql, id))];
        return { total: Number(row!["count"]), changed, removed, unread };
      });
    },
    namedLike: async (name) => {
      try {
        return await space.ask(async (sql, id) => {
          const asked = await begin(sql, id);
          return lookups.namedLike(asked, await asked.searched(), name);
        });
      } catch {
        // The caller works without the index.
        return [];
      }
    },
    stamp: async () => (await state()).version,
    filesLinking: (names, path, turns) =>
      ifComplete(async (asked) => {
        const found = new Set(await lookups.filesWithLinks(asked, path));
        const some = new Set<string>();
        const look = async () => {
          for (const linking of await lookups.filesWithLinkNames(asked, some)) found.add(linking);
          some.clear();
        };
        for (const name of names) {
          if (some.add(name).size >= NAMES_AT_ONCE) await look();
          if (turns.isOver()) await turns.next();
        }
        await look();
        return found;
      }),
    filesTagged: (tag) => ifComplete(async (asked) => new Set(await lookups.filesTagged(asked, tag))),
    noteWritten: async (changed) => {
      if (changed.paths.length > 0) index.soon(state);
    },
    close: async () => {
      pdfReader?.close();
      await index.close();
      meanings.close();
    },
  };
}

function mayNotIndex(space: string): Problem {
  return new Problem(
    "denied",
    `You may read the space ${space}, but not index it: a writer or a server has to.`,
    `A writer does it with any search, or with 'commonplace index --vault store:${space}'; a server for members when one of them searches.`,
  );
}

/** Hits with their snippets; the contents of all are read at once. */
async function presented(
  { sql, space }: Asked,
  hits: readonly SharedHit[],
  wanted: ReturnType<typeof wantedOf>,
): Promise<NoteHit[]> {
  const files = (isPdf: boolean) => hits.filter(({ kind }) => (kind === "pdf") === isPdf).map(({ file }) => file);
  const rows = await sql`
    SELECT id, bytes FROM commonplace.file WHERE space = ${space} AND id = ANY(${files(false)}::bigint[])`;
  const contents = new Map(rows.map((row) => [Number(row["id"]), row["bytes"] as Buffer]));
  const texts = await pdfTexts(sql, space, files(true));
  return hits.map((hit) => {
    if (hit.kind === "pdf") return pdfHit(texts.get(hit.file) ?? "", hit, wanted);
    const bytes = contents.get(hit.file);
    return bytes === undefined ? unreadHit(hit) : noteHit(bytes, hit, wanted);
  });
}
