// Workspaces: creates, lists and updates them, and briefs a caller that works in
// one. Used by the memoryManager tools.
import { isRecord, Problem, shortened } from "../kernel/kernel.ts";
import { within } from "./briefing.ts";
import { type Value } from "./log/event.ts";
import { given, givenValues } from "./fields.ts";
import { newId } from "./id.ts";
import type { Author, Memory } from "./memory.ts";
import type { Item, Listing, MemoryIndex } from "./index/memory-index.ts";
import { listOf, textOf, textsOf, valueOf } from "./index/record.ts";
import { filesTouched, summaryOfSession, type SessionSummary } from "./sessions.ts";
import { summaryOfState, type StateSummary } from "./states.ts";
import { DEFAULT_WORKSPACE } from "./workspace-names.ts";

export interface WorkspaceSummary {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly rootFolder: string;
  readonly purpose?: string;
  readonly currentGoal?: string;
  readonly created: number;
  readonly lastUsed: number;
  readonly isActive: boolean;
}

export interface WorkspaceBriefing {
  readonly workspace: WorkspaceSummary;
  readonly workflows: readonly Value[];
  readonly keyFiles: readonly string[];
  readonly preferences?: string;
  /** The latest first, as in the next two. */
  readonly recentFiles: readonly string[];
  readonly sessions: readonly SessionSummary[];
  readonly states: readonly StateSummary[];
}

interface NewWorkspace {
  readonly name: string;
  readonly rootFolder: string;
  readonly purpose: string;
  readonly currentGoal: string;
  readonly description?: string | undefined;
  readonly workflows?: readonly Value[] | undefined;
  readonly keyFiles?: readonly string[] | undefined;
  readonly preferences?: string | undefined;
}

/** Creates its folder, too. Throws if that would be outside the vault. */
export async function createWorkspace(memory: Memory, author: Author, sent: NewWorkspace): Promise<WorkspaceSummary> {
  const { path: rootFolder } = await memory.vault.makeFolder(author, sent.rootFolder);
  const id = newId("workspace");
  await memory.say("workspace", id, givenValues({ ...sent, rootFolder }));
  return memory.ask((index) => summaryOfWorkspace(foundWorkspace(index, id)));
}

export async function listWorkspaces(memory: Memory, listing: Listing) {
  const { items, total } = await memory.ask((index) => index.list("workspace", listing));
  return { workspaces: items.map(summaryOfWorkspace), total };
}

const LISTED = 10;
/** How many traces are read for files. */
const LOOKED_AT = 300;

/** By id or name; in no more tokens than this. */
export async function loadWorkspace(memory: Memory, sent: string, mostTokens: number): Promise<WorkspaceBriefing> {
  const briefing = await memory.ask((index) => {
    const item = foundWorkspace(index, sent);
    const { id: workspace, record } = item;
    return {
      workspace: summaryOfWorkspace(item),
      workflows: listOf(record, "workflows"),
      keyFiles: textsOf(record, "keyFiles"),
      ...given({ preferences: textOf(record, "preferences") }),
      recentFiles: filesTouched(index.traces({ workspace, limit: LOOKED_AT })).slice(0, 2 * LISTED),
      sessions: index.list("session", { workspace, limit: LISTED }).items.map(summaryOfSession),
      states: index.list("state", { workspace, limit: LISTED }).items.map(summaryOfState),
    };
  });
  return within(briefing, mostTokens);
}

/** The fields that can be changed, and what their values must be. */
const KINDS: Readonly<Record<string, { readonly fits: (value: unknown) => boolean; readonly must: string }>> = {
  ...Object.fromEntries(
    ["name", "description", "rootFolder", "purpose", "currentGoal", "preferences"].map((name) => [
      name,
      { fits: (value) => typeof value === "string", must: "must be a text" },
    ]),
  ),
  keyFiles: { fits: isListOf((value) => typeof value === "string"), must: "must be a list of paths" },
  workflows: { fits: isListOf(isRecord), must: "must be a list of workflows, each with name, when and steps" },
  isActive: { fits: (value) => typeof value === "boolean", must: "must be true or false" },
};

function isListOf(fits: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(fits);
}

/** Changes one field, or a part of one (`keyFiles.0`, `workflows.1.steps`). */
export async function updateWorkspace(
  memory: Memory,
  author: Author,
  sent: string,
  fieldPath: string,
  newValue: unknown,
): Promise<WorkspaceSummary & { readonly field: string }> {
  // In Claudesidian and Nexus, some fields are parts of the workspace's `context`.
  const [field = "", ...inside] = fieldPath.replace(/^context\./, "").split(".");
  const kind = Object.hasOwn(KINDS, field) ? KINDS[field] : undefined;
  if (kind === undefined)
    throw new Problem("invalid", `Unknown field: ${fieldPath}`, `There are ${Object.keys(KINDS).join(", ")}.`);
  const { id, record } = await memory.ask((index) => foundWorkspace(index, sent));
  const value = [newValue, ...jsonIn(newValue)]
    .map((each) => withValueAt(valueOf(record, field) ?? [], inside, each))
    .find(kind.fits);
  if (value === undefined) throw new Problem("invalid", `newValue: ${field} ${kind.must}`);
  if (field === "name" && value === "") throw new Problem("invalid", "Name is required");
  const kept = field === "rootFolder" ? (await memory.vault.makeFolder(author, value as string)).path : value;
  await memory.say("workspace", id, { [field]: kept as Value });
  const now = await memory.ask((index) => foundWorkspace(index, id));
  return { ...summaryOfWorkspace(now), field };
}

/** The value of a JSON text: some hosts send every argument as text. */
function jsonIn(value: unknown): unknown[] {
  try {
    return typeof value === "string" ? [JSON.parse(value)] : [];
  } catch {
    return [];
  }
}

/** The value with an inner value replaced, or appended to a list. */
function withValueAt(value: unknown, [key, ...keys]: readonly string[], inner: unknown): unknown {
  if (key === undefined) return inner;
  if (Array.isArray(value) && /^\d{1,4}$/.test(key) && Number(key) <= value.length)
    return value.toSpliced(Number(key), 1, withValueAt(value[Number(key)], keys, inner));
  if (isRecord(value) && Object.hasOwn(value, key)) return { ...value, [key]: withValueAt(value[key], keys, inner) };
  throw new Problem("invalid", `There is no '${key}' in what fieldPath names`);
}

function foundWorkspace(index: MemoryIndex, sent: string): Item {
  const found = index.find("workspace", sent);
  if (found !== undefined) return found;
  // Every vault has it, even a new one.
  if (sent === DEFAULT_WORKSPACE) return { id: sent, record: { created: 0, used: 0, claims: {} } };
  throw new Problem("not_found", `Workspace not found: ${shortened(sent)}`, "memoryManager_listWorkspaces lists them.");
}

function summaryOfWorkspace({ id, record }: Item): WorkspaceSummary {
  const text = (name: string) => textOf(record, name);
  return {
    id,
    name: text("name") ?? id,
    ...given({ description: text("description") }),
    rootFolder: text("rootFolder") ?? "",
    ...given({ purpose: text("purpose"), currentGoal: text("currentGoal") }),
    created: record.created,
    lastUsed: record.used,
    isActive: valueOf(record, "isActive") !== false,
  };
}
