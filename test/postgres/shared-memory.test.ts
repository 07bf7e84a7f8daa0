// Memory of several machines in one store: what one pushes, the others know.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { lineOf } from "../../src/memory/log/event.ts";
import { createSession, loadSession, searchMemory, updateSession } from "../../src/memory/memory.ts";
import { leaveSpace, removeMember, spaceNamed, type Store } from "../../src/shared/shared.ts";
import { callIn } from "../fixtures/memories.ts";
import { newMachine, sessionsIn } from "./machines.ts";
import { HAS_POSTGRESQL, type TestDatabase } from "./store-fixture.ts";
import { twoMembers, type TwoMembers } from "./two-members.ts";

describe.runIf(HAS_POSTGRESQL)("memory in a shared store", () => {
  let database: TestDatabase;
  let newSpace: TwoMembers["newSpace"];

  beforeAll(async () => {
    ({ database, newSpace } = await twoMembers());
  });

  const linesIn = async (space: string) =>
    (
      await database.superuser`
        SELECT line FROM commonplace.memory_event JOIN commonplace.space ON space.id = space WHERE space.name = ${space}
        ORDER BY number`
    ).map((row) => String(row["line"]));

  it("is read again where the store was restored from a backup, also if it has grown since", async () => {
    const { name, asAlice, asBob } = await newSpace();
    const [one, two, three] = [
      await newMachine(asAlice, name),
      await newMachine(asBob, name),
      await newMachine(asAlice, name),
    ];
    for (const each of ["Before", "Lost", "Lost too"]) {
      await createSession(one.memory, { name: each, workspace: "default" });
      await one.push();
    }
    expect(await sessionsIn(two)).toEqual(["Before", "Lost", "Lost too"]);
    const { id } = await spaceNamed(asAlice, name);
    // As pg_restore does: without triggers.
    await database.superuser.script(`
      SET session_replication_role = replica;
      DELETE FROM commonplace.memory_event WHERE space = ${id} AND line LIKE '%"Lost%';
      UPDATE commonplace.space_state SET number = (SELECT max(number) FROM commonplace.memory_event WHERE space = ${id})
        WHERE space = ${id};
      SET session_replication_role = DEFAULT`);
    await createSession(three.memory, { name: "After", workspace: "default" });
    await three.push();
    expect(await sessionsIn(two)).toEqual(["After", "Before"]);
  });

  it("has numbers in the order of commits, also of an event and a conversation whose transactions are open at once", async () => {
    const { space, asAlice, asBob } = await newSpace();
    const number = async () => {
      const rows = await asBob.reading(
        (sql) => sql`SELECT number FROM commonplace.space_state WHERE space = ${space.id}`,
      );
      return Number(rows[0]!["number"]);
    };
    const before = await number();
    const [isOpen, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = asAlice.transaction(async (sql) => {
      await sql`SELECT commonplace.add_event(${space.id}, 'v', 'first', '{}')`;
      isOpen.resolve();
      await mayEnd.promise;
    });
    await isOpen.promise;
    // As a push of conversations takes its numbers.
    const second = asBob.transaction((sql) => sql`SELECT commonplace.take_numbers(${space.id}, 1) AS before`);
    const waiting = () =>
      database.superuser`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = ${database.name}`;
    try {
      await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
      expect(await number()).toBe(before);
    } finally {
      mayEnd.resolve();
      await Promise.all([first, second]);
    }
    expect([Number((await second)[0]!["before"]), await number()]).toEqual([before + 1, before + 2]);
  });

  it("is found by the other machines, in full and by its words, as soon as it is pushed", async () => {
    const { name, asAlice, asBob } = await newSpace();
    const [one, two] = [await newMachine(asAlice, name), await newMachine(asBob, name)];
    const { sessionId } = await createSession(one.memory, {
      name: "Letters",
      goal: "Ten of them",
      workspace: "default",
    });
    one.memory.leaveTrace(callIn(sessionId, { paths: ["One.md"], why: "The zebra letter" }));
    expect(await sessionsIn(two)).toEqual([]);
    const pushed = await one.push();
    expect(pushed).toMatchObject({ hidden: 0 });
    expect(pushed.added).toBe(pushed.total);
    expect(await sessionsIn(two)).toEqual(["Letters"]);
    expect(await loadSession(two.memory, "letters")).toMatchObject({
      session: { id: sessionId, goal: "Ten of them" },
      filesTouched: ["One.md"],
    });
    const found = await searchMemory(two.memory, "zebra", { kinds: ["trace"], limit: 5 });
    expect(JSON.stringify(found)).toContain("zebra letter");

    await updateSession(two.memory, sessionId, { goal: "Eleven" });
    await two.push();
    expect((await loadSession(one.memory, "letters")).session.goal).toBe("Eleven");
    // Its own events are not doubled by coming back.
    expect((await loadSession(one.memory, "letters")).calls).toBe(1);
  });

  it("of a vault with another name stays apart", async () => {
    const { name, asAlice } = await newSpace();
    const [one, other] = [await newMachine(asAlice, name), await newMachine(asAlice, name, "Work")];
    await createSession(one.memory, { name: "Private", workspace: "default" });
    await one.push();
    expect(await sessionsIn(other)).toEqual([]);
  });

  it("is pushed once, even if several machines push it at the same time", async () => {
    const { name, asAlice, asBob } = await newSpace();
    const [one, two] = [await newMachine(asAlice, name), await newMachine(asBob, name)];
    for (let i = 0; i < 30; i++) one.memory.leaveTrace(callIn("s", { about: `call ${i}` }));
    await one.memory.ask(() => 0);
    // A synced folder: the other machine has the same log, and one of its own.
    two.files.write("copied.jsonl", one.files.lines());
    two.memory.leaveTrace(callIn("t"));
    await two.memory.ask(() => 0);
    const pushes = await Promise.all([one.push(), two.push(), one.push(), two.push()]);
    const lines = await linesIn(name);
    expect(new Set(lines).size).toBe(lines.length);
    expect(pushes.reduce((sum, { added }) => sum + added, 0)).toBe(lines.length);
    expect(await one.push()).toMatchObject({ added: 0 });
    expect(await linesIn(name)).toEqual(lines);
  });

  it("is pushed to the end after an interruption, without a gap for those who read in between", async () => {
    const { name, asAlice, asBob } = await newSpace();
    const [one, two] = [await newMachine(asAlice, name), await newMachine(asBob, name)];
    one.files.write(
      "0a1b2c3d-2026-01.jsonl",
      Array.from({ length: 2_600 }, (_, i) =>
        lineOf({ type: "session", of: `s${i}`, id: `e${i}`, at: i, set: { name: `Session ${i}` }, weight: "said" }),
      ),
    );
    let batches = 0;
    const failing: Store = {
      ...asAlice,
      transaction: (work) => {
        if (batches++ === 2) throw new Error("interrupted");
        return asAlice.transaction(work);
      },
    };
    await expect(one.push({ store: failing })).rejects.toThrow("interrupted");
    expect(await sessionsIn(two)).toHaveLength(1_000);
    expect(await one.push()).toMatchObject({ total: 2_600, added: 1_600 });
    expect(await sessionsIn(two)).toHaveLength(2_600);
  });

  it("leaves the machine without secrets, and without what mentions hidden files", async () => {
    const { name, asAlice } = await newSpace();
    const one = await newMachine(asAlice, name);
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const moment = { at: 1, session: "s", workspace: "default", tool: "t" };
    // As an earlier release stored them, which did not recognise it.
    one.files.write("0a1b2c3d-2026-01.jsonl", [
      lineOf({ type: "trace", id: "1", ...moment, about: `use ${secret}`, why: secret, error: `bad ${secret}` }),
      lineOf({ type: "session", id: "2", at: 2, of: "s", set: { goal: `Rotate ${secret}` }, weight: "said" }),
      lineOf({ type: "trace", id: "3", ...moment, paths: ["Diary/Today.md"] }),
      lineOf({ type: "state", id: "4", at: 4, of: "x", set: { activeFiles: ["Diary/Today.md"] }, weight: "said" }),
    ]);
    const pushed = await one.push({ isHidden: (path) => path.startsWith("Diary/") });
    expect(pushed).toEqual({ total: 2, added: 2, hidden: 2, bytes: expect.any(Number) });
    const sent = (await linesIn(name)).join("\n");
    expect(sent).toContain("Rotate");
    expect(sent).not.toContain(secret);
    expect(sent).not.toContain("Diary");
  });

  it("is compared and counted by a preview, which sends nothing", async () => {
    const { name, asAlice } = await newSpace();
    const one = await newMachine(asAlice, name);
    await createSession(one.memory, { name: "Not yet", workspace: "default" });
    const preview = await one.push({ isPreview: true });
    expect(preview.added).toBeGreaterThan(0);
    expect(await linesIn(name)).toEqual([]);
    const pushed = await one.push();
    expect(pushed).toEqual(preview);
    expect(pushed.bytes).toBe(Buffer.byteLength((await linesIn(name)).join("")));
    expect(await one.push({ isPreview: true })).toEqual({ ...preview, added: 0, bytes: 0 });
  });

  it("is forgotten by the others when its member leaves the space", async () => {
    const { name, asAlice, asBob } = await newSpace();
    const [one, two] = [await newMachine(asAlice, name), await newMachine(asBob, name)];
    await createSession(one.memory, { name: "Of Alice", workspace: "default" });
    await createSession(two.memory, { name: "Of Bob", workspace: "default" });
    await one.push();
    await two.push();
    expect(await sessionsIn(one)).toEqual(["Of Alice", "Of Bob"]);
    await leaveSpace(asBob, await spaceNamed(asBob, name));
    expect(await sessionsIn(one)).toEqual(["Of Alice"]);
    expect((await linesIn(name)).join("")).not.toContain("Of Bob");
    expect(await sessionsIn(two)).toEqual(["Of Bob"]);
  });

  it("is forgotten by a member that is removed, and what that one added stays with the others", async () => {
    const { name, asAlice, asBob } = await newSpace();
    const [one, two] = [await newMachine(asAlice, name), await newMachine(asBob, name)];
    // Of many pages, as memory has.
    const goal = "zyxomma ".repeat(5_000);
    await createSession(one.memory, { name: "Of Alice", workspace: "default", goal });
    await createSession(two.memory, { name: "Of Bob", workspace: "default" });
    await one.push();
    await two.push();
    expect(await sessionsIn(two)).toEqual(["Of Alice", "Of Bob"]);
    const cache = `${two.files.home}/cache`;
    const cached = () => readdirSync(cache).map((file) => readFileSync(join(cache, file), "latin1"));
    expect(cached().join()).toContain("zyxomma");
    await removeMember(asAlice, await spaceNamed(asAlice, name), "bob");
    expect(await sessionsIn(two)).toEqual(["Of Bob"]);
    await expect(two.push()).rejects.toThrow(`You are in no space ${name}.`);
    expect(await sessionsIn(one)).toEqual(["Of Alice", "Of Bob"]);
    // Nor is it left in what the database of the cache no longer uses.
    await two.memory.close();
    expect(cached().join()).not.toContain("zyxomma");
  });
});
