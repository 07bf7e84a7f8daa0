// Sessions: creates, lists and updates them, and briefs a caller that continues
// one. Used by the memoryManager tools.
import { Problem, shortened } from "../kernel/kernel.ts";
import { within } from "./briefing.ts";
import { isLookBack } from "./index/documents.ts";
import type { TraceEvent } from "./log/event.ts";
import { given, givenValues } from "./fields.ts";
import { keptId, newId } from "./id.ts";
import type { Memory } from "./memory.ts";
import { meant, type Item, type Listing, type MemoryIndex } from "./index/memory-index.ts";
import { tagFields, tagsOf, textOf, valueOf, type MemoryRecord } from "./index/record.ts";
import { summaryOfState, type StateSummary } from "./states.ts";
import { DEFAULT_WORKSPACE } from "./workspace-names.ts";

export interface SessionSummary {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly goal?: string;
  readonly workspaceId: string;
  readonly created: number;
  readonly lastUsed: number;
  readonly isActive: boolean;
  readonly tags?: readonly string[];
  /** The id of the session that it continues. */
  readonly continues?: string;
}

/** A past call. */
export interface Done {
  readonly when: number;
  readonly tool: string;
  readonly paths?: readonly string[];
  readonly about?: string;
  readonly why?: string;
  readonly error?: string;
}

export interface SessionBriefing {
  readonly session: SessionSummary;
  /** The latest first. */
  readonly done: readonly Done[];
  /** The total number of calls. */
  readonly calls: number;
  /** The latest first. */
  readonly filesTouched: readonly string[];
  readonly openEnds: readonly string[];
  readonly states: readonly StateSummary[];
}

interface NewSession {
  readonly name: string;
  readonly description?: string | undefined;
  readonly goal?: string | undefined;
  readonly workspace: string;
  readonly continues?: string | undefined;
}

export interface CreatedSession {
  readonly sessionId: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly createdAt: number;
}

export async function createSession(memory: Memory, { workspace, ...session }: NewSession): Promise<CreatedSession> {
  const sessionId = newId("session");
  const workspaceId = keptId(workspace || DEFAULT_WORKSPACE);
  const createdAt = await memory.say("session", sessionId, givenValues({ ...session, workspace: workspaceId }));
  return { sessionId, name: session.name, workspaceId, createdAt };
}

/** Creates a session that continues another. */
export function continueSession(
  memory: Memory,
  { id, name, goal, workspaceId }: SessionSummary,
): Promise<CreatedSession> {
  const first = name.replace(/ \(continued\)$/, "");
  return createSession(memory, { name: `${first} (continued)`, goal, workspace: workspaceId, continues: id });
}

export async function listSessions(memory: Memory, listing: Listing) {
  const { items, total } = await memory.ask((index) => index.list("session", meant(index, listing)));
  return { sessions: items.map(summaryOfSession), total };
}

interface SessionChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly goal?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

export async function updateSession(memory: Memory, sent: string, changes: SessionChanges): Promise<SessionSummary> {
  const { addTags, removeTags, ...fields } = changes;
  const set = { ...givenValues(fields), ...tagFields(addTags, removeTags) };
  if (Object.keys(set).length === 0) throw new Problem("invalid", "Say what to change");
  const { id } = await memory.ask((index) => foundSession(index, sent));
  await memory.say("session", id, set);
  return memory.ask((index) => summaryOfSession({ id, record: index.record("session", id)! }));
}

const MAX_DONE = 20;
const MAX_FILES = 30;
/** How many traces are read for files and open ends. */
const LOOKED_AT = 500;

const MAX_TOKENS = 4_000;

/** By id or name. */
export async function loadSession(memory: Memory, sent: string): Promise<SessionBriefing> {
  const briefing = await memory.ask((index) => {
    const item = foundSession(index, sent);
    const traces = index.traces({ session: item.id, limit: LOOKED_AT }).filter((trace) => !isLookBack(trace));
    const states = index.list("state", { session: item.id, limit: 5 }).items;
    return {
      session: summaryOfSession(item),
      done: traces.slice(0, MAX_DONE).map(doneOf),
      calls: index.callsIn(item.id),
      filesTouched: filesTouched(traces).slice(0, MAX_FILES),
      openEnds: openEnds(traces, states[0]?.record),
      states: states.map(summaryOfState),
    };
  });
  return within(briefing, MAX_TOKENS);
}

function foundSession(index: MemoryIndex, sent: string): Item {
  const found = index.find("session", sent);
  if (found !== undefined) return found;
  throw new Problem("not_found", `Session not found: ${shortened(sent)}`, "To get ids: memoryManager_loadSession {}");
}

export function summaryOfSession({ id, record }: Item): SessionSummary {
  const text = (name: string) => textOf(record, name);
  const tags = tagsOf(record);
  return {
    id,
    name: text("name") ?? text("description") ?? id,
    ...given({ description: text("description"), goal: text("goal"), continues: text("continues") }),
    workspaceId: text("workspace") ?? DEFAULT_WORKSPACE,
    created: record.created,
    lastUsed: record.used,
    isActive: valueOf(record, "isActive") !== false,
    ...(tags.length > 0 && { tags }),
  };
}

function doneOf({ at, tool, paths, about, why, error }: TraceEvent): Done {
  return { when: at, tool, ...given({ paths, about, why, error }) };
}

/** A failed call touched nothing. A path without an extension is a folder. */
export function filesTouched(traces: readonly TraceEvent[]): string[] {
  const paths = traces.flatMap((trace) => (trace.error === undefined ? (trace.paths ?? []) : []));
  return [...new Set(paths.filter((path) => /\.[^./\s]+$/.test(path)))];
}

const MAX_OPEN = 8;

/**
 * Lists the open ends: the next steps of the latest state, the step in progress,
 * and what failed and did not succeed later.
 */
export function openEnds(traces: readonly TraceEvent[], latestState: MemoryRecord | undefined): string[] {
  const steps = valueOf(latestState, "nextSteps");
  const planned = Array.isArray(steps) ? steps.filter((step) => typeof step === "string") : [];
  const step = traces.find(({ subgoal, at }) => subgoal !== undefined && at > (latestState?.created ?? 0))?.subgoal;
  const done = new Set<string>();
  const failed = new Map<string, string>();
  // From the latest to the first: what failed and later succeeded is not an open end.
  for (const trace of traces) {
    const what = [trace.tool, trace.about ?? "", ...(trace.paths ?? [])].join("\n");
    if (trace.error === undefined) done.add(what);
    else if (!done.has(what) && !failed.has(what)) {
      const target = trace.paths?.[0] ?? trace.about;
      failed.set(what, `Failed: ${trace.tool}${target === undefined ? "" : ` on ${target}`} (${trace.error})`);
    }
  }
  return [...planned, ...(step === undefined ? [] : [`Last step: ${step}`]), ...failed.values()].slice(0, MAX_OPEN);
}
