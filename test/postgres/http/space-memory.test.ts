// The memory of a space for members who come through a server: in the store before
// anything is acknowledged, and read only by who may read the space now.
import { describe, expect, inject, it } from "vitest";
import { createSession, eventsOfSpace, listSessions, openMemory, type Memory } from "../../../src/memory/memory.ts";
import { removeMember, spaceNamed, StoreUnavailable } from "../../../src/shared/shared.ts";
import { redact } from "../../../src/redaction/redaction.ts";
import { callIn } from "../../fixtures/memories.ts";
import { atTheEnd, temporaryFolder } from "../../temporary-folder.ts";
import { startCluster, SUPERUSER } from "../cluster.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { newTeam, type Team } from "./team.ts";

describe.runIf(HAS_POSTGRESQL)("the memory of a space", () => {
  const openedFor = async (team: Team, member: string, cache: string): Promise<Memory> => {
    const store = team.database.open(team.login, { retryFor: 200 }).forMember(member);
    const space = await spaceNamed(store, "team");
    const memory = openMemory({
      vault: {
        folder: `team ${space.id}`,
        check: () => {},
        hashOf: async (path) => ({ path, hash: undefined }),
        makeFolder: async (_author, path) => ({ path }),
      },
      events: await eventsOfSpace({ store, space, redact }),
      cache,
      isReadOnly: false,
      redact,
      log: () => {},
    });
    atTheEnd(() => memory.close());
    return memory;
  };
  const names = async (memory: Memory) =>
    (await listSessions(memory, { limit: 10 })).sessions.map(({ name }) => name).toSorted();

  it("is read by nobody who was removed, though the index that members share has it all", async () => {
    const team = await newTeam();
    const cache = temporaryFolder();
    const [alice, bob] = [await openedFor(team, "alice", cache), await openedFor(team, "bob", cache)];
    await createSession(alice, { name: "Harvest", workspace: "default" });
    expect(await names(bob)).toEqual(["Harvest"]);
    const admin = team.database.open(SUPERUSER);
    await removeMember(admin, await spaceNamed(admin, "team"), "bob");
    await expect(names(bob)).rejects.toThrow("You are no longer in the space team.");
    await expect(bob.ask((index) => index.counts())).rejects.toThrow("no longer in the space");
    expect(await names(alice)).toEqual(["Harvest"]);
  });

  it("has what calls did in the store when they are answered, without secrets", async () => {
    const team = await newTeam();
    const memory = await openedFor(team, "alice", temporaryFolder());
    const key = `ghp_${"a1B2".repeat(9)}`;
    expect(await memory.leaveTrace(callIn("s", { why: `Use ${key}`, about: "zebra" }))).toBeUndefined();
    const rows = await team.database.superuser`SELECT line, number::int FROM commonplace.memory_event ORDER BY number`;
    const lines = rows.map((row) => String(row["line"])).join("\n");
    expect(lines).toContain("zebra");
    expect(lines).not.toContain(key);
    // The trace, and what it assumes about its session.
    expect(rows.map((row) => row["number"])).toEqual([1, 2]);
  });

  it("keeps and answers nothing while the store is away, and says so", async () => {
    const cluster = await startCluster(inject("postgresql")!.programs);
    atTheEnd(cluster.remove);
    const team = await newTeam(cluster);
    const memory = await openedFor(team, "alice", temporaryFolder());
    await createSession(memory, { name: "Before", workspace: "default" });
    await cluster.stop("fast");
    await expect(names(memory)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(createSession(memory, { name: "During", workspace: "default" })).rejects.toBeInstanceOf(
      StoreUnavailable,
    );
    expect(await memory.leaveTrace(callIn("s", {}))).toMatch(/^This call left no trace in memory: /);
    await cluster.start();
    expect(await names(memory)).toEqual(["Before"]);
  });
});
