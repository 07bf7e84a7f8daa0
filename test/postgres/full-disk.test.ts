// The disk of the database is full: changes are refused in words, what there was
// stays as it is, and with room again everything goes on.
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { parseVaultPath } from "../../src/files/files.ts";
import { openSharedStore, type SharedFileStore } from "../../src/journal/journal.ts";
import { createStore, ensureSpace, StoreUnavailable } from "../../src/shared/shared.ts";
import { callIn } from "../fixtures/memories.ts";
import { mountSmallDisk, unmountAll } from "../fixtures/small-disk.ts";
import { atTheEnd, temporaryFolder } from "../temporary-folder.ts";
import { startCluster, SUPERUSER, unprivilegedUser, type OwnCluster } from "./cluster.ts";
import { newConversationMachine, talk } from "./conversation-machines.ts";
import { newMachine } from "./machines.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

const disk = join(temporaryFolder(), "disk");
const HAS_DISK = HAS_POSTGRESQL && mountSmallDisk(disk, 24);
/** Every statement that fails is tried again for a while. */
const FULL = "The database of the shared store has no room left.";

describe.runIf(HAS_DISK)("a store whose disk is full", () => {
  let cluster: OwnCluster;
  let database: TestDatabase;
  let files: SharedFileStore;

  beforeAll(async () => {
    const { uid, gid } = unprivilegedUser()!;
    chownSync(disk, uid, gid);
    chmodSync(disk, 0o700);
    // The folders above belong to root: the database has to pass through them.
    chmodSync(join(disk, ".."), 0o755);
    // Nothing gives back what refused changes took, so that the disk stays full.
    cluster = await startCluster(inject("postgresql")!.programs, ["autovacuum=off"]);
    atTheEnd(async () => {
      await cluster.remove();
      unmountAll();
    });
    database = await newDatabase(cluster);
    const other = await newDatabase(cluster);
    await other.superuser.script(`CREATE TABLESPACE small LOCATION '${disk}'`);
    await other.superuser.script(`ALTER DATABASE ${database.name} SET TABLESPACE small`);
    const store = database.open(SUPERUSER);
    await createStore(store);
    await ensureSpace(store, "mine");
    files = await openSharedStore({ store, space: "mine", folder: "/nowhere/mine" }, { log: () => {} });
  });

  const resize = (megabytes: number) =>
    execFileSync("mount", ["-o", `remount,size=${megabytes}m`, disk], { stdio: "ignore" });
  const create = (path: string, bytes: Buffer) =>
    files.journal.change({ tool: "test" }, () => ({
      message: path,
      steps: [{ kind: "create", path: parseVaultPath(path), bytes }],
    }));
  const state = async () => {
    const [row] = await database.superuser`
      SELECT (SELECT array_agg(path ORDER BY path) FROM commonplace.file) AS files,
        (SELECT count(*)::int FROM commonplace.file_change) AS changes,
        (SELECT count(*)::int FROM commonplace.memory_event) AS events,
        (SELECT count(*)::int FROM commonplace.conversation) AS conversations,
        (SELECT count(*)::int FROM commonplace.conversation_page) AS pages`;
    return row!;
  };

  it("refuses changes of files, memory and conversations whole, and goes on when there is room", async () => {
    // Random: PostgreSQL packs what it can.
    const { randomBytes } = await import("node:crypto");
    let written = 0;
    const fill = async (bytes: number) => {
      for (; written < 1_000; written++) await create(`${written}.bin`, randomBytes(bytes));
    };
    for (const size of [1024 * 1024, 32 * 1024]) await expect(fill(size)).rejects.toThrow(FULL);
    expect(written).toBeGreaterThan(2);
    const before = await state();
    expect(before["changes"]).toBe(written);
    expect(before["files"]).toHaveLength(written);
    await expect(create("one more.bin", randomBytes(1024 * 1024))).rejects.toBeInstanceOf(StoreUnavailable);
    const machine = await newMachine(database.open(SUPERUSER, { retryFor: 200 }), "mine");
    for (let call = 0; call < 400; call++)
      machine.memory.leaveTrace(callIn("s", { about: randomBytes(1_000).toString("base64") }));
    await machine.memory.ask(() => 0);
    await expect(machine.push()).rejects.toThrow(FULL);
    const talking = newConversationMachine(database.open(SUPERUSER, { retryFor: 200 }), "mine");
    for (let i = 0; i < 10; i++)
      talk(talking.home, `long-${i}`, `Question ${i}`, randomBytes(30_000).toString("base64").replaceAll("/", " "));
    await expect(talking.push()).rejects.toThrow(FULL);
    const { conversations, pages, events, ...same } = await state();
    expect(same).toMatchObject({ files: before["files"], changes: written });
    expect(pages).toBeGreaterThanOrEqual(Number(conversations));
    expect(Number(events) % 500).toBe(0);
    // What is there can be read.
    expect((await files.root.read(parseVaultPath("0.bin")))!.bytes).toHaveLength(1024 * 1024);

    resize(400);
    await create("one more.bin", randomBytes(1024));
    expect(await machine.push()).toMatchObject({ hidden: 0 });
    expect(await talking.push()).toMatchObject({ added: 10 - Number(conversations) });
    expect((await files.journal.undo()).message).toBe("Undid: one more.bin");
  });
});
