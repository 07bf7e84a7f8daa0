// The clock of one member is off, by years: what everybody sees is in the order in
// which it was made, and nothing is lost.
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { connectStdio, runProgram, temporaryFolder } from "../processes/program.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

const YEAR = 365 * 24 * 60 * 60 * 1000;
const context = Object.fromEntries(
  ["sessionId", "workspaceId", "sessionDescription", "sessionMemory", "toolContext", "primaryGoal", "subgoal"].map(
    (name) => [name, "x"],
  ),
);

/** Node with another clock. */
const clockOff = (by: number) => {
  const code = `const now = Date.now; const Real = Date;
    globalThis.Date = class extends Real { constructor(...of) { super(...(of.length === 0 ? [now() + ${by}] : of)); } };
    globalThis.Date.now = () => now() + ${by};`;
  return ["--import", `data:text/javascript,${encodeURIComponent(code)}`];
};

describe.runIf(HAS_POSTGRESQL)("members whose clocks differ by years", () => {
  let database: TestDatabase;
  let clients: Readonly<Record<"early" | "right" | "late", Client>>;
  const [early, right, late] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  let env: Record<string, string> = {};

  beforeAll(async () => {
    database = await newDatabase();
    env = { COMMONPLACE_STORE: database.address(SUPERUSER) };
    await runProgram(["store", "init", "--space", "team"], { home: temporaryFolder(), env });
    const connect = (home: string, by: number) =>
      connectStdio(home, {}, ["--toolsets", "all", "--vault", "store:team"], { env, nodeArgs: clockOff(by) });
    clients = {
      early: await connect(early!, -3 * YEAR),
      right: await connect(right!, 0),
      late: await connect(late!, 3 * YEAR),
    };
  });
  const call = async (who: keyof typeof clients, name: string, sent: object) =>
    (await clients[who].callTool({ name, arguments: { ...sent } })).structuredContent as Record<string, unknown>;
  const append = (who: keyof typeof clients, content: string) =>
    call(who, "contentManager_appendContent", { filePath: "Log.md", content, context });

  it("write one note and one history, in the order in which they wrote, with times of the database", async () => {
    await call("late", "contentManager_createContent", { filePath: "Log.md", content: "begun", context });
    const order = ["early", "late", "right", "early"] as const;
    for (const [i, who] of order.entries()) expect(await append(who, `${i} ${who}`)).toMatchObject({ success: true });
    const read = await call("right", "contentManager_readContent", { filePath: "Log.md" });
    expect(JSON.stringify(read)).toContain("begun\\n0 early\\n1 late\\n2 right\\n3 early");
    const [row] = await database.superuser`
      SELECT (SELECT max(abs(time - extract(epoch FROM now()) * 1000)) FROM commonplace.file_change) AS entry,
        (SELECT abs(modified - extract(epoch FROM now()) * 1000) FROM commonplace.file WHERE path = 'Log.md') AS note`;
    expect(Math.max(Number(row!["entry"]), Number(row!["note"]))).toBeLessThan(YEAR / 365);
    // Each takes back its own newest change, not the one that its clock would have.
    expect(await call("early", "undo", {})).toMatchObject({ success: true });
    expect(JSON.stringify(await call("late", "contentManager_readContent", { filePath: "Log.md" }))).not.toContain(
      "3 early",
    );
  });

  it("keep the history: none of them deletes what is younger than 30 days by the clock of the database", async () => {
    const count = async () => (await database.superuser`SELECT 1 FROM commonplace.file_change`).length;
    const before = await count();
    // Old entries are looked for once in 50 changes.
    for (let i = 0; i < 55; i++) await append("late", `more ${i}`);
    await expect.poll(count).toBe(before + 55);
  });

  it("find each other's notes and memory", async () => {
    for (const who of ["early", "late"] as const) {
      await call(who, "contentManager_createContent", { filePath: `Of ${who}.md`, content: `walrus ${who}`, context });
      await call(who, "memoryManager_createSession", { context, name: `Walrus ${who}` });
    }
    for (const home of [early!, late!]) {
      const by = home === early ? -3 * YEAR : 3 * YEAR;
      const { code } = await runProgram(["push", "memory", "--vault", "store:team"], {
        home,
        env,
        nodeArgs: clockOff(by),
      });
      expect(code).toBe(0);
    }
    const found = JSON.stringify(await call("right", "search", { query: "walrus" }));
    const sessions = JSON.stringify(await call("right", "memoryManager_listSessions", { context }));
    for (const who of ["early", "late"]) {
      expect(found).toContain(`Of ${who}.md`);
      expect(sessions).toContain(`Walrus ${who}`);
    }
  });
});
