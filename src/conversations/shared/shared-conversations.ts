// The conversations of a shared store, beside those of this machine
// (conversation-library.ts) or alone: `openSharedConversations` is for a server that
// works for members, whose own machine is nobody's. Loaded only if a store is named.
import { type Log, Problem } from "../../kernel/kernel.ts";
import { type Row, type Store, StoreUnavailable } from "../../shared/shared.ts";
import type { AskOptions, Conversations } from "../conversation-library.ts";
import { editsIn } from "../recall/file-edits.ts";
import type { Question } from "../recall/question.ts";
import { type HourCount, recall, type Recalled } from "../recall/recall.ts";
import type { RecallStore } from "../recall/recall-store.ts";
import type { Redaction } from "../recall/summaries.ts";
import { chunkAmong, type ConversationSummary } from "../store/conversation-reader.ts";
import { wayBack } from "../way-back.ts";
import { chosenConversation, conversationId } from "../store/conversation-ids.ts";
import { readShared, type ReadConversation } from "./shared-reading.ts";
import {
  countSharedPerHour,
  openSpaces,
  pageTexts,
  type Reading,
  recallStores,
  sharedProject,
  type ThisMachine,
} from "./shared-recall.ts";
import { sharedSummaryIn } from "./shared-summaries.ts";

/** Milliseconds without another attempt if the store could not be reached. */
const REST = 30_000;

export interface SharedConversations {
  /** The answer of the member's spaces together with other stores, and how far these were read. */
  readonly recall: (
    others: readonly RecallStore[],
    question: Question,
    options: Pick<AskOptions, "signal" | "onProgress">,
  ) => Promise<{ readonly answer: Recalled; readonly reading: Reading | undefined }>;
  readonly countPerHour: (question: Question) => Promise<HourCount[]>;
  /** The conversation with an id, to be read; undefined if there is none. Throws a problem if there are several. */
  readonly find: (id: string, withTools: boolean) => Promise<ConversationSummary | undefined>;
  /** Returns what `find` has read of a conversation. */
  readonly read: (conversation: ConversationSummary) => ReadConversation;
  /** Returns whether there is a project of this name, and similar names if there is none. */
  readonly project: (name: string) => Promise<{ readonly isThere: boolean; readonly similar: readonly string[] }>;
  /**
   * Runs work that needs the store.
   * @returns its result, or why the store cannot be used: then this machine answers alone
   */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<{ readonly result: T } | { readonly unavailable: string }>;
  readonly close: () => Promise<void>;
}

interface Opening {
  readonly store: Store;
  /** The folder of the indexes of spaces. */
  readonly cache: string;
  /** Applied to every text that is returned. */
  readonly redact: Redaction;
  readonly machine: ThisMachine;
  readonly log: Log;
}

export function sharedConversations({ store, cache, redact, machine, log }: Opening): SharedConversations {
  const read = new WeakMap<ConversationSummary, ReadConversation>();
  const shown = { store, redact, texts: pageTexts() };
  const spaces = openSpaces({ store, cache, machine, log });
  let unavailable: { readonly until: number; readonly sentence: string } | undefined;
  return {
    recall: (others, question, options) =>
      spaces.mending(async () => {
        const open = await spaces.fresh(options);
        const stores = [...others, ...recallStores(open, machine, shown)];
        return { answer: await recall(stores, question, Date.now()), reading: open.reading };
      }),
    countPerHour: (question) =>
      spaces.mending(async () => countSharedPerHour(await spaces.fresh({}), question, machine)),
    find: async (sent, withTools) => {
      const { id, source } = conversationId(sent);
      if (id === undefined) return undefined;
      const choose = (rows: readonly Row[]) => {
        const chosen = chosenConversation(rows.map(sharedSummaryIn), sent);
        return rows.find((one) => Number(one["id"]) === chosen.row) as Row;
      };
      const found = await store.reading((sql) => readShared(sql, { id, source, withTools, redact, choose }));
      if (found !== undefined) read.set(found.summary, found);
      return found?.summary;
    },
    read: (conversation) => {
      const found = read.get(conversation);
      if (found === undefined) throw new Error("A shared conversation is read with find().");
      return found;
    },
    project: (name) => spaces.mending(async () => sharedProject(await spaces.fresh({}), name, machine)),
    attempt: async (work) => {
      if (unavailable !== undefined && Date.now() < unavailable.until) return { unavailable: unavailable.sentence };
      try {
        const result = await work();
        unavailable = undefined;
        return { result };
      } catch (error) {
        // A fault of the store must not keep this machine from answering.
        if (!(error instanceof Problem)) throw error;
        if (unavailable === undefined) log(`${error.message} Conversations are those of this machine.`);
        const rest = error instanceof StoreUnavailable ? REST : 0;
        unavailable = { until: Date.now() + rest, sentence: error.message };
        return { unavailable: error.message };
      }
    },
    close: spaces.close,
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new Problem("denied", "This server has no conversations of its own."));
}

/** A server's: nothing of it is a matter of its members. */
const NO_MACHINE: ThisMachine = { names: () => new Set(), placeAt: () => undefined, isServed: true };

/** Those of a shared store alone. Nothing of this machine is read, and without the store there is no answer. */
export function openSharedConversations({ store, cache, redact, log }: Omit<Opening, "machine">): Conversations {
  const shared = sharedConversations({ store, cache, redact, log, machine: NO_MACHINE });
  return {
    recall: async (question, { signal, onProgress } = {}) => ({
      stale: false,
      ...(await shared.recall([], question, { signal, onProgress })),
    }),
    countPerHour: shared.countPerHour,
    find: async (id, options) => (await shared.find(id, options?.withTools === true)) ?? chosenConversation([], id),
    messages: function* (conversation, chunk = 0) {
      yield* shared.read(conversation).chunks.slice(chunk);
    },
    authorsOf: async () => [],
    everyAuthorOf: async () => [],
    recordedFiles: async () => [],
    filesOf: async () => [],
    standingOf: () => undefined,
    changerOf: async () => undefined,
    authorsOfRow: async () => [],
    project: async (name) => {
      const { isThere, similar } = await shared.project(name);
      return { folders: isThere ? [{ folder: name, prefix: "" }] : [], roots: [], similar };
    },
    relatives: (conversation) => shared.read(conversation).relatives,
    wayBack: (conversation) => wayBack(conversation, []),
    memories: () => [],
    tokens: (conversation) => shared.read(conversation).tokens,
    editsOf: ({ kind, tool, text }) => (kind === "tool" && tool !== undefined ? editsIn(tool, text) : []),
    chunkOf: (conversation, message) => chunkAmong(shared.read(conversation).chunks, message),
    sources: async () => ({ stale: false, answer: [] }),
    touchedFiles: () => new Map(),
    refresh: async () => undefined,
    importArchive: refuse,
    projectsToShare: refuse,
    namesToShare: refuse,
    push: refuse,
    secrets: refuse,
    toForget: refuse,
    forget: refuse,
    damagedCopies: () => [],
    noteExport: async () => {},
    forgetArchived: async () => 0,
    close: shared.close,
  };
}
