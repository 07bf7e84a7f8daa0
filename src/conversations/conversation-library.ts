// Every conversation with every assistant on this machine: found, read, stored,
// searched. The object that tools and commands work on; app/parts.ts opens it on
// first use.
import { existsSync } from "node:fs";
import { IndexDatabase, readState, ReadCache } from "../sqlite/sqlite.ts";
import { documentSets, type Freshness, keepFresh, placesCache, type SweepOptions } from "../search/search.ts";
import { type Log, Problem } from "../kernel/kernel.ts";
import type { Store } from "../shared/shared.ts";
import { localStore } from "./recall/local-store.ts";
import { countPerHour, recall, type Recalled, type RecalledConversation, type HourCount } from "./recall/recall.ts";
import type { Question } from "./recall/question.ts";
import { placeOf } from "./ingest/projects/project-folders.ts";
import { importArchive, type Imported, type ImportOptions } from "./imports/import-archive.ts";
import { refresh, type Refreshed } from "./ingest/refresh.ts";
import { authorsOf, authorsOfRow, everyAuthorOf, type AskedFile, type Author } from "./recall/file-authors.ts";
import { editsIn, type FileEdit } from "./recall/file-edits.ts";
import { changerOf, filesOfPassage, type PassageFile } from "./recall/passage-files.ts";
import { recordedFiles, type RecordedFile } from "./recall/recorded-files.ts";
import { type Edit, type Standing, standingOf } from "./recall/standing.ts";
import { signalCache } from "./recall/signals.ts";
import { expiringTranscripts, type Expiring } from "./ingest/expiring.ts";
import type { ConversationSource, Home, SourceName, Tokens } from "./sources/source.ts";
import { sourceStates, type SourceState } from "./ingest/source-states.ts";
import { foldersOfProject, projectNamed, type NamedProject } from "./store/projects.ts";
import {
  conversationsWithId,
  messagesIn,
  chunkAmong,
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
import { chosenConversation, conversationId } from "./store/conversation-ids.ts";
import type { WholeText } from "./store/pages.ts";
import { pageTextCache } from "./store/page-texts.ts";
import { FilterCache } from "./store/filter-cache.ts";
import { readAllAgain, removeArchived } from "./store/removal.ts";
import { textRowsCache } from "./store/text-rows.ts";
import { CONVERSATIONS } from "./store/tables.ts";
import { returnSpace } from "./ingest/finish-indexing.ts";
import { finishInBackground } from "./ingest/reading/background-finish.ts";
import { isIndexingFinished } from "./ingest/finish-indexing.ts";
import { ToolTexts } from "./store/tool-texts/tool-texts.ts";
import type { PushedConversations, Pushing } from "./shared/push-conversations.ts";
import type { SharedConversations } from "./shared/shared-conversations.ts";
import type { SharedProject } from "./shared/shared-projects.ts";
import type { Reading } from "./shared/shared-recall.ts";
import type { RowsToShare } from "./shared/shared-rows.ts";
import {
  conversationsToForget,
  damagedCopies,
  forgetConversations,
  noteExport,
  type Forgettable,
  type ToForget,
} from "./forgetting.ts";
import type { SecretsFound } from "./secrets.ts";
import { knownProjects, withProjects } from "./ingest/projects/known-projects.ts";
import { type HostMemory, memoriesAbout } from "./host-memories.ts";
import { wayBack, type WayBack } from "./way-back.ts";
import { touchedFiles } from "./recall/touched-files.ts";
import { LinesBefore, redactPrinted } from "./printed-secrets.ts";
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
  /** Why the shared store could not be asked: what it has is missing. */
  readonly sharedUnavailable?: string | undefined;
  /** While conversations of the shared store are read, the newest first: how far. */
  readonly reading?: Reading | undefined;
}

type WrittenFile = AskedFile & { readonly text: string };

export interface PushRequest extends Pick<
  Pushing,
  "store" | "space" | "again" | "isPreview" | "signal" | "onProgress"
