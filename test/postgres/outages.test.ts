// The database goes away, comes back, crashes, or has no free connection: a clear
// error or an answer from what is known, never half a change.
import { beforeAll, describe, expect, inject, it } from "vitest";
import { discreetStore } from "../../src/app/members/discreet-store.ts";
import { createSession } from "../../src/memory/memory.ts";
import { createStore, ensureSpace, listSpaces, openStore, StoreUnavailable } from "../../src/shared/shared.ts";
import { callIn } from "../fixtures/memories.ts";
import { atTheEnd } from "../temporary-folder.ts";
import { startCluster, SUPERUSER, type OwnCluster } from "./cluster.ts";
import { newConversationMachine, talk } from "./conversation-machines.ts";
import { newMachine, sessionsIn } from "./machines.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

describe.runIf(HAS_POSTGRESQL)("a store whose database fails", () => {
  let cluster: OwnCluster;
  let database: TestDatabase;

  beforeAll(async () => {
    cluster = await startCluster(inject("postgresql")!.programs, ["max_connections=16"]);
    atTheEnd(cluster.remove);
    // Several at once, on a server that has no role of ours yet.
    const databases = await Promise.all([1, 2, 3, 4].map(() => newDatabase(cluster)));
    await Promise.all(databases.map((each) => createStore(each.open(SUPERUSER))));
    database = databases[0]!;
    for (const other of databases.slice(1)) await other.close();
    await ensureSpace(database.open(SUPERUSER), "mine");
  });

  it("loses no acknowledged event and keeps no half of a batch if it crashes while machines push", async () => {
    const machines = await Promise.all([1, 2].map(() => newMachine(database.open(SUPERUSER), "mine")));
    for (const [i, { memory }] of machines.entries())
      for (let call = 0; call < 1_200; call++) memory.leaveTrace(callIn(`s${i}`, { about: `${i}.${call}` }));
    for (const { memory } of machines) await memory.ask(() => 0);
    const pushing = machines.map(async ({ push }) => push().catch((error: Error) => error));
    await database.superuser`SELECT 1`;
    await cluster.stop("immediate");
    await cluster.start();
    await Promise.all(pushing);
    const [row] =
      await database.superuser`SELECT count(*)::int AS count, max(number)::int AS last FROM commonplace.memory_event`;
    // Numbers are taken by the batch, in the same transaction: no number without its row.
    expect(row!["count"]).toBe(row!["last"] ?? 0);
    const pushed = await Promise.all(machines.map(({ push }) => push()));
    const [after] = await database.superuser`SELECT count(*)::int AS count FROM commonplace.memory_event`;
    expect(after!["count"]).toBe(pushed.reduce((sum, { total }) => sum + total, 0));
  });

  it("is done without by reading memory, which says so once and catches up later", async () => {
    const machine = await newMachine(database.open(SUPERUSER, { retryFor: 200 }), "mine");
    const logged: string[] = [];
    const served = discreetStore(database.open(SUPERUSER, { retryFor: 0 }), (text) => void logged.push(text));
    const asked = () => served.call("files_below", ["mine", "", false]);
    await asked();
    await createSession(machine.memory, { name: "Before", workspace: "default" });
    await machine.push();
    const before = await sessionsIn(machine);
    expect(before).toContain("Before");
    await cluster.stop("fast");
    await createSession(machine.memory, { name: "During", workspace: "default" });
    expect(await sessionsIn(machine)).toEqual([...before, "During"].toSorted());
    expect(machine.logged).toHaveLength(1);
    expect(machine.logged[0]).toMatch(/cannot be reached|restarting/);
    await expect(machine.push()).rejects.toBeInstanceOf(StoreUnavailable);
    for (let i = 0; i < 3; i++) await expect(asked()).rejects.toBeInstanceOf(StoreUnavailable);
    await cluster.start();
    for (let i = 0; i < 3; i++) await asked();
    // So does a server, for all members together.
    expect(logged).toEqual([
      expect.stringMatching(/cannot be reached|restarting/),
      expect.stringContaining("answers again"),
    ]);
    expect((await machine.push()).added).toBeGreaterThan(0);
    expect(await sessionsIn(await newMachine(database.open(SUPERUSER), "mine"))).toContain("During");
  });

  it("keeps whole conversations only if it crashes while machines push, and the next push completes them", async () => {
    const machines = [0, 1].map(() => newConversationMachine(database.open(SUPERUSER, { retryFor: 200 }), "mine"));
    for (const [i, { home }] of machines.entries())
      for (let session = 0; session < 150; session++)
        talk(home, `${i}-${session}`, `Question ${session}`, `Answer ${session} of ${i}`);
    const acknowledged = [0, 0];
    const pushing = machines.map(({ push }, i) =>
      push({ onProgress: (done) => void (acknowledged[i] = done) }).catch((error: Error) => error),
    );
    const stored = () => acknowledged[0]! + acknowledged[1]!;
    await expect.poll(stored, { interval: 5 }).toBeGreaterThan(0);
    const beforeCrash = stored();
    await cluster.stop("immediate");
    await cluster.start();
    await Promise.all(pushing);
    const counts = async () => {
      const [row] = await database.superuser`
        SELECT (SELECT count(*)::int FROM commonplace.conversation) AS conversations,
          (SELECT count(*)::int FROM commonplace.conversation_page) AS pages,
          (SELECT count(*)::int FROM commonplace.conversation_feed) AS fed`;
      return row!;
    };
    const { conversations, ...parts } = await counts();
    expect(conversations).toBeGreaterThanOrEqual(beforeCrash);
    // A page of prose each.
    expect(parts).toEqual({ pages: conversations, fed: conversations });
    const [one, two] = await Promise.all(machines.map(({ push }) => push()));
    expect(one!.added + one!.unchanged + two!.added + two!.unchanged).toBe(300);
    expect(await counts()).toEqual({ conversations: 300, pages: 300, fed: 300 });
  });

  it("is done without by recall, which says so and answers with what is on this machine", async () => {
    const machine = newConversationMachine(database.open(SUPERUSER, { retryFor: 200 }), "mine");
    const other = newConversationMachine(database.open(SUPERUSER), "mine");
    talk(machine.home, "here", "The borogove list", "Done.");
    talk(other.home, "there", "The borogove plan", "Done.");
    await other.push();
    const recalled = async () => {
      const { answer, sharedUnavailable } = await machine.conversations.recall({ query: "borogove", limit: 5 });
      return { ids: answer.conversations.map(({ id }) => id).toSorted(), sharedUnavailable };
    };
    expect(await recalled()).toEqual({ ids: ["here", "there"], sharedUnavailable: undefined });
    await cluster.stop("fast");
    const unavailable = expect.stringMatching(/cannot be reached|restarting/);
    expect(await recalled()).toEqual({ ids: ["here"], sharedUnavailable: unavailable });
    expect(await recalled()).toEqual({ ids: ["here"], sharedUnavailable: unavailable });
    expect(machine.logged).toHaveLength(1);
    await expect(machine.conversations.find("there")).rejects.toThrow(
      /no conversation.*(?:cannot be reached|restarting)/,
    );
    await cluster.start();
  });

  it("is waited for while it has no free connection", async () => {
    const login = await database.newLogin("plain");
    // The same error as that of a full server, without depending on when connections of others end.
    await database.superuser.script(`ALTER ROLE ${login} CONNECTION LIMIT 0`);
    const problem = await listSpaces(database.open(login, { retryFor: 200 })).catch((error: Error) => error);
    expect(problem).toBeInstanceOf(StoreUnavailable);
    expect((problem as Error).message).toBe("The database of the shared store has no free connection.");
    const waiting = listSpaces(database.open(login, { retryFor: 20_000 })).catch((error: Error) => error);
    await database.superuser.script(`ALTER ROLE ${login} CONNECTION LIMIT -1`);
    // Now the login is what stands in the way: it is no member.
    expect(((await waiting) as Error).message).toContain("has no access to this store");
  });

  it("is named in words if the address is wrong", async () => {
    const problemOf = async (address: string) => {
      const store = openStore({ address });
      const error = await listSpaces(store).catch((thrown: Error) => thrown);
      await store.close();
      return (error as Error).message;
    };
    const wrong = (text: string) => database.address(SUPERUSER).replace(`:${cluster.port}/`, text);
    expect(await problemOf(wrong(":1/"))).toBe("The shared store at 127.0.0.1:1 cannot be reached (ECONNREFUSED).");
    expect(await problemOf(`${database.address(SUPERUSER)}x`)).toContain("There is no database");
    expect(await problemOf(database.address(SUPERUSER, "wrong"))).toBe("The database refused the login postgres.");
    expect(await problemOf(`${database.address(SUPERUSER)}?sslmode=verify-full`)).toMatch(/cannot be reached|not safe/);
  });
});
