// Memory for tests: real files in a folder, opened as the program opens them.
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openMemory, type CallTrace, type Memory, type Opening } from "../src/memory/memory.ts";
import { openMemoryIndex, type MemoryIndex } from "../src/memory/index/memory-index.ts";
import { deviceName } from "../src/memory/log/device.ts";
import { eventReader, openEventFolder } from "../src/memory/log/event-store.ts";
import { memoryPlaces, type MemoryPlaces } from "../src/memory/log/log-places.ts";
import { contentHash } from "../src/files/disk/atomic.ts";
import { redact } from "../src/redaction/redaction.ts";

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

export interface TestMemory {
  readonly home: string;
  readonly vaultFolder: string;
  /** In the vault: where the log is kept unless a test says otherwise. */
  readonly logFolder: string;
  readonly places: MemoryPlaces;
  /** As a process opens it; a name stands for a device of its own. */
  readonly open: (device?: string, options?: Partial<Opening> & { readonly places?: MemoryPlaces }) => Memory;
  /** The index over the files as they are, built in a cache of that name. */
  readonly index: (cache?: string, places?: MemoryPlaces) => MemoryIndex;
  readonly write: (file: string, lines: readonly string[]) => void;
  /** All lines of the log. */
  readonly lines: () => string[];
}

export function newMemory(): TestMemory {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-memory-")));
  endings.push(() => rmSync(home, { recursive: true, force: true }));
  const vaultFolder = join(home, "vault");
  const logFolder = join(vaultFolder, ".commonplace", "memory");
  mkdirSync(vaultFolder);
  const defaultPlaces = memoryPlaces({ memory: "vault", vaultFolder, dataFolder: join(home, "data of one") });
  const check = () => void readdirSync(vaultFolder);
  const hashOf = (path: string) => {
    try {
      return { path, hash: contentHash(readFileSync(join(vaultFolder, path))) };
    } catch {
      return { path, hash: undefined };
    }
  };
  return {
    home,
    vaultFolder,
    logFolder,
    places: defaultPlaces,
    open: (device = "one", { places = defaultPlaces, ...options } = {}) => {
      const memory = openMemory({
        vault: {
          folder: vaultFolder,
          check,
          hashOf,
          makeFolder: async (_author, path) => {
            mkdirSync(join(vaultFolder, path), { recursive: true });
            return { path };
          },
        },
        events: openEventFolder({
          places,
          vaultFolder,
          check,
          device: () => deviceName(join(home, `data of ${device}`)),
        }),
        cache: join(home, `cache of ${device}`),
        isReadOnly: false,
        redact,
        log: () => {},
        ...options,
      });
      endings.push(() => memory.close());
      return memory;
    },
    index: (cache = "cache", places = defaultPlaces) => {
      const index = openMemoryIndex({
        cache: join(home, cache),
        events: eventReader(places, vaultFolder),
        vaultFolder,
        check,
        log: () => {},
      });
      endings.push(() => index.close());
      return index;
    },
    write: (file, lines) => {
      mkdirSync(join(logFolder, file, ".."), { recursive: true });
      appendFileSync(join(logFolder, file), lines.map((line) => `${line}\n`).join(""));
    },
    lines: () =>
      readdirSync(logFolder).flatMap((file) =>
        readFileSync(join(logFolder, file), "utf8")
          .split("\n")
          .filter((line) => line !== ""),
      ),
  };
}

/** Everything that memory knows, in an order that depends on nothing else. */
export function everythingIn(index: MemoryIndex) {
  const all = { limit: 1_000_000 };
  const records = (["workspace", "session", "state"] as const).map((kind) => index.list(kind, all).items);
  return { records, traces: index.traces(all).toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

export function callIn(session: string, more: Partial<CallTrace> = {}): CallTrace {
  return {
    session,
    workspace: "default",
    description: `The session ${session}`,
    goal: "A goal",
    subgoal: "",
    why: "For a test",
    tool: "contentManager_readContent",
    ...more,
  };
}