> {
  /** Those whose conversations are pushed. */
  readonly projects: readonly SharedProject[];
  /** Returns whether the settings hide a file, by its absolute path or by its path in a vault. */
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
  /** All conversations that ever wrote a file, with what became of that. */
  readonly everyAuthorOf: (asked: WrittenFile, options?: AskOptions) => Promise<readonly Author[]>;
  /** The files of all projects whose recorded path is this one, or ends in it. */
  readonly recordedFiles: (path: string, options?: AskOptions) => Promise<readonly RecordedFile[]>;
  /** The files that the passage which was found has changed, with its edits; undefined if it is too long to be read. */
  readonly filesOf: (found: RecalledConversation) => Promise<readonly PassageFile[] | undefined>;
  /** Returns whether the edits of a passage still stand in the text of their file; undefined if nothing is certain. */
  readonly standingOf: (text: string, file: { readonly edits: readonly Edit[] }) => Standing | undefined;
  /** The first conversation that took away one of these lines of a file after a time. */
  readonly changerOf: (
    file: AskedFile,
    gone: readonly string[],
    after: number,
  ) => Promise<ConversationSummary | undefined>;
  /** The conversations that inserted or changed an outline row. */
  readonly authorsOfRow: (id: string, options?: AskOptions) => Promise<readonly Author[]>;
  /** The project with this name or folder. */
  readonly project: (name: string, options?: AskOptions) => Promise<NamedProject>;
  /** The one that it continues or was forked from, and those that continue it or were forked from it. */
  readonly relatives: (conversation: ConversationSummary) => Relatives;
  /** How its own program opens it again, or why that is not possible. */
  readonly wayBack: (conversation: ConversationSummary) => WayBack | { readonly reason: string };
  /** Passages of what assistants remember by themselves and of rules written for them, in the home folder and these projects. */
  readonly memories: (
    question: string,
    asked: {
      readonly projects: readonly string[];
      readonly isHidden: (path: string) => boolean;
      readonly most: number;
    },
  ) => readonly HostMemory[];
  /** The tokens that models read and wrote, as far as its program has counted them. */
  readonly tokens: (conversation: ConversationSummary) => Tokens | undefined;
  /** Returns the edits of files that a tool call made, if any. */
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
  /** The conversations of projects, as `source/id`. */
  readonly namesToShare: (projects: readonly SharedProject[]) => Promise<readonly string[]>;
  /** Brings the conversations of some projects into a shared store, without secrets. */
  readonly push: (request: PushRequest) => Promise<PushedProjects>;
  /** Deletes archived conversations from the store. @returns how many there were */
  readonly forgetArchived: () => Promise<number>;
  /** The secrets that lie in the stores of programs. Reads all of them, and keeps nothing. */
  readonly secrets: (onProgress?: (done: number, total: number) => void) => Promise<SecretsFound>;
  /** Plans what `forget` would take. Throws a problem if nothing is meant by an id or a project. */
  readonly toForget: (what: ToForget) => Promise<readonly Forgettable[]>;
  /** Takes conversations out of the store, for good, and writes its files again. */
  readonly forget: (conversations: readonly Forgettable[]) => Promise<void>;
  /** Copies of a store that was damaged: `forget` does not change them. */
  readonly damagedCopies: () => readonly string[];
  /** Remembers a folder that conversations were exported to. */
  readonly noteExport: (folder: string) => Promise<void>;
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
  /** A store of several machines: what it has is found as well, by indexes in the cache folder. */
  readonly shared?: { readonly open: () => Promise<Store>; readonly cache: string } | undefined;
}

