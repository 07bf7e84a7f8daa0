// Machines whose memory is shared through a store: each with a home, a vault and a
// log of its own. Used by the tests of shared memory.
import { openMemory, pushEvents, type Memory, withSharedEvents } from "../../src/memory/memory.ts";
import { deviceName } from "../../src/memory/log/device.ts";
import { eventReader, openEventFolder } from "../../src/memory/log/event-store.ts";
import { spaceNamed, type Store } from "../../src/shared/shared.ts";
import { redact } from "../../src/redaction/redaction.ts";
import { newMemory, type TestMemory } from "../fixtures/memories.ts";
import { atTheEnd } from "../temporary-folder.ts";

const check = () => {};

export interface Machine {
  readonly files: TestMemory;
  readonly memory: Memory;
  readonly push: (options?: {
    readonly isHidden?: (path: string) => boolean;
    readonly store?: Store;
    readonly isPreview?: boolean;
  }) => ReturnType<typeof pushEvents>;
  readonly logged: readonly string[];
}

/** @param vault the name of its vault: a member sees events of vaults of that name in all spaces */
export async function newMachine(store: Store, space: string, vault = space): Promise<Machine> {
  const files = newMemory();
  const logged: string[] = [];
  const local = openEventFolder({
    places: files.places,
    vaultFolder: files.vaultFolder,
    device: () => deviceName(`${files.home}/data`),
    check,
  });
  const memory = openMemory({
    vault: {
      folder: files.vaultFolder,
      check,
      hashOf: async (path) => ({ path, hash: undefined }),
      makeFolder: async (_author, path) => ({ path }),
    },
    events: await withSharedEvents(local, { store, vault, log: (text) => void logged.push(text) }),
    cache: `${files.home}/cache`,
    isReadOnly: false,
    redact,
    log: () => {},
  });
  atTheEnd(() => memory.close());
  return {
    files,
    memory,
    logged,
    push: async ({ isHidden, isPreview, store: other = store } = {}) =>
      pushEvents({
        store: other,
        space: await spaceNamed(store, space),
        vault,
        events: eventReader(files.places, files.vaultFolder),
        redact,
        isHidden,
        isPreview,
      }),
  };
}

/** The names of all sessions that were created on purpose, sorted. */
export async function sessionsIn({ memory }: Machine): Promise<string[]> {
  const { items } = await memory.ask((index) => index.list("session", { limit: 100_000 }));
  return items
    .flatMap(({ record }) => record.claims["name"]?.[0] ?? [])
    .map(String)
    .toSorted();
}
