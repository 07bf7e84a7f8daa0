// States: points to return to. A state has the hashes of its files, so that
// loading it can report which have changed since. Used by the memoryManager
// tools.
import { Problem, shortened } from "../kernel/kernel.ts";
import { pathIn } from "./index/documents.ts";
import { given, givenValues } from "./fields.ts";
import { keptId, newId } from "./id.ts";
import type { Memory, RememberedVault } from "./memory.ts";
import { meant, type Item, type Listing, type MemoryIndex } from "./index/memory-index.ts";
import { listOf, tagFields, tagsOf, textOf, textsOf, type MemoryRecord } from "./index/record.ts";
import { DEFAULT_WORKSPACE } from "./workspace-names.ts";

export interface StateSummary {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly activeTask?: string;
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly created: number;
  readonly tags?: readonly string[];
}

/** `unknown`: the state has no hash of the file. */
export type FileChange = "unchanged" | "changed" | "missing" | "unknown";

export interface LoadedState extends StateSummary {
  readonly conversationContext?: string;
  readonly reasoning?: string;
  readonly nextSteps: readonly string[];
  readonly activeFiles: readonly { readonly path: string; readonly since: FileChange }[];
}

interface NewState {
  readonly name: string;
  readonly conversationContext: string;
  readonly activeTask: string;
  readonly activeFiles: readonly string[];
  readonly nextSteps: readonly string[];
  readonly reasoning: string;
  readonly tags?: readonly string[] | undefined;
  readonly session: string;
  readonly workspace: string;
}

/** The hash of a missing file: one that is created later counts as changed. */
const ABSENT = "";

export async function createState(memory: Memory, { tags, activeFiles, ...state }: NewState): Promise<LoadedState> {
  const id = newId("state");
  const files: { readonly path: string; readonly hash: string }[] = [];
  for (const sent of activeFiles) {
    const { path, hash = ABSENT } = await memory.vault.hashOf(sent);
    files.push({ path, hash });
  }
  const place = { session: keptId(state.session), workspace: keptId(state.workspace || DEFAULT_WORKSPACE) };
  await memory.say("state", id, { ...givenValues({ ...state, ...place, activeFiles: files }), ...tagFields(tags) });
  return loadState(memory, id);
}

export async function listStates(memory: Memory, listing: Listing) {
  const { items, total } = await memory.ask((index) => index.list("state", meant(index, listing)));
  return { states: items.map(summaryOfState), total };
}

/** By id or name. */
export async function loadState(memory: Memory, sent: string): Promise<LoadedState> {
  const item = await memory.ask((index) => foundState(index, sent));
  const { record } = item;
  return {
    ...summaryOfState(item),
    ...given({ conversationContext: textOf(record, "conversationContext"), reasoning: textOf(record, "reasoning") }),
    nextSteps: textsOf(record, "nextSteps"),
    activeFiles: await Promise.all(
      filesOf(record).map(async ({ path, hash }) => ({ path, since: await changeOf(memory.vault, path, hash) })),
    ),
  };
}

interface StateChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

export async function updateState(memory: Memory, sent: string, changes: StateChanges): Promise<StateSummary> {
  const { addTags, removeTags, ...fields } = changes;
  const set = { ...givenValues(fields), ...tagFields(addTags, removeTags) };
  if (Object.keys(set).length === 0) throw new Problem("invalid", "Say what to change");
  const { id } = await memory.ask((index) => foundState(index, sent));
  await memory.say("state", id, set);
  return memory.ask((index) => summaryOfState({ id, record: index.record("state", id)! }));
}

function foundState(index: MemoryIndex, sent: string): Item {
  const found = index.find("state", sent);
  if (found !== undefined) return found;
  throw new Problem(
    "not_found",
    `State not found: ${shortened(sent)}`,
    "vaultLibrarian_searchMemory finds states by their words.",
  );
}

export function summaryOfState({ id, record }: Item): StateSummary {
  const tags = tagsOf(record);
  return {
    id,
    name: textOf(record, "name") ?? id,
    ...given({ description: textOf(record, "description"), activeTask: textOf(record, "activeTask") }),
    sessionId: textOf(record, "session") ?? "",
    workspaceId: textOf(record, "workspace") ?? DEFAULT_WORKSPACE,
    created: record.created,
    ...(tags.length > 0 && { tags }),
  };
}

interface RecordedFile {
  readonly path: string;
  readonly hash: string | undefined;
}

function filesOf(record: MemoryRecord): RecordedFile[] {
  return listOf(record, "activeFiles").flatMap((file) => {
    const path = pathIn(file);
    const { hash } = file as { hash?: unknown };
    return path === undefined ? [] : [{ path, hash: typeof hash === "string" ? hash : undefined }];
  });
}

async function changeOf(vault: RememberedVault, path: string, before: string | undefined): Promise<FileChange> {
  let now: string | undefined;
  try {
    now = (await vault.hashOf(path)).hash;
  } catch (error) {
    // A path in another program's state may lead anywhere; it is not followed.
    if (error instanceof Problem) return "missing";
    throw error;
  }
  if (now === undefined) return "missing";
  if (before === undefined) return "unknown";
  return now === before ? "unchanged" : "changed";
}
