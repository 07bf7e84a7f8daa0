// Who leaves a space takes back what is theirs, and the last one takes everything:
// no table has a row of it afterwards.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { connectStdio, runProgram, temporaryFolder } from "../processes/program.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

describe.runIf(HAS_POSTGRESQL)("a space that members leave", () => {
  let database: TestDatabase;
  let tables: readonly string[];
  let space = 0;
  const [home, homeOfBob] = [temporaryFolder(), temporaryFolder()];
  let [env, envOfBob]: Record<string, string>[] = [{}, {}];

  const run = (...args: string[]) => runProgram(args, { home, env: env! });
  const asBob = (...args: string[]) => runProgram(args, { home: homeOfBob, env: envOfBob! });
  /** The tables that have rows of the space. */
  const filled = async () => {
    const found: string[] = [];
    for (const table of tables) {
      const rows = await database.superuser.run(`SELECT 1 FROM commonplace.${table} WHERE space = $1 LIMIT 1`, [space]);
      if (rows.length > 0) found.push(table);
    }
    return found;
  };

  beforeAll(async () => {
    database = await newDatabase();
    const bob = await database.newLogin("bob");
    [env, envOfBob] = [SUPERUSER, bob].map((login) => ({ COMMONPLACE_STORE: database.address(login) }));
    await run("store", "init", "--space", "garden");
    await run("store", "add", "bob", "--login", bob);
    for (const [who, session] of [
      [home, "of-the-owner"],
      [homeOfBob, "of-bob"],
    ] as const) {
      const sessions = join(who, ".claude", "projects", "-code-shop");
      mkdirSync(sessions, { recursive: true });
      const of = { sessionId: session, cwd: "/code/shop", timestamp: new Date().toISOString() };
      const call = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/code/shop/a.md" } };
      const output = { type: "tool_result", tool_use_id: "t1", content: "beetroot\n".repeat(2_000) };
      const records = [
        { ...of, type: "user", uuid: "1", message: { role: "user", content: "Where does the beetroot grow?" } },
        { ...of, type: "assistant", uuid: "2", message: { id: "m1", role: "assistant", content: [call] } },
        { ...of, type: "user", uuid: "3", message: { role: "user", content: [output] } },
      ];
      writeFileSync(join(sessions, `${session}.jsonl`), records.map((one) => `${JSON.stringify(one)}\n`).join(""));
    }
    const client = await connectStdio(home, {}, ["--toolsets", "all", "--vault", "store:garden"], { env: env! });
    const call = async (name: string, sent: object) => {
      const { isError, structuredContent } = await client.callTool({ name, arguments: { ...sent } });
      expect({ isError, structuredContent }).toMatchObject({ isError: undefined });
    };
    await call("contentManager_createContent", { filePath: "Beds.md", content: "Beetroot, see [[Tools]].", context });
    await call("contentManager_appendContent", { filePath: "Beds.md", content: "Chard.", context });
    await call("create_document", { path: "Plan.md" });
    await call("add_row", { topic: "Sow" });
    await call("search", { query: "beetroot" });
    await client.close();
    for (const push of [run, asBob]) {
      await push(
        "call",
        "memoryManager_createSession",
        JSON.stringify({ context, name: "Beds" }),
        "--vault",
        "store:garden",
      );
      await push("push", "--project", "shop", "--vault", "store:garden");
    }
    const [row] = await database.superuser`SELECT id FROM commonplace.space WHERE name = 'garden'`;
    space = Number(row!["id"]);
    const columns = await database.superuser`
      SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relnamespace = 'commonplace'::regnamespace AND relkind IN ('r', 'p') AND attname = 'space' ORDER BY relname`;
    tables = columns.map((column) => String(column["relname"]));
  });

  it("has rows in every kind of table, as the other tests of this file need them", async () => {
    expect(await filled()).toEqual(
      expect.arrayContaining([
        "conversation",
        "conversation_page",
        "conversation_feed",
        "conversation_whole",
        "file",
        "file_change",
        "file_state",
        "membership",
        "memory_event",
        "space_state",
      ]),
    );
  });

  it("keeps its files when one of several members leaves, who takes back what they pushed", async () => {
    expect((await asBob("store", "leave")).stdout).toContain("--yes");
    const { stdout } = await asBob("store", "leave", "--yes", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ left: "garden", deleted: { conversations: 1 } });
    const [left] = await database.superuser`
      SELECT (SELECT array_agg(key) FROM commonplace.conversation) AS conversations,
        (SELECT count(*)::int FROM commonplace.membership WHERE space = ${space}) AS members,
        (SELECT array_agg(path ORDER BY path) FROM commonplace.file WHERE NOT starts_with(key, '.')) AS files`;
    expect(left).toEqual({ conversations: ["of-the-owner"], members: 1, files: ["Beds.md", "Plan.md"] });
  });

  it("is deleted with everything in it by its last member, who is asked first, and no table has a row of it", async () => {
    const asked = await run("store", "leave");
    expect(asked.stdout).toContain("--yes");
    const before = await filled();
    expect(before).toContain("file_change");
    const { stdout } = await run("store", "leave", "--yes", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ left: "garden", deleted: { conversations: 1, files: 2 } });
    expect(await filled()).toEqual([]);
    expect(await database.superuser`SELECT name FROM commonplace.space`).toEqual([]);
    expect((await run("history", "--vault", "store:garden")).stderr).toContain("no access to the space garden");
  });
});

const context = Object.fromEntries(
  ["sessionId", "workspaceId", "sessionDescription", "sessionMemory", "toolContext", "primaryGoal", "subgoal"].map(
    (name) => [name, "x"],
  ),
);
