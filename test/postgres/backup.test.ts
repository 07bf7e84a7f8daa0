// A store is backed up and restored with PostgreSQL's own programs.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSession } from "../../src/memory/memory.ts";
import { createStore, ensureSpace, listSpaces } from "../../src/postgres/postgres.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { SUPERUSER } from "./cluster.ts";
import { newMachine, sessionsIn } from "./machines.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

describe.runIf(HAS_POSTGRESQL)("a backup of a store", () => {
  it("brings back everything in another database, with the same access", async () => {
    const [before, after] = [await newDatabase(), await newDatabase()];
    const store = before.open(SUPERUSER);
    await createStore(store);
    await ensureSpace(store, "mine");
    const machine = await newMachine(store, "mine");
    await createSession(machine.memory, { name: "Kept", workspace: "default" });
    await machine.push();

    const file = join(temporaryFolder(), "store.dump");
    const env = { ...process.env, PGPASSWORD: before.cluster.password };
    const to = (name: string) => ["-h", "127.0.0.1", "-p", String(before.cluster.port), "-U", SUPERUSER, "-d", name];
    const { programs } = before.cluster;
    execFileSync(join(programs, "pg_dump"), [...to(before.name), "-Fc", "-n", "commonplace", "-f", file], { env });
    execFileSync(join(programs, "pg_restore"), [...to(after.name), "--exit-on-error", file], { env });

    const restored = after.open(SUPERUSER);
    expect(await listSpaces(restored)).toEqual(await listSpaces(store));
    const other = await newMachine(restored, "mine");
    expect(await sessionsIn(other)).toEqual(["Kept"]);
    await createSession(other.memory, { name: "Later", workspace: "default" });
    expect((await other.push()).added).toBeGreaterThan(0);
    expect(await sessionsIn(machine)).toEqual(["Kept"]);
    const stranger = await after.newLogin("stranger");
    await expect(listSpaces(after.open(stranger))).rejects.toThrow("has no access to this store");
    const tables = await after.superuser`
      SELECT count(*)::int AS count FROM pg_class WHERE relnamespace = 'commonplace'::regnamespace AND relkind = 'r'
        AND NOT (relrowsecurity AND relforcerowsecurity)`;
    expect(tables).toEqual([{ count: 0 }]);
  });
});
