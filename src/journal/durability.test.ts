// The order in which a change reaches the disk. A power failure may keep a later
// step and lose an earlier one, unless the disk was waited for in between:
// content and intent before the first name changes, the folders after the last,
// and the answer after everything.
import fs, { symlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { temporaryVault, type TemporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { contentHash, temporaryName } from "../files/disk/atomic.ts";
import { openDatabase } from "../sqlite/open.ts";
import { parseVaultPath, type EntryPath } from "../files/vault/vault-path.ts";
import { encode, type Action } from "./plan/action.ts";
import type { Step } from "./plan/step.ts";

interface Event {
  readonly what: "sync" | "rename" | "link" | "unlink" | "mkdir" | "rmdir" | "write";
  /** Absolute; a name that changed, or what was synced. */
  readonly paths: readonly string[];
}

const recorded = vi.hoisted(() => ({ events: [] as Event[], opened: new Map<number, string>(), fails: "" }));

vi.mock("../files/disk/sync.ts", async (original) => {
  type Sync = (file: number) => Promise<void>;
  const real = await original<Record<"sync" | "syncBeside" | "syncTogether", Sync>>();
  const recording = (syncing: Sync) => async (file: number) => {
    const path = recorded.opened.get(file)!;
    await syncing(file);
    // A sync that was only requested has not happened yet: code that does not wait for it is found by the later turn.
    await new Promise((resolve) => setTimeout(resolve, 2));
    recorded.events.push({ what: "sync", paths: [path] });
  };
  return {
    sync: recording(real.sync),
    syncBeside: recording(real.syncBeside),
    syncTogether: recording(real.syncTogether),
  };
});

const { renameSync, linkSync, unlinkSync, mkdirSync, rmdirSync, openSync, writeSync } = fs;
const originals = { renameSync, linkSync, unlinkSync, mkdirSync, rmdirSync, openSync, writeSync };
type Call = (...values: unknown[]) => unknown;

/** A name that is reached through a folder that is held open, by that folder's path. */
function named(path: string): string {
  return path.replace(/^\/proc\/self\/fd\/(\d+)/, (_, handle) => recorded.opened.get(Number(handle))!);
}

function record(name: keyof typeof originals, what: Event["what"], count: number): void {
  const call = originals[name] as Call;
  Object.assign(fs, {
    [name]: (...values: unknown[]) => {
      const paths = (values.slice(0, count) as string[]).map(named);
      if (recorded.fails !== "" && paths.at(-1)?.endsWith(recorded.fails))
        throw Object.assign(new Error("refused"), { code: "EIO" });
      const result = call(...values);
      recorded.events.push({ what, paths });
      return result;
    },
  });
}

record("renameSync", "rename", 2);
record("linkSync", "link", 2);
record("unlinkSync", "unlink", 1);
record("mkdirSync", "mkdir", 1);
record("rmdirSync", "rmdir", 1);
Object.assign(fs, {
  openSync: (path: string, ...rest: unknown[]) => {
    const file = (originals.openSync as Call)(path, ...rest) as number;
    recorded.opened.set(file, named(path));
    return file;
  },
  writeSync: (file: number, ...rest: unknown[]) => {
    const written = (originals.writeSync as Call)(file, ...rest);
    recorded.events.push({ what: "write", paths: [recorded.opened.get(file)!] });
    return written;
  },
});
syncBuiltinESMExports();
afterAll(() => {
  Object.assign(fs, originals);
  syncBuiltinESMExports();
});

beforeEach(() => {
  recorded.events = [];
  recorded.fails = "";
});

const at = parseVaultPath;
const hashOf = (text: string) => contentHash(Buffer.from(text));
const STEPS: readonly Step[] = [
  { kind: "replace", path: at("one/a.md"), before: hashOf("a"), bytes: Buffer.from("A") },
  { kind: "remove", path: at("two/b.md") },
  { kind: "rename", path: at("three/c.md"), to: at("four/c.md") },
  { kind: "folder", path: at("five/deep") },
  { kind: "create", path: at("six/new.md"), bytes: Buffer.from("new") },
];

function prepared(): TemporaryVault {
  const vault = temporaryVault();
  vault.write("one/a.md", "a");
  vault.write("two/b.md", "b");
  vault.write("three/c.md", "c");
  recorded.events = [];
  return vault;
}

const isTemporary = (path: string) => path.endsWith(".tmp");

/**
 * The changes of names in the vault, in order, with their place among all
 * events. A temporary file that reappears after a power failure is harmless.
 */
function namesChanged({ folder }: TemporaryVault, events: readonly Event[]) {
  return events
    .map((event, index) => ({ ...event, index }))
    .filter(({ what, paths }) => !/^(?:sync|write)$/.test(what) && paths.some((path) => path.startsWith(folder)))
    .filter(({ what, paths }) => what !== "unlink" || !isTemporary(paths[0]!));
}

/** Each folder in which a name changed is synced after its last change, unless it is itself gone by then. */
function expectFoldersSynced(vault: TemporaryVault, events: readonly Event[]): void {
  const last = new Map<string, number>();
  // A replaced file has a second name elsewhere for a moment, which a power failure may take.
  for (const { paths, index } of namesChanged(vault, events))
    for (const path of paths) if (path.startsWith(vault.folder)) last.set(dirname(path), index);
  expect(last.size).toBeGreaterThan(0);
  for (const [folder, index] of last) {
    if (!fs.existsSync(folder)) continue;
    const after = events.slice(index).some(({ what, paths }) => what === "sync" && paths[0] === folder);
    expect(after, `${relative(vault.folder, folder) || "the vault"} is synced`).toBe(true);
  }
}

/** Expects that written content and the intent are synced before any name in the vault changes. */
function expectContentSynced(vault: TemporaryVault, events: readonly Event[]): void {
  const first = namesChanged(vault, events)[0]!.index;
  const before = events.slice(0, first);
  const syncedAt = (isIt: (path: string) => boolean) =>
    before.findLastIndex(({ what, paths }) => what === "sync" && isIt(paths[0]!));
  expect(
    syncedAt((path) => path.endsWith(".db-wal")),
    "the intent is synced first",
  ).toBeGreaterThan(-1);
  const written = events.filter(({ what, paths }) => what === "write" && isTemporary(paths[0]!));
  expect(written.length).toBeGreaterThan(0);
  for (const { paths } of written) {
    const writing = before.findLastIndex((event) => event.what === "write" && event.paths[0] === paths[0]);
    expect(writing, "content is written first").toBeGreaterThan(-1);
    expect(
      syncedAt((path) => path === paths[0]),
      "and synced",
    ).toBeGreaterThan(writing);
  }
}

describe.skipIf(process.platform === "win32")("a change reaches the disk in its order", () => {
  test("content and intent, then names, then folders, then the answer; so does its undo", async () => {
    const vault = prepared();
    await vault.journal.change({ tool: "test" }, () => ({ message: "", steps: STEPS }));
    const events = [...recorded.events];
    expect(new Set(namesChanged(vault, events).map(({ what }) => what))).toEqual(
      new Set(["rename", "link", "unlink", "mkdir"]),
    );
    expectContentSynced(vault, events);
    expectFoldersSynced(vault, events);
    recorded.events = [];
    await vault.journal.undo();
    expectContentSynced(vault, recorded.events);
    expectFoldersSynced(vault, recorded.events);
  });

  test("each single kind of step does", async () => {
    const vault = prepared();
    for (const step of STEPS) {
      recorded.events = [];
      await vault.journal.change({ tool: "test" }, () => ({ message: "", steps: [step] }));
      expectFoldersSynced(vault, recorded.events);
      const isSynced = recorded.events.findIndex(({ what, paths }) => what === "sync" && paths[0]!.endsWith("-wal"));
      expect(isSynced).toBeGreaterThan(-1);
      expect(isSynced).toBeLessThan(namesChanged(vault, recorded.events)[0]!.index);
    }
  });

  test("one that fails half-way is rolled back on the disk before the error is thrown", async () => {
    const vault = prepared();
    recorded.fails = "six/new.md";
    await expect(vault.journal.change({ tool: "test" }, () => ({ message: "", steps: STEPS }))).rejects.toThrow();
    expect(vault.text("one/a.md")).toBe("a");
    expectFoldersSynced(vault, recorded.events);
    expectBytesBeforeNames(recorded.events);
  });

  test("one that was interrupted is completed or rolled back on the disk before the next starts", async () => {
    const vault = prepared();
    const temporary = () => temporaryName() as EntryPath;
    const done: Action = { kind: "put", path: at("one/a.md"), temporary: temporary(), after: hashOf("a") };
    const half: Action = {
      kind: "patch",
      path: at("two/b.md"),
      temporary: temporary(),
      before: hashOf("bb"),
      after: hashOf("b"),
      splices: [{ offset: 1, length: 0, removed: Buffer.from("b") }],
    };
    const never: Action = { kind: "put", path: at("never.md"), temporary: temporary(), after: hashOf("x") };
    for (const [actions, folders] of [
      [[done], ["one", ""]],
      [
        [done, half, never],
        ["one", "two", ""],
      ],
    ] as const) {
      await leave(vault, actions);
      recorded.events = [];
      await vault.another().change({ tool: "test" }, () => ({ message: "", steps: [] }));
      const synced = recorded.events.flatMap(({ what, paths }) => (what === "sync" ? paths : []));
      for (const folder of folders) expect(synced).toContain(join(vault.folder, folder));
      expectBytesBeforeNames(recorded.events);
    }
    expect(vault.text("two/b.md")).toBe("bb");
  });

  test("a folder that was created for it is synced at its real path, not at the target of a link", async () => {
    const vault = prepared();
    symlinkSync("one", join(vault.folder, "alias"));
    const steps: Step[] = [{ kind: "create", path: at("alias/new/x.md"), bytes: Buffer.from("x") }];
    await vault.journal.change({ tool: "test" }, () => ({ message: "", steps }));
    expectFoldersSynced(vault, recorded.events);
  });
});

/** No name is given to bytes that the disk may not have. */
function expectBytesBeforeNames(events: readonly Event[]): void {
  for (const [index, { what, paths }] of events.entries()) {
    const [from = ""] = paths;
    if (!/^(?:rename|link)$/.test(what) || !isTemporary(from)) continue;
    const lastWrite = events.findLastIndex(
      (event, at) => at < index && event.what === "write" && event.paths[0] === from,
    );
    const lastSync = events.findLastIndex(
      (event, at) => at < index && event.what === "sync" && event.paths[0] === from,
    );
    expect(lastSync, "content is synced before it gets its name").toBeGreaterThan(lastWrite);
  }
}

/** Makes the newest entry what a killed process left. */
async function leave(vault: TemporaryVault, actions: readonly Action[]): Promise<void> {
  const journal = vault.another();
  const steps: Step[] = [{ kind: "folder", path: at("for the entry") }];
  await journal.change({ tool: "test" }, () => ({ message: "", steps }));
  await journal.close();
  fs.rmdirSync(join(vault.folder, "for the entry"));
  const name = fs.readdirSync(vault.journals).find((file) => /^[0-9a-f]{32}\.db$/.test(file))!;
  const database = openDatabase(join(vault.journals, name));
  const { text, removed } = encode(actions);
  database
    .prepare("UPDATE entry SET state = 0, actions = ?, removed = ? WHERE number = (SELECT max(number) FROM entry)")
    .run(text, removed);
  database.close();
}
