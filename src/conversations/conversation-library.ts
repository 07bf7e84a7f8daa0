// Every conversation with every assistant on this machine: found, read, stored,
// searched. The object that tools and commands work on; app/app.ts opens it on
// first use.
import { existsSync } from "node:fs";
import { IndexDatabase, readState, ReadCache } from "../sqlite/sqlite.ts";
import { type Freshness, keepFresh, placesCache, type SweepOptions } from "../search/search.ts";
import { type Log, Problem } from "../kernel/kernel.ts";
import { countPerHour, recall, type Recalled, type HourCount } from "./recall/recall.ts";
import type { Question } from "./recall/question.ts";
import { importArchive, type Imported, type ImportOptions } from "./imports/import-archive.ts";
import { refresh, type Refreshed } from "./ingest/refresh.ts";
import { authorsOf, authorsOfRow, type AskedFile, type Author } from "./recall/file-authors.ts";
import { editsIn, type FileEdit } from "./recall/file-edits.ts";
import { signalCache } from "./recall/signals.ts";
import { expiringTranscripts, type Expiring } from "./ingest/expiring.ts";
import type { ConversationSource, Home, SourceName, Tokens } from "./sources/source.ts";
import { sourceStates, type SourceState } from "./ingest/source-states.ts";
import { foldersOfProject, projectNamed, type NamedProject } from "./store/projects.ts";
import {
  conversationsWithId,
  messagesIn,
  chunksOf,
  chunkWith,
  relativesOf,
  tokensOf,
  type ConversationSummary,
  type Message,
  type Relative,
  type Relatives,
  type StoredMessage,
} from "./store/conversation-reader.ts";
import type { WholeText } from "./store/pages.ts";
import { pageTextCache } from "./store/page-texts.ts";
import { FilterCache } from "./store/filter-cache.ts";
import { readAllAgain, removeArchived } from "./store/removal.ts";
import { textRowsCache } from "./store/text-rows.ts";
import { CONVERSATIONS } from "./store/tables.ts";
import { finishInBackground } from "./ingest/reading/background-finish.ts";
import { isIndexingFinished } from "./ingest/finish-indexing.ts";
import { ToolTextFile } from "./store/tool-texts/text-file.ts";
import { ToolTexts, toolTextFileOf } from "./store/tool-texts/tool-texts.ts";
import type { PushedConversations, Pushing } from "./shared/push-conversations.ts";
import type { SharedProject } from "./shared/shared-projects.ts";
import type { RowsToShare } from "./shared/shared-rows.ts";
import { touchedFiles } from "./recall/touched-files.ts";
import { redactedSummary, summaryCache, type Redaction } from "./recall/summaries.ts";

