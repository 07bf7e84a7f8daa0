// The commands store, push and doctor, and the memory tools, of the packed program
// with a shared store.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { NODE } from "../processes/child.ts";
import { collect, connectStdio, environmentIn, ERAS, runProgram, temporaryFolder } from "../processes/program.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

const CONTEXT = {
  sessionId: "s1",
  workspaceId: "default",
  sessionDescription: "A test",
  sessionMemory: "",
  toolContext: "For a test",
  primaryGoal: "A goal",
  subgoal: "",
};

describe.runIf(HAS_POSTGRESQL)("the program with a shared store", () => {
  let database: TestDatabase;
  let [alice, bob] = ["", ""];

  beforeAll(async () => {
    database = await newDatabase();
    alice = await database.newLogin("alice");
    bob = await database.newLogin("bob");
  });

  /** A machine of one person, whose variable names the store. */
  const machineOf = (login: string, store = database.address(login)) => {
    const home = temporaryFolder();
    const env = { COMMONPLACE_STORE: store };
    return {
      home,
      env,
      run: async (...args: string[]) => {
        const ended = await runProgram(args, { home, env });
        // Whatever happens, nothing that is printed has the password.
        expect(ended.stdout + ended.stderr).not.toContain(decodeURIComponent(new URL(store).password));
        expect(ended.stdout + ended.stderr).not.toContain(new URL(store).password);
        return ended;
      },
      json: async (...args: string[]) => JSON.parse((await runProgram([...args, "--json"], { home, env })).stdout),
      call: async (tool: string, sent: object) => {
        const ended = await runProgram(["call", tool, JSON.stringify(sent)], { home, env });
        return JSON.parse(ended.stdout);
      },
    };
  };

  it("sets up a store, lets people in and out, and says who they are", async () => {
    const admin = machineOf(SUPERUSER);
    expect((await admin.run("store", "status")).stderr).toContain("There is no store in");
    for (const name of ["..", ".", "a/b", "a\\b", " team", "x".repeat(61), "te\u202eam"]) {
      const { code, stderr } = await admin.run("store", "init", "--space", name);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("cannot be the name of a space") });
    }
    expect((await admin.run("store", "status")).stderr).toContain("There is no store in");
    const made = await admin.run("store", "init", "--space", "team");
    expect(made.stdout).toContain("Created the store in");
    expect(made.stderr).toBe("");
    expect(made.stdout).toContain("team (owner): postgres (owner)");
    expect((await admin.run("store", "init")).code).toBe(0);
    expect((await admin.run("store", "migrate")).stdout).toContain("already");
    expect((await machineOf(alice).run("store")).stderr).toContain("has no access to this store");
    expect((await admin.run("store", "add", "carol", "--login", "no_such_login")).stderr).toContain(
      "no login no_such_login",
    );
    expect((await admin.run("store", "add", "alice", "--login", alice, "--role", "king")).stderr).toContain(
      "--role must be",
    );
    expect((await admin.run("store", "add", "", "--without-login")).stderr).toContain("cannot be the name of a member");
    expect((await admin.run("store", "add", "carol", "--space", "")).stderr).toContain("--space names no space.");
    await admin.run("store", "add", "alice", "--login", alice);
    await admin.run("store", "add", "bob", "--login", bob, "--role", "reader");
    expect(await machineOf(bob).json("store")).toMatchObject({
      member: "bob",
      spaces: [{ name: "team", role: "reader", members: [{ name: "alice" }, { name: "bob" }, { name: "postgres" }] }],
    });
    expect((await machineOf(bob).run("push", "memory")).stderr).toContain("not add anything");
    expect((await machineOf(bob).run("store", "remove", "alice")).stderr).toContain(
      "Only an owner of team may end the access of others.",
    );
    expect((await admin.run("store", "remove", "bob")).stdout).toContain("--yes");
    await admin.run("store", "remove", "bob", "--yes");
    expect(await machineOf(bob).json("store")).toMatchObject({ member: "bob", spaces: [] });
  });

  it("brings the memory of one machine to another, and takes it back", async () => {
    const [one, two] = [machineOf(alice), machineOf(SUPERUSER)];
    await one.call("memoryManager_createSession", { context: CONTEXT, name: "Orchids", sessionGoal: "Water them" });
    expect((await one.run("push", "everything")).stderr).toContain("Say what to push");
    const other = temporaryFolder();
    expect((await one.run("push", "memory", "--vault", `Other=${other}`)).stdout).toContain(
      `There is no memory of Other (${other}) on this machine. 1 other vault has some.`,
    );
    const pushed = await one.json("push", "memory");
    expect(pushed).toMatchObject({ space: "team", vaults: [{ vault: "vault", hidden: 0 }] });
    expect(pushed.vaults[0].added).toBe(pushed.vaults[0].total);
    expect((await one.run("push", "memory")).stdout).toMatch(/^vault to team: \d+ events, 0 new/);
    const client = await connectStdio(two.home, ERAS["2026-07-28"], ["--toolsets", "all"], { env: two.env });
    const list = async () => {
      const { structuredContent } = await client.callTool({
        name: "memoryManager_listSessions",
        arguments: { context: CONTEXT },
      });
      return JSON.stringify(structuredContent);
    };
    expect(await list()).toContain("Orchids");
    expect((await one.run("store", "unshare")).stdout).toContain("--yes");
    expect(await list()).toContain("Orchids");
    expect(await one.json("store", "unshare", "--yes")).toEqual({
      space: "team",
      deleted: { events: pushed.vaults[0].total, conversations: 0 },
    });
    expect(await list()).not.toContain("Orchids");
    expect((await one.json("push", "memory")).vaults[0].added).toBeGreaterThanOrEqual(pushed.vaults[0].total);
    expect((await one.run("store", "leave")).stdout).toContain("--yes");
    expect(await list()).toContain("Orchids");
    expect(await one.json("store", "leave", "--yes")).toMatchObject({ left: "team", deleted: { conversations: 0 } });
    expect(await list()).not.toContain("Orchids");
    // What is on the machine itself stays there.
    expect(JSON.stringify(await one.call("memoryManager_listSessions", { context: CONTEXT }))).toContain("Orchids");
  });

  it("shares the conversations of the projects that are named, until they are unshared", async () => {
    const [one, two] = [machineOf(alice), machineOf(SUPERUSER)];
    await two.run("store", "add", "alice");
    const session = (home: string, id: string, cwd: string, question: string) => {
      const folder = join(home, ".claude", "projects", cwd.replaceAll("/", "-"));
      mkdirSync(folder, { recursive: true });
      const record = { type: "user", sessionId: id, cwd, uuid: `${id}-1`, timestamp: new Date().toISOString() };
      writeFileSync(
        join(folder, `${id}.jsonl`),
        `${JSON.stringify({ ...record, message: { role: "user", content: question } })}\n`,
      );
    };
    session(one.home, "shared-one", "/code/shop", "Where do the manatees swim?");
    session(one.home, "private-one", "/code/diary", "My manatees");
    expect((await one.run("push", "conversations")).stdout).toContain("name projects with");
    expect((await one.run("push", "conversations", "--project", "shpo")).stderr).toContain("Similar names: shop.");
    const preview = await one.run("push", "conversations", "--project", "shop", "--preview");
    expect(preview.stdout).toMatch(/^shop: 1 conversation\nConversations to team: 1 new, 0 changed, 0 as before, in/);
    expect(preview.stdout).toMatch(
      /New and changed: 1 message, \d+ bytes, 0 secrets left out\nThis is a preview: nothing/,
    );
    expect((await one.run("push", "conversations")).stdout).toContain("name projects with");
    expect((await one.run("push", "--preview", "--install")).stderr).toContain("exclude each other");
    expect(await one.json("push", "conversations", "--project", "shop")).toMatchObject({
      space: "team",
      conversations: { added: 1, projects: [{ name: "shop", conversations: 1 }] },
    });
    const found = async () => {
      const { conversations } = await two.call("recall_conversations", { search_query: "manatees", project: "all" });
      return conversations.map(({ id, shared_by, space }: Record<string, unknown>) => ({ id, shared_by, space }));
    };
    expect(await found()).toEqual([{ id: "shared-one", shared_by: "alice", space: "team" }]);
    expect((await two.run("read", "shared-one")).stdout).toContain("Where do the manatees swim?");
    expect((await two.run("search", "manatees")).stdout).toContain("shared by alice in team");
    // What was named stays named; memory goes along.
    session(one.home, "shared-two", "/code/shop", "And the manatees' calves?");
    const both = await one.run("push");
    expect(both.stdout).toMatch(/^vault to team: /);
    expect(both.stdout).toContain("Conversations to team: 1 new, 0 changed, 1 as before");
    expect(await found()).toHaveLength(2);
    // One alone: later pushes leave it out, until its project is named again.
    const asked = await one.run("store", "unshare", "--conversation", "shared-two");
    expect(asked.stdout).toContain("--yes");
    expect(await found()).toHaveLength(2);
    expect(await one.json("store", "unshare", "--conversation", "claude-code/shared-two", "--yes")).toEqual({
      space: "team",
      conversation: "shared-two",
      deleted: { events: 0, conversations: 1 },
    });
    // Another machine of alice, which shares the project, too.
    const third = machineOf(alice);
    session(third.home, "shared-two", "/code/shop", "And the manatees' calves?");
    session(third.home, "shared-three", "/code/shop", "How old do manatees get?");
    expect((await one.run("push", "conversations")).stdout).toContain(
      "0 new, 0 changed, 1 as before, 1 unshared, and left out until their project is named again",
    );
    expect(await found()).toHaveLength(1);
    expect(await one.json("push", "conversations", "--project", "shop")).toMatchObject({ conversations: { added: 1 } });
    expect(await found()).toHaveLength(2);
    expect(await third.json("push", "conversations", "--project", "shop")).toMatchObject({
      conversations: { added: 1, unshared: 0 },
    });
    expect((await one.run("store", "unshare", "--project", "shop")).stdout).toContain("--yes");
    expect((await one.run("store", "unshare", "--project", "shpo", "--yes")).stderr).toContain(
      "You share no conversations of a project called shpo with team.",
    );
    expect(await one.json("store", "unshare", "--project", "shop", "--yes")).toEqual({
      space: "team",
      deleted: { events: 0, conversations: 3 },
    });
    expect(await found()).toEqual([]);
    // No machine goes on with it, not with new conversations either, until it is named again.
    session(third.home, "shared-four", "/code/shop", "Do manatees dream?");
    expect((await third.run("push", "conversations")).stdout).toBe(
      "shop: unshared. 'commonplace push conversations --project shop' shares it again.\n",
    );
    expect(await found()).toEqual([]);
    expect(await third.json("push", "conversations", "--project", "shop")).toMatchObject({
      conversations: { added: 3, unsharedProjects: [] },
    });
    expect(await one.json("store", "unshare", "--yes")).toMatchObject({ deleted: { conversations: 3 } });
    expect(await third.json("push", "conversations")).toMatchObject({ conversations: { unsharedProjects: ["shop"] } });
    expect((await one.run("push", "conversations")).stdout).toContain("name projects with");
    const gone = database.address(SUPERUSER).replace(String(database.cluster.port), "1");
    const { sources } = await machineOf(SUPERUSER, gone).call("recall_conversations", {});
    expect(sources.shared_store).toMatchObject({ note: expect.stringContaining("cannot be reached") });
  });

  it("is reported by doctor, with what to do if it cannot be used", async () => {
    const found = async (login: string, store?: string) => {
      const report = await machineOf(login, store).json("doctor");
      return report.findings.find(({ part }: { readonly part: string }) => part === "store");
    };
    expect(await found(SUPERUSER)).toMatchObject({ state: "ok", note: expect.stringContaining("team (owner)") });
    expect(await found(bob)).toMatchObject({ state: "problem", hint: expect.stringContaining("store add") });
    const wrong = database.address(SUPERUSER, "wrong-password-here");
    expect(await found(SUPERUSER, wrong)).toMatchObject({
      state: "problem",
      note: expect.stringContaining("refused the login"),
    });
    expect((await machineOf(SUPERUSER, wrong).run("doctor")).stdout).toContain("refused the login");
    const gone = wrong.replace(String(database.cluster.port), "1");
    expect(await found(SUPERUSER, gone)).toMatchObject({
      state: "problem",
      note: expect.stringContaining("cannot be reached"),
    });
  });

  it("is connected without its password, and says so, and where memory is", async () => {
    const { run } = machineOf(SUPERUSER);
    const connected = await run("connect", "claude-code", "--vault", "store:team", "--yes");
    expect(connected.stdout).toContain("The password of the shared store is left out of the entry");
    expect(connected.stdout).toContain("'commonplace push memory' shares it with the space.");
    expect(connected.stdout).not.toContain("--memory vault");
    const { stdout } = await run("doctor", "--vault", "store:team", "--memory", "vault");
    expect(stdout).toMatch(/memory .*in the data folder/);
  });

  it("says that no store is named", async () => {
    const home = temporaryFolder();
    for (const args of [
      ["store", "status"],
      ["push", "memory"],
    ]) {
      const { code, stderr } = await runProgram(args, { home });
      expect(stderr).toContain("No shared store is named. Set COMMONPLACE_STORE");
      expect(code).toBe(2);
    }
  });

  it("loads nothing for a store that is not named", async () => {
    const copy = join(temporaryFolder(), "package");
    cpSync(inject("packageFolder"), copy, { recursive: true });
    writeFileSync(join(copy, "dist", "postgres-client.cjs"), "throw new Error('the client was loaded');");
    const call = (env: Record<string, string>) => {
      const home = temporaryFolder();
      const args = ["call", "memoryManager_listSessions", JSON.stringify({ context: CONTEXT })];
      return collect(
        spawn(NODE, [join(copy, "bin", "commonplace.js"), ...args], {
          cwd: home,
          env: { ...environmentIn(home), ...env },
        }),
      );
    };
    expect(await call({})).toMatchObject({ code: 0, stdout: expect.stringContaining('"success":true') });
    const named = await call({ COMMONPLACE_STORE: database.address(SUPERUSER) });
    expect(named.code).toBe(1);
  });
});
