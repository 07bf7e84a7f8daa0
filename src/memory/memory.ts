// The front door of memory/: the memory of a vault. Records traces of calls and
// statements about workspaces, sessions and states, and answers from its index.
// Used by the memory tools and by every call that leaves a trace.
import { mended } from "../sqlite/sqlite.ts";
import { settledWithin } from "../search/search.ts";
import { type Log, Problem } from "../kernel/kernel.ts";
import { isFields, type RecordKind, type Trace, type Values, type Weight } from "./log/event.ts";
import { given } from "./fields.ts";
import { keptId } from "./id.ts";
import { shortText, withoutSecrets, type Redact } from "./stored-text.ts";
import { forgetTraces, type ForgottenCalls } from "./log/forgotten-traces.ts";
import { NotKept } from "./log/log-folder.ts";
import type { EventStore } from "./log/event-store.ts";
import { openMemoryIndex, type MemoryIndex } from "./index/memory-index.ts";
import { visibleIndex } from "./index/visible-index.ts";
import { lastStated, newAssumptions, type MemoryRecord } from "./index/record.ts";
import type { pushEvents as PushEvents } from "./shared/push-events.ts";
import type { withSharedEvents as WithSharedEvents } from "./shared/shared-events.ts";
import type { eventsOfSpace as EventsOfSpace } from "./shared/space-events.ts";
import { DEFAULT_WORKSPACE, WorkspaceNames, type WorkspaceContext } from "./workspace-names.ts";

export { moveLog, filesIn, filesToMove } from "./log/log-transfer.ts";
export { deviceName, knownDevice } from "./log/device.ts";
export { eventReader, openEventFolder } from "./log/event-store.ts";
export type { Value } from "./log/event.ts";
export { MEMORY_KIND } from "./index/ingest.ts";
export type { SearchedKind } from "./index/memory-index.ts";
export { memoryPlaces, nexusFoldersIn } from "./log/log-places.ts";
export type { ForgottenCalls } from "./log/forgotten-traces.ts";
export type { Pushed } from "./shared/push-events.ts";
export { searchMemory } from "./search.ts";
export {
  continueSession,
  createSession,
  listSessions,
  loadSession,
  updateSession,
  type CreatedSession,
  type SessionBriefing,
  type SessionSummary,
} from "./sessions.ts";
export { createState, listStates, loadState, updateState, type LoadedState, type StateSummary } from "./states.ts";
export type { WorkspaceContext } from "./workspace-names.ts";
export {
  createWorkspace,
  listWorkspaces,
  loadWorkspace,
  updateWorkspace,
  type WorkspaceSummary,
} from "./workspaces.ts";

// The shared store's modules are loaded only if one is named.
export const withSharedEvents = async (...given: Parameters<typeof WithSharedEvents>): Promise<EventStore> =>
  (await import("./shared/shared-events.ts")).withSharedEvents(...given);
export const eventsOfSpace = async (...given: Parameters<typeof EventsOfSpace>): Promise<EventStore> =>
  (await import("./shared/space-events.ts")).eventsOfSpace(...given);
export const pushEvents: typeof PushEvents = async (...given) =>
  (await import("./shared/push-events.ts")).pushEvents(...given);