export interface AskOptions {
  /** Reads all changed transcripts first, however long that takes. */
  readonly complete?: boolean | undefined;
  /** Answers from the store as it is, without looking at the disk. */
  readonly asItIs?: boolean | undefined;
  /** Waits until tool output is indexed too, which happens after all prose is. */
  readonly withTools?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Answer<T> extends Freshness {
  readonly answer: T;
}

export interface PushRequest extends Pick<Pushing, "store" | "space" | "signal" | "onProgress"> {
  readonly projects: readonly SharedProject[];
  /** Whether the settings hide a file, by its absolute path or by its path in a vault. */
  readonly isHidden: ((path: string) => boolean) | undefined;
}

export type PushedProjects = PushedConversations & Pick<RowsToShare, "projects" | "hidden">;

export interface Conversations {
  /** The conversations that match a question, best first. */
  readonly recall: (question: Question, options?: AskOptions) => Promise<Answer<Recalled>>;
  /** How many conversations each source had in each hour, so that they can be grouped by day in any time zone. */
  readonly countPerHour: (question: Question) => Promise<readonly HourCount[]>;
  /** The conversation with this id, `source/id`, or beginning of an id. Throws a Problem unless there is exactly one. */
  readonly find: (id: string, options?: AskOptions) => Promise<ConversationSummary>;
  /**
   * Its messages in order, in chunks of some kilobytes, so that even a long
   * conversation takes little memory. Starts with the given chunk.
   */
  readonly messages: (conversation: ConversationSummary, chunk?: number) => Generator<readonly Message[]>;
  /** The conversations that changed a file, or one of its lines, over all time; the newest first. */
  readonly authorsOf: (asked: AskedFile, options?: AskOptions) => Promise<readonly Author[]>;
  /** The conversations that inserted or changed an outline row. */
  readonly authorsOfRow: (id: string, options?: AskOptions) => Promise<readonly Author[]>;
  /** The project with this name or folder. */
  readonly project: (name: string, options?: AskOptions) => Promise<NamedProject>;
  /** The one that it continues or was forked from, and those that continue it or were forked from it. */
  readonly relatives: (conversation: ConversationSummary) => Relatives;
  /** What models took in and gave, as far as its program has counted it. */
  readonly tokens: (conversation: ConversationSummary) => Tokens | undefined;
  /** What a tool call wrote into files, if it did. */
  readonly editsOf: (message: Message) => readonly FileEdit[];
  /** The chunk that a message is in, or undefined if the conversation has no message with that id. */
  readonly chunkOf: (conversation: ConversationSummary, message: string) => number | undefined;
  /** The state of each source: where it looked, what it found, what it could not read. */
  readonly sources: (options?: AskOptions) => Promise<Answer<readonly SourceState[]>>;
  /** Files that recent conversations of a project touched, relative to its root, with a weight each. Never waits for a refresh. */
  readonly touchedFiles: (projectFolder: string, since: number) => ReadonlyMap<string, number>;
  /** Resolves when everything that existed at the time of the call is stored; with undefined if another process did it. */
  readonly refresh: (options?: SweepOptions & { readonly rebuild?: boolean }) => Promise<Refreshed | undefined>;
  /** Imports the archive of a service: a zip file, a folder, or its conversations.json. They stay until the store is deleted. */
  readonly importArchive: (path: string, options?: ImportOptions) => Promise<Imported>;
  /** The projects with this name or folder, to be shared. Throws a problem if there is none. */
  readonly projectsToShare: (name: string) => Promise<readonly SharedProject[]>;
  /** Brings the conversations of some projects into a shared store, without secrets. */
  readonly push: (request: PushRequest) => Promise<PushedProjects>;
  /** Deletes archived conversations from the store. @returns how many there were */
  readonly forget: () => Promise<number>;
  readonly close: () => Promise<void>;
}

interface Opening {
  readonly file: string;
  readonly sources: readonly ConversationSource[];
  readonly homes: readonly Home[];
  /** Applied to every text that is returned. */
  readonly redact: Redaction;
  readonly log: Log;
  /** Bytes of compressed tool texts that are kept; all, if it is left out. */
  readonly toolTextLimit?: number | undefined;
  /** The built reader-thread.ts, used if there is much to read. */
  readonly thread?: string | undefined;
}

/** Milliseconds between looks for what is about to be deleted: that takes as long as a refresh without changes. */
const LOOK_EVERY = 10 * 60 * 1000;

/** Opens and creates nothing until the first use. */
export function openConversations({
  file,
  sources,
  homes,
  redact,
  log,
  toolTextLimit = Number.POSITIVE_INFINITY,
  thread,
}: Opening): Conversations {
  const database = new IndexDatabase(file, log, CONVERSATIONS);
  const texts = new ToolTexts(database, new ToolTextFile(toolTextFileOf(file), log), toolTextLimit);
  const { freshen, sweepSince, mending, tracked, close } = keepFresh<Refreshed>({
    state: () => {
      database.notice();
      return readState(database);
    },
    sweep: (options) => refresh(database, sources, homes, { ...options, thread }),
    recover: (error) => database.recover(error),
  });

  const recalling = {
    database,
    rows: textRowsCache(database),
    places: placesCache(database, ["prose"]),
    filters: new FilterCache(database),
    signals: signalCache(database),
    pages: pageTextCache(database),
    summaries: summaryCache(database, redact),
    redact,
  };
  const states = new ReadCache<"all", readonly SourceState[], readonly SourceState[]>(database, {
    read: () => [["all", sourceStates(database, sources)]],
    make: (counted) => counted,
    most: 1,
  });

  let looked = { at: Number.NEGATIVE_INFINITY, expiring: new Map<SourceName, Expiring>() };
  const withExpiring = (all: readonly SourceState[]): readonly SourceState[] => {
    const now = Date.now();
    if (now - looked.at > LOOK_EVERY)
      looked = { at: now, expiring: expiringTranscripts(database, sources, homes, now) };
    return all.map((state) => ({ ...state, expiring: looked.expiring.get(state.name) }));
  };

  const exists = () => database.isOpen || existsSync(file);
  const closing = new AbortController();
  let finishing: Promise<void> | undefined;
  /** Runs in the background; a call that needs its result waits for it. */
  const indexingFinished = (): Promise<void> => {
    const orders = { store: file, toolTextLimit };
    const work = () =>
      finishInBackground({ database, texts }, orders, sources, { thread, log, signal: closing.signal });
    finishing ??= tracked(mending(work)).finally(() => (finishing = undefined));
    return finishing;
  };

  const ask = <T>(
    question: () => T,
    { complete = false, asItIs = false, withTools = false, signal, onProgress }: AskOptions = {},
  ): Promise<Answer<T>> =>
    mending(async () => {
      if (complete) await tracked(sweepSince(Date.now(), { signal, onProgress }));
      const freshness = complete || asItIs ? { stale: false } : await freshen({ signal, onProgress });
      if (withTools) await indexingFinished();
      else if (!isIndexingFinished(database)) indexingFinished().catch(() => {});
      return { ...freshness, answer: question() };
    });

  const messages = function* (conversation: ConversationSummary, chunk = 0) {
    const wholeText = texts.reader();
    for (const one of chunksOf(database, conversation.row).slice(chunk))
      yield messagesIn(database, conversation.row, one).map((message) => shownMessage(message, wholeText, redact));
  };

  return {
    recall: (question, options) =>
      ask(() => recall(recalling, question, Date.now()), {
        ...options,
        withTools: options?.withTools === true || question.includeTools === true,
      }),
    countPerHour: async (question) => (await ask(() => countPerHour(database, question))).answer,
    find: async (id, options) =>
      redactedSummary((await ask(() => conversationWithId(database, id), options)).answer, redact),
    messages,
    authorsOf: async (asked, options) => {
      const folders = () => (asked.inProject === undefined ? [] : foldersOfProject(database, asked.inProject.root));
      const find = () => authorsOf(database, asked, folders(), messages);
      return (await ask(find, { ...options, withTools: true })).answer;
    },
    authorsOfRow: async (id, options) =>
      (await ask(() => authorsOfRow(database, id, messages), { ...options, withTools: true })).answer,
    project: async (name, options) => (await ask(() => projectNamed(database, name), options)).answer,
    relatives: ({ row }) => {
      const { earlier, later } = relativesOf(database, row);
      return {
        earlier: earlier && redactedTitle(earlier, redact),
        later: later.map((one) => redactedTitle(one, redact)),
      };
    },
    tokens: ({ row }) => tokensOf(database, row),
    editsOf: ({ kind, tool, text }) => (kind === "tool" && tool !== undefined ? editsIn(tool, text) : []),
    chunkOf: (conversation, message) => chunkWith(database, conversation.row, message),
    sources: (options) => ask(() => withExpiring(states.get("all")!), options),
    touchedFiles: (projectFolder, since) =>
      exists() ? touchedFiles(database, foldersOfProject(database, projectFolder), since, Date.now()) : new Map(),
    refresh: async ({ rebuild = false, ...options } = {}) => {
      const time = Date.now();
      const work = async () => {
        if (rebuild) await readAllAgain(database);
        return sweepSince(time, options);
      };
      return tracked(mending(work));
    },
    importArchive: (path, options) =>
      tracked(mending(() => importArchive({ database, texts }, sources, path, options))),
    projectsToShare: async (name) => {
      const { projectsToShare } = await import("./shared/shared-rows.ts");
      return (await ask(() => projectsToShare(database, name), { complete: true })).answer;
    },
    push: async ({ projects, isHidden, ...pushing }) => {
      const [{ rowsToShare }, { pushConversations }] = await Promise.all([
        import("./shared/shared-rows.ts"),
        import("./shared/push-conversations.ts"),
      ]);
      const { signal } = pushing;
      // The whole of each conversation: also what tools returned.
      const { answer } = await ask(() => rowsToShare(database, projects, isHidden), {
        complete: true,
        withTools: true,
        signal,
      });
      const { rows, ...chosen } = answer;
      const pushed = pushConversations({ ...pushing, database, rows, wholeText: texts.reader() });
      return { ...(await tracked(pushed)), ...chosen };
    },
    forget: () =>
      tracked(
        mending(async () => {
          const removed = await database.write(() => removeArchived(database));
          await texts.removeFreed(closing.signal);
          return removed;
        }),
      ),
    close: async () => {
      closing.abort();
      await close();
      texts.close();
      database.close();
    },
  };
}

/** Whole texts are read when they are looked at: a chunk may have many megabytes of them. */
function shownMessage(
  { whole, ...message }: StoredMessage,
  wholeText: (whole: WholeText) => string | undefined,
  redact: Redaction,
): Message {
  if (message.kind === "prose") return { ...message, text: redact(message.text) };
  return {
    ...message,
    get text() {
      return redact((whole === undefined ? undefined : wholeText(whole)) ?? message.text);
    },
  };
}

function conversationWithId(database: IndexDatabase, sent: string): ConversationSummary {
  const [, source, key] = /^(?:conversation:\/\/)?(?:([a-z-]+)\/)?(.+)$/.exec(sent.trim()) ?? [];
  const found = key === undefined ? [] : conversationsWithId(database, key, source);
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw new Problem(
      "not_found",
      `There is no conversation with the id ${sent}.`,
      'To get ids: recall_conversations {"search_query":"words said","since":"all"}',
    );
  const names = found.slice(0, 5).map((one) => `${one.source}/${one.id}`);
  throw new Problem(
    "invalid",
    `Several conversations have an id that begins so: ${names.join(", ")}.`,
    "Send the whole id.",
  );
}

function redactedTitle(relative: Relative, redact: Redaction): Relative {
  return { ...relative, title: redact(relative.title) };
}