const MAX_PASSAGES = 200;
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
  shared: ofStore,
}: Opening): Conversations {
  const database = new IndexDatabase(file, log, CONVERSATIONS);
  const texts = new ToolTexts(database, file, toolTextLimit);
  const { freshen, sweepSince, mending, tracked, close } = keepFresh<Refreshed>({
    state: () => {
      database.notice();
      return readState(database);
    },
    sweep: (options) => refresh(database, sources, homes, { ...options, thread }),
    recover: (error) => database.recover(error),
  });

  const recalled = localStore({
    database,
    rows: textRowsCache(database),
    places: placesCache(database, ["prose"]),
    frequent: documentSets(database),
    filters: new FilterCache(database),
    signals: signalCache(database),
    pages: pageTextCache(database),
    summaries: summaryCache(database, redact),
    redact,
  });
  const states = new ReadCache<"all", readonly SourceState[], readonly SourceState[]>(database, {
    read: () => [["all", sourceStates(database, sources)]],
    make: (counted) => counted,
    most: 1,
  });

  /** The files of the passages that were found last: questions about one subject find the same ones. */
  const passages = new Map<string, readonly PassageFile[] | undefined>();
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

  let opened: Promise<SharedConversations> | undefined;
  const ownNames = new ReadCache<"all", ReadonlySet<string>, ReadonlySet<string>>(database, {
    read: () => [["all", namesIn(database)]],
    make: (names) => names,
    most: 1,
  });
  /** Undefined if no store is named. */
  const shared = async (): Promise<SharedConversations | undefined> => {
    if (ofStore === undefined) return undefined;
    opened ??= Promise.all([import("./shared/shared-conversations.ts"), ofStore.open()]).then(
      ([{ sharedConversations }, store]) =>
        sharedConversations({
          store,
          cache: ofStore.cache,
          redact,
          log,
          machine: { names: () => ownNames.get("all")!, placeAt: placeOf, isServed: false },
        }),
    );
    return opened;
  };

  const ask = <T>(
    question: () => T | Promise<T>,
    { complete = false, asItIs = false, withTools = false, signal, onProgress }: AskOptions = {},
  ): Promise<Answer<T>> =>
    mending(async () => {
      if (complete) await tracked(sweepSince(Date.now(), { signal, onProgress }));
      const freshness = complete || asItIs ? { stale: false } : await freshen({ signal, onProgress });
      if (withTools) await indexingFinished();
      else if (!isIndexingFinished(database)) indexingFinished().catch(() => {});
      return { ...freshness, answer: await question() };
    });

  const localMessages = function* (conversation: ConversationSummary, chunk = 0): Generator<readonly Message[]> {
    const wholeText = texts.reader();
    const linesBefore = new LinesBefore();
    for (const one of chunksOf(database, conversation.row).slice(chunk))
      yield messagesIn(database, conversation.row, one).map((message) =>
        shownMessage(message, linesBefore.of(message), wholeText, redact),
      );
  };

  /** The part of a shared conversation that `find` has read. */
  let readShared: SharedConversations["read"] | undefined;

  return {
    recall: async (question, options) => {
      const store = await shared();
      const withTools = options?.withTools === true || question.includeTools === true;
      const alone = () => recall([recalled], question, Date.now());
      if (store === undefined) return ask(alone, { ...options, withTools });
      const { signal, onProgress } = options ?? {};
      const both = () => store.recall([recalled], question, { signal, onProgress });
      const { answer, ...freshness } = await ask(() => store.attempt(both), { ...options, withTools });
      if ("result" in answer) return { ...freshness, ...answer.result };
      const { answer: own } = await ask(alone, { asItIs: true });
      return { ...freshness, answer: own, sharedUnavailable: answer.unavailable };
    },
    countPerHour: async (question) => {
      const { answer: own } = await ask(() => countPerHour(database, question));
      const store = await shared();
      const others = await store?.attempt(() => store.countPerHour(question));
      if (others === undefined || "unavailable" in others) return own;
      return [...own, ...others.result].toSorted((a, b) => a.hour - b.hour);
    },
    find: async (sent, options) => {
      const { id, source } = conversationId(sent);
      const find = () => (id === undefined ? [] : conversationsWithId(database, id, source));
      const { answer: found } = await ask(find, options);
      const store = found.length === 0 ? await shared() : undefined;
      const other = await store?.attempt(() => store.find(sent, options?.withTools === true));
      if (other !== undefined && "result" in other && other.result !== undefined) {
        readShared = store!.read;
        return other.result;
      }
      try {
        return redactedSummary(chosenConversation(found, sent), redact);
      } catch (error) {
        if (other === undefined || !("unavailable" in other) || !(error instanceof Problem)) throw error;
        throw new Problem(error.code, `${error.message} ${other.unavailable}`, error.hint);
      }
    },
    messages: function* (conversation, chunk = 0) {
      if (conversation.shared === undefined) yield* localMessages(conversation, chunk);
      else yield* readShared!(conversation).chunks.slice(chunk);
    },
    authorsOf: async (asked, options) => {
      const folders = () => (asked.inProject === undefined ? [] : foldersOfProject(database, asked.inProject.root));
      const find = () => authorsOf(database, asked, folders(), localMessages);
      return (await ask(find, { ...options, withTools: true })).answer;
    },
    everyAuthorOf: async (asked, options) => {
      const folders = () => (asked.inProject === undefined ? [] : foldersOfProject(database, asked.inProject.root));
      const find = () => everyAuthorOf(database, asked, folders(), localMessages);
      return (await ask(find, { ...options, withTools: true })).answer;
    },
    recordedFiles: async (path, options) => (await ask(() => recordedFiles(database, path), options)).answer,
    filesOf: async (found) => {
      const { message, page, row, shared } = found;
      if (shared !== undefined || found.files.length === 0) return [];
      const wholeText = texts.reader();
      const shown = (one: StoredMessage) => ({ text: (one.whole && wholeText(one.whole)) ?? one.text });
      const passage = `${row} ${page} ${message} ${found.updated}`;
      const find = () => filesOfPassage(database, found, { row, page, message }, shown);
      const files = passages.has(passage) ? passages.get(passage) : (await ask(find, { asItIs: true })).answer;
      passages.delete(passage);
      // A conversation without edits may only not be indexed yet.
      if (files === undefined || files.length > 0 || isIndexingFinished(database)) passages.set(passage, files);
      if (passages.size > MAX_PASSAGES) passages.delete(passages.keys().next().value!);
      return files;
    },
    standingOf: (text, { edits }) => standingOf(text, edits),
    changerOf: async (file, gone, after) => {
      const folders = () => (file.inProject === undefined ? [] : foldersOfProject(database, file.inProject.root));
      const find = () => changerOf(database, { file, gone, after }, folders(), localMessages);
      return (await ask(find, { asItIs: true })).answer;
    },
    authorsOfRow: async (id, options) =>
      (await ask(() => authorsOfRow(database, id, localMessages), { ...options, withTools: true })).answer,
    project: async (name, options) => {
      const { answer: own } = await ask(() => projectNamed(database, name), options);
      const store = own.folders.length === 0 ? await shared() : undefined;
      const other = await store?.attempt(() => store.project(name));
      if (other === undefined || "unavailable" in other) return own;
      const { isThere, similar } = other.result;
      return isThere
        ? { ...own, folders: [{ folder: name, prefix: "" }], similar: [] }
        : { ...own, similar: [...new Set([...own.similar, ...similar])] };
    },
    relatives: (conversation) => {
      if (conversation.shared !== undefined) return readShared!(conversation).relatives;
      const { earlier, later } = relativesOf(database, conversation.row);
      return {
        earlier: earlier && redactedTitle(earlier, redact),
        later: later.map((one) => redactedTitle(one, redact)),
      };
    },
    wayBack: (conversation) => wayBack(conversation, sources),
    memories: (question, { projects, isHidden, most }) =>
      homes
        .slice(0, 1)
        .flatMap((home) => memoriesAbout(question, home, [...home.projects, ...projects], { isHidden, redact, most })),
    tokens: (conversation) =>
      conversation.shared === undefined ? tokensOf(database, conversation.row) : readShared!(conversation).tokens,
    editsOf: ({ kind, tool, text }) => (kind === "tool" && tool !== undefined ? editsIn(tool, text) : []),
    chunkOf: (conversation, message) => {
      if (conversation.shared === undefined) return chunkWith(database, conversation.row, message);
      return chunkAmong(readShared!(conversation).chunks, message);
    },
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
    namesToShare: async (projects) => {
      const { namesToShare } = await import("./shared/shared-rows.ts");
      return (await ask(() => namesToShare(database, projects), { asItIs: true })).answer;
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
    secrets: async (onProgress) => {
      const { findSecrets } = await import("./secrets.ts");
      const inFiles = sources.filter(({ fromArchive }) => fromArchive === undefined);
      const known = exists() ? withProjects(homes, knownProjects(database)) : homes;
      return tracked(findSecrets(inFiles, known, { signal: closing.signal, onProgress }));
    },
    toForget: async (what) => {
      const find = () => conversationsToForget(database, what);
      const { answer } = await ask(find, { complete: true, withTools: true });
      return answer.map((one) => ({
        ...one,
        ...redactedSummary(one, redact),
        repeatedBy: one.repeatedBy.map((other) => redactedTitle(other, redact)),
        neededBy: one.neededBy && redactedTitle(one.neededBy, redact),
      }));
    },
    forget: async (conversations) => {
      await tracked(mending(() => forgetConversations({ database, texts, file }, conversations, closing.signal)));
    },
    damagedCopies: () => damagedCopies(file),
    noteExport: async (folder) => {
      await mending(() => database.write(() => noteExport(database, folder)));
    },
    forgetArchived: () =>
      tracked(
        mending(async () => {
          const removed = await removeArchived(database, closing.signal);
          await returnSpace(database, closing.signal);
          return removed;
        }),
      ),
    close: async () => {
      closing.abort();
      await (await opened?.catch(() => undefined))?.close();
      await close();
      database.close();
    },
  };
}

/** Whole texts are read when they are looked at: a chunk may have many megabytes of them. */
function shownMessage(
  { whole, ...message }: StoredMessage,
  before: readonly string[],
  wholeText: (whole: WholeText) => string | undefined,
  redact: Redaction,
): Message {
  if (message.kind === "prose") return { ...message, text: redact(message.text) };
  return {
    ...message,
    get text() {
      return redactPrinted((whole === undefined ? undefined : wholeText(whole)) ?? message.text, before, redact);
    },
  };
}

/** The conversations of the store, as `source/id`. */
function namesIn(database: IndexDatabase): ReadonlySet<string> {
  const rows = database.all("SELECT source || '/' || key AS name FROM conversation WHERE is_listed");
  return new Set(rows.map(({ name }) => String(name)));
}

function redactedTitle(relative: Relative, redact: Redaction): Relative {
  return { ...relative, title: redact(relative.title) };
}