/** The parts of its vault that memory needs. */
export interface RememberedVault {
  readonly folder: string;
  /** Throws if the vault is gone. */
  readonly check: () => void;
  /** The path of a file as the vault spells it, and the hash of its content if it exists. */
  readonly hashOf: (sent: string) => Promise<{ readonly path: string; readonly hash: string | undefined }>;
  /** Creates the folder if it is missing. */
  readonly makeFolder: (author: Author, sent: string) => Promise<{ readonly path: string }>;
  /** Returns whether the settings hide a path; undefined if they hide nothing. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
}

/** The caller of a change: named in the history, and able to abort a wait. */
export interface Author {
  readonly tool: string;
  readonly signal?: AbortSignal;
}

/** A call as its context describes it. */
export interface CallTrace extends Pick<Trace, "tool" | "paths" | "about" | "error"> {
  readonly session: string;
  readonly workspace: string;
  readonly description: string;
  readonly goal: string;
  readonly subgoal: string;
  readonly why: string;
}

export interface Memory {
  readonly vault: RememberedVault;
  /** Never throws. @returns why the trace was not recorded, if it was not; a promise of that where it takes time */
  readonly leaveTrace: (call: CallTrace) => string | undefined | Promise<string | undefined>;
  /** Records fields, and waits until they are on the disk. @returns the time of the statement */
  readonly say: (kind: RecordKind, of: string, set: Values) => Promise<number>;
  /** Answers from everything that is in the event files now. */
  readonly ask: <T>(question: (index: MemoryIndex) => T) => Promise<T>;
  /** The workspace of a call, for its result. */
  readonly workspaceContext: (id: string) => Promise<WorkspaceContext>;
  /** Takes the traces of these calls out of this machine's log, or counts them. @returns how many */
  readonly forgetTraces: (calls: readonly ForgottenCalls[], options?: { readonly isCount: boolean }) => number;
  /** Closes files that were deleted, so that their room is free. */
  readonly release: () => void;
  readonly close: () => Promise<void>;
}

export interface Opening {
  readonly vault: RememberedVault;
  readonly events: EventStore;
  readonly cache: string;
  readonly isReadOnly: boolean;
  /** Instead of that the server is. */
  readonly readOnlyBecause?: string | undefined;
  readonly redact: Redact;
  readonly log: Log;
}

/** Characters that are stored of each text of a trace. */
const MAX_LENGTH = { why: 200, subgoal: 160, about: 120, error: 160, path: 200, description: 300, goal: 300 };
const MAX_PATHS = 8;
/** In characters. A longer state belongs into a note. */
const MAX_STATEMENT_LENGTH = 200_000;

function tooLong(): Problem {
  return new Problem("too_large", "This is too long for memory.", "Put it into a note, and name the note here.");
}
/** Milliseconds for which the names of workspaces are not read again. */
const FRESH = 2_000;
const MAX_WAIT = 500;
const MAX_NOTED = 1_000;

/** Opens and creates nothing before the first use. */
export function openMemory({
  vault,
  events,
  cache,
  isReadOnly,
  readOnlyBecause = "The server is read-only: memory keeps nothing new.",
  redact,
  log,
}: Opening): Memory {
  const index = openMemoryIndex({ cache, events, vaultFolder: vault.folder, check: vault.check, log });
  const visible = visibleIndex(index, vault.isHidden);

  const short = (name: keyof typeof MAX_LENGTH, text: string | undefined) => shortText(text, MAX_LENGTH[name], redact);

  const underWay = new Set<Promise<unknown>>();
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    const ended = work.catch(() => {}).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return work;
  };

  let tidying: Promise<void> | undefined;
  const tidy = (): void => {
    tidying ??= tracked(index.tidy())
      .catch(() => {})
      .finally(() => (tidying = undefined));
  };

  const askNow = <T>(question: (index: MemoryIndex) => T): Promise<T> =>
    tracked(
      mended(index, async () => {
        if (await index.refresh()) tidy();
        return question(visible);
      }),
    );

  /** Assumptions of calls about their sessions are recorded in the background, one after the other. */
  let registering: Promise<unknown> = Promise.resolve();
  const noted = new Map<string, { goal: string; subgoal: string }>();

  const register = (session: string, assumed: Values): void => {
    const work = async () => {
      try {
        const record = await askNow((known) => known.record("session", session));
        const set = newAssumptions(record, assumed);
        if (Object.keys(set).length > 0) await events.append([statement("session", session, set, "assumed", record)]);
      } catch {
        // The next call of this session retries.
        noted.delete(session);
      }
    };
    registering = tracked(registering.then(work));
  };

  const statement = (type: RecordKind, of: string, set: Values, weight: Weight, record?: MemoryRecord) => ({
    type,
    of,
    set: withoutSecrets(set, redact),
    weight,
    // Later than every statement that the caller could see, whatever the clocks of other devices show.
    ...events.moment(record === undefined ? 0 : lastStated(record) + 1),
  });

