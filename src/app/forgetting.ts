// Forgets conversations in everything that is ours: the store, the traces that
// their tool calls left in memory, and what was pushed to a shared store. What it
// cannot take is named. Used by app.ts, for the command forget.
import type { Conversations, Forgettable, ToForget } from "../conversations/conversations.ts";
import { counted, Problem } from "../kernel/kernel.ts";
import type { ForgottenCalls, Memory } from "../memory/memory.ts";
import type { Space, Store } from "../shared/shared.ts";

export interface Forgetting {
  readonly conversations: readonly Forgettable[];
  /** Of what was chosen, what another conversation cannot do without: why each stays. Also in `left`. */
  readonly needed: readonly string[];
  /** Traces of calls in memory. */
  readonly traces: number;
  /** Counts of what was pushed, by place. */
  readonly pushed: readonly { readonly space: string; readonly conversations: number }[];
  /** Names of what stays, although it may have words of them. */
  readonly left: readonly string[];
  readonly carryOut: () => Promise<void>;
}

interface ForgettingParts {
  readonly conversations: Conversations;
  readonly memories: readonly {
    readonly vault: string;
    readonly isReadOnly: boolean;
    readonly open: () => Promise<Memory>;
  }[];
  /** Undefined if no shared store is named. */
  readonly store: (() => Promise<Store>) | undefined;
}

/** A call is recorded when it ends, and the program may have written its own time before. */
const AROUND = 60_000;

export async function forgetting(
  { conversations, memories, store }: ForgettingParts,
  what: ToForget,
): Promise<Forgetting> {
  const found = await conversations.toForget(what);
  const chosen = found.filter(({ neededBy }) => neededBy === undefined);
  const needed = found.flatMap(({ source, id, neededBy }) =>
    neededBy === undefined
      ? []
      : [
          `${source}/${id}: ${neededBy.source}/${neededBy.id} goes on from it, and its program has deleted it: forget that one first`,
        ],
  );
  const calls = chosen.flatMap(({ sessions, created, updated }) =>
    sessions.map((session): ForgottenCalls => ({ session, from: created - AROUND, until: updated + AROUND })),
  );
  const { opened, unreached } = await openedMemories(memories, calls);
  const traces = opened.reduce((sum, memory) => sum + memory.forgetTraces(calls, { isCount: true }), 0);
  const shared = chosen.length === 0 ? NOTHING_SHARED : await pushedAmong(store, chosen);
  const repeated = chosen.flatMap(({ id, repeatedBy }) =>
    repeatedBy
      .filter((other) => !chosen.some((one) => one.id === other.id && one.source === other.source))
      .map((other) => `${other.source}/${other.id} repeats what was said in ${id}, and keeps it: forget it, too`),
  );
  const still = chosen.flatMap(({ transcripts }) => transcripts);
  return {
    conversations: chosen,
    needed,
    traces,
    pushed: shared.found.map(({ space, numbers }) => ({ space: space.name, conversations: numbers.length })),
    left: [
      ...chosen.flatMap(({ exports }) => exports).map((path) => `exported: ${path}`),
      ...needed,
      ...repeated,
      ...(shared.problem === undefined ? [] : [`the shared store, which cannot be asked: ${shared.problem}`]),
      ...unreached,
      ...conversations.damagedCopies().map((path) => `a copy of the store from when it was damaged: ${path}`),
      ...[...new Set(still)].map((path) => `its program has it: ${path}`),
      "backups that you made",
    ],
    carryOut: async () => {
      // First: another machine would push them again.
      for (const { space, numbers } of shared.found) await shared.unshare(space, numbers);
      for (const memory of opened) memory.forgetTraces(calls);
      await conversations.forget(chosen);
    },
  };
}

/** A vault whose drive is not mounted must not keep the others from forgetting, and nothing is written in a read-only one. */
async function openedMemories(memories: ForgettingParts["memories"], calls: readonly ForgottenCalls[]) {
  const opened: Memory[] = [];
  const unreached: string[] = [];
  for (const { vault, isReadOnly, open } of memories)
    try {
      const memory = await open();
      const kept = isReadOnly ? memory.forgetTraces(calls, { isCount: true }) : 0;
      if (!isReadOnly) opened.push(memory);
      else if (kept > 0)
        unreached.push(`${counted(kept, "trace")} in the memory of the vault ${vault}, which is read-only`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      unreached.push(`the memory of the vault ${vault}, which cannot be read: ${error.message}`);
    }
  return { opened, unreached };
}

interface Shared {
  readonly found: readonly { readonly space: Space; readonly numbers: readonly number[] }[];
  readonly problem?: string;
  readonly unshare: (space: Space, numbers: readonly number[]) => Promise<void>;
}

const NOTHING_SHARED: Shared = { found: [], unshare: async () => {} };

async function pushedAmong(openStore: ForgettingParts["store"], chosen: readonly Forgettable[]): Promise<Shared> {
  if (openStore === undefined) return NOTHING_SHARED;
  try {
    const [store, { listSpaces, ownConversationsNamed, unshare }] = await Promise.all([
      openStore(),
      import("../shared/shared.ts"),
    ]);
    const names = chosen.map(({ source, id }) => `${source}/${id}`);
    const found: { space: Space; numbers: readonly number[] }[] = [];
    for (const space of await listSpaces(store)) {
      const numbers = await ownConversationsNamed(store, space, names);
      if (numbers.length > 0) found.push({ space, numbers });
    }
    return {
      found,
      unshare: async (space, numbers) => {
        for (const conversation of numbers) await unshare(store, space, { conversation });
      },
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...NOTHING_SHARED, problem: error.message };
  }
}
