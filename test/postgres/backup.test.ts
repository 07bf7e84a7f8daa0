// A store is backed up and restored on another server with PostgreSQL's own programs,
// as docs/guide/shared.md says.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { listSpaces, memberOfToken } from "../../src/shared/shared.ts";
import { SERVER_ROLE } from "../../src/shared/schema/roles.ts";
import { connectStdio, runProgram, temporaryFolder } from "../processes/program.ts";
import { atTheEnd } from "../temporary-folder.ts";
import { startCluster, SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

const context = Object.fromEntries(
  ["sessionId", "workspaceId", "sessionDescription", "sessionMemory", "toolContext", "primaryGoal", "subgoal"].map(
    (name) => [name, "x"],
  ),
);

describe.runIf(HAS_POSTGRESQL)("a backup of a store", () => {
  it("brings back everything on another server, with the same access, and programs go on with it", async () => {
    const before = await newDatabase();
    const [alice, server] = [await before.newLogin("alice"), await before.newLogin("server")];
    const on = (database: TestDatabase, login = SUPERUSER) => ({ COMMONPLACE_STORE: database.address(login) });
    const home = temporaryFolder();
    const run = (...args: string[]) => runProgram(args, { home, env: on(before) });
    const notes = join(home, "Notes");
    mkdirSync(notes);
    writeFileSync(join(notes, "Pears.md"), "# Pears\n\nSee [[Quinces]].\n");
    const sessions = join(home, ".claude", "projects", "-code-shop");
    mkdirSync(sessions, { recursive: true });
    const question = { role: "user", content: "Where are the persimmons?" };
    const record = { type: "user", sessionId: "kept", cwd: "/code/shop", uuid: "1", message: question };
    writeFileSync(
      join(sessions, "kept.jsonl"),
      `${JSON.stringify({ ...record, timestamp: new Date().toISOString() })}\n`,
    );
    await run("store", "init", "--space", "team");
    await run("store", "add", "alice", "--login", alice);
    await before.superuser.script(`GRANT ${SERVER_ROLE} TO ${server}`);
    await run("store", "import", notes);
    const vault = ["--vault", "store:team"];
    const appended = { filePath: "Pears.md", content: "Medlars.", context };
    await run("call", "contentManager_appendContent", JSON.stringify(appended), ...vault);
    await run("call", "search", JSON.stringify({ query: "medlars" }), ...vault);
    await run("call", "memoryManager_createSession", JSON.stringify({ context, name: "Orchard" }), ...vault);
    await run("push", "--project", "shop", ...vault);
    const { token } = JSON.parse((await run("store", "token", "create", "laptop", "--json")).stdout);

    const folder = temporaryFolder();
    const [dump, roles] = [join(folder, "store.dump"), join(folder, "roles.sql")];
    const cluster = await startCluster(inject("postgresql")!.programs);
    atTheEnd(cluster.remove);
    const after = await newDatabase(cluster);
    const env = { ...process.env, PGPASSWORD: cluster.password };
    const program = (name: string, { cluster: { port } }: TestDatabase, ...args: string[]) =>
      execFileSync(join(cluster.programs, name), ["-h", "127.0.0.1", "-p", String(port), "-U", SUPERUSER, ...args], {
        env,
        stdio: ["ignore", "pipe", "ignore"],
      });
    program("pg_dump", before, "-Fc", "-n", "commonplace", "-d", before.name, "-f", dump);
    writeFileSync(roles, program("pg_dumpall", before, "--roles-only"));
    program("psql", after, "-d", after.name, "-f", roles);
    program("pg_restore", after, "--exit-on-error", "-d", after.name, dump);

    const counts = async ({ superuser }: TestDatabase) => {
      const tables = await superuser`
        SELECT relname FROM pg_class WHERE relnamespace = 'commonplace'::regnamespace AND relkind = 'r' ORDER BY relname`;
      const counted: Record<string, unknown> = {};
      for (const { relname } of tables)
        counted[String(relname)] = (await superuser.run(`SELECT 1 FROM commonplace.${String(relname)}`, [])).length;
      return counted;
    };
    const restored = await counts(after);
    expect(restored).toEqual(await counts(before));
    expect(restored).toMatchObject({ conversation: 1, personal_token: 1, file_change: 2 });

    // A program with another home, as alice, on the restored store.
    const client = await connectStdio(temporaryFolder(), {}, ["--toolsets", "all", ...vault], {
      env: on(after, alice),
    });
    const call = async (name: string, sent: object) =>
      JSON.stringify((await client.callTool({ name, arguments: { ...sent } })).structuredContent);
    expect(await call("search", { query: "medlars" })).toContain("Pears.md");
    expect(await call("history", {})).toContain("Appended to Pears.md");
    expect(await call("memoryManager_listSessions", { context })).toContain("Orchard");
    expect(await call("recall_conversations", { search_query: "persimmons", project: "all" })).toContain("kept");
    const [entry] = JSON.parse(await call("history", {})).entries;
    expect(await call("undo", { id: entry.id })).toContain("Undid");
    expect(await call("contentManager_readContent", { filePath: "Pears.md" })).not.toContain("Medlars");
    expect(await call("contentManager_appendContent", { ...appended, content: "Sloes." })).toContain('"success":true');
    expect(await call("search", { query: "sloes" })).toContain("Pears.md");
    expect(await memberOfToken(after.open(server), token)).toMatchObject({ member: SUPERUSER });
    expect((await before.superuser`SELECT 1 FROM commonplace.file_change`).length).toBe(2);

    const stranger = await after.newLogin("stranger");
    await expect(listSpaces(after.open(stranger))).rejects.toThrow("has no access to this store");
    const open = await after.superuser`
      SELECT relname FROM pg_class WHERE relnamespace = 'commonplace'::regnamespace AND relkind = 'r'
        AND NOT (relrowsecurity AND relforcerowsecurity)`;
    expect(open).toEqual([]);
  });
});