  const names = new WorkspaceNames();
  const refreshNames = (): Promise<unknown> =>
    askNow((known) => names.set(known.list("workspace", { limit: 10_000 }).items)).catch(() => {});
  let refreshing: Promise<unknown> | undefined;
  /** Shared by all calls that wait for it. */
  const refreshNamesOnce = (): Promise<unknown> =>
    (refreshing ??= refreshNames().finally(() => (refreshing = undefined)));

  return {
    vault,
    leaveTrace: (call) => {
      if (isReadOnly) return undefined;
      const session = keptId(call.session || DEFAULT_SESSION);
      const workspace = keptId(call.workspace || DEFAULT_WORKSPACE);
      const goal = short("goal", call.goal) ?? "";
      const subgoal = short("subgoal", call.subgoal);
      const before = noted.get(session);
      const { paths = [] } = call;
      const trace = {
        session,
        workspace,
        tool: call.tool,
        ...given({
          paths: paths.length > 0 ? paths.slice(0, MAX_PATHS).flatMap((path) => short("path", path) ?? []) : undefined,
          more: paths.length > MAX_PATHS ? paths.length - MAX_PATHS : undefined,
          about: short("about", call.about),
          why: short("why", call.why),
          subgoal: before?.subgoal === subgoal ? undefined : subgoal,
          error: short("error", call.error),
        }),
      };
      const isKept = () => {
        if (noted.size >= MAX_NOTED) noted.clear();
        noted.set(session, { goal, subgoal: subgoal ?? "" });
        if (before === undefined || before.goal !== goal)
          register(session, { description: short("description", call.description) ?? "", goal, workspace });
        return undefined;
      };
      try {
        const writing = events.append([{ type: "trace", ...events.moment(), ...trace }]);
        // If events are sent elsewhere, the answer waits until everything about the call is recorded.
        return writing === undefined
          ? isKept()
          : tracked(writing)
              .then(isKept)
              .then(() => registering.then(() => undefined))
              .catch(reasonOfLoss);
      } catch (error) {
        return reasonOfLoss(error);
      }
    },
    say: async (kind, of, set) => {
      if (isReadOnly) throw new Problem("denied", readOnlyBecause);
      if (!isFields(set)) throw new Problem("invalid", "This is nested too deeply for memory.");
      // Before secrets are looked for, which takes longer the more there is.
      if (JSON.stringify(set).length > 2 * MAX_STATEMENT_LENGTH) throw tooLong();
      const event = statement(kind, of, set, "said", await askNow((known) => known.record(kind, of)));
      if (JSON.stringify(event).length > MAX_STATEMENT_LENGTH) throw tooLong();
      await events.appendDurably([event]);
      if (kind === "workspace") await refreshNames();
      return event.at;
    },
    ask: async (question) => {
      await registering;
      return askNow(question);
    },
    workspaceContext: async (sent) => {
      const id = keptId(sent || DEFAULT_WORKSPACE);
      const isFresh = names.age < FRESH;
      // A known name is returned at once, and refreshed for the next call.
      if (!names.has(id) && !isFresh) await settledWithin(refreshNamesOnce(), MAX_WAIT);
      else if (!isFresh) void refreshNamesOnce();
      return names.contextOf(id);
    },
    forgetTraces: (calls, { isCount } = { isCount: false }) => {
      const count = forgetTraces(events.files(), calls, isCount);
      // It has their words, in free pages as well; it is made again from the log.
      if (count > 0 && !isCount) index.discard();
      return count;
    },
    release: () => index.release(),
    close: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
      index.close();
    },
  };
}

function reasonOfLoss(error: unknown): string {
  const reason = error instanceof NotKept ? error.reason : (error as Error).message;
  return `This call left no trace in memory: ${reason.replace(/\.$/, "")}.`;
}

/** The session of calls that name none. */
const DEFAULT_SESSION = "default";
