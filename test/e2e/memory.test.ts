// Memory through the packed program, as hosts use it: several servers, a
// restart, another device, resources and prompts, settings, what goes wrong.
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectStdio, ERAS, runProgram, temporaryFolder } from "../processes/program.ts";
import { filesIn, vaultFolder } from "../fixtures/vaults.ts";

type Answer = Record<string, unknown> & { readonly isError: boolean; readonly data: Record<string, unknown> };

interface Server {
  readonly client: Client;
  readonly call: (name: string, sent?: object, context?: object) => Promise<Answer>;
}

async function open(vault: string, home = temporaryFolder(), ...more: string[]): Promise<Server> {
  const args = ["--vault", vault, "--home", home, "--toolsets", "all", ...more];
  const client = await connectStdio(home, ERAS["2025-11-25 and before"], args);
  return {
    client,
    call: async (name, sent = {}, context = {}) => {
      const result = await client.callTool({ name, arguments: { ...sent, context: { ...CONTEXT, ...context } } });
      return { isError: result.isError === true, ...(result.structuredContent as object) } as Answer;
    },
  };
}

const openInVault = (vault: string, home = temporaryFolder()) => open(vault, home, "--memory", "vault");

const logOf = (vault: string) => join(vault, ".commonplace", "memory");
const linesOf = (folder: string) =>
  readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").trimEnd().split("\n"));

const read = "contentManager_readContent";
const append = "contentManager_appendContent";
const loadSession = "memoryManager_loadSession";
const search = "vaultLibrarian_searchMemory";
const STATE = {
  name: "Before lunch",
  conversationContext: "We were writing",
  activeTask: "The plan",
  activeFiles: ["Plan"],
  nextSteps: ["Write the end"],
  reasoning: "Hunger",
};

describe("an assistant that returns", () => {
  it("after a restart gets what was done, for whom and why", async () => {
    const vault = vaultFolder({ "Plan.md": "# Plan" });
    const home = temporaryFolder();
    const first = await open(vault, home);
    const { sessionId } = (await first.call("memoryManager_createSession", { name: "The plan", sessionGoal: "A plan" }))
      .data;
    await first.call(
      append,
      { filePath: "Plan", content: "Step" },
      { sessionId, toolContext: "The user asked for steps" },
    );
    await first.call(read, { filePath: "Nowhere" }, { sessionId });
    await first.call("memoryManager_createState", STATE, { sessionId });
    await first.client.close();

    const second = await open(vault, home);
    const { data } = await second.call(loadSession, { targetSessionId: sessionId });
    expect(data).toMatchObject({
      session: { name: "The plan", goal: "A plan" },
      filesTouched: ["Plan.md"],
      openEnds: ["Write the end", expect.stringContaining("Nowhere")],
      states: [{ name: "Before lunch" }],
    });
    expect(data["done"]).toContainEqual(
      expect.objectContaining({ tool: append, paths: ["Plan.md"], why: "The user asked for steps" }),
    );
    writeFileSync(join(vault, "Plan.md"), "changed outside");
    expect((await second.call("memoryManager_loadState", { stateId: "before lunch" })).data).toMatchObject({
      changedFiles: ["Plan.md"],
      sessionId,
    });
  });

  it("on another device finds the same, also in copies that a sync program made", async () => {
    const vault = vaultFolder({ "Plan.md": "" });
    const [one, two] = [await openInVault(vault), await openInVault(vault)];
    await one.call("memoryManager_createSession", { name: "Made on one" });
    expect((await two.call(search, { query: "made on one", memoryTypes: ["sessions"] }))["results"]).toMatchObject([
      { title: "Made on one" },
    ]);
    const { sessionId } = (await two.call("memoryManager_createSession", { name: "Made on two" })).data;
    const files = readdirSync(logOf(vault));
    expect(files).toHaveLength(2);
    const theirs = files.find((file) => readFileSync(join(logOf(vault), file), "utf8").includes("Made on two"))!;
    renameSync(join(logOf(vault), theirs), join(logOf(vault), theirs.replace(".jsonl", " (conflicted copy).jsonl")));
    expect((await one.call(loadSession, { targetSessionId: sessionId })).data).toMatchObject({
      session: { name: "Made on two" },
    });
  });

  it("finds the past of the original, and goes on with it, without a change to its files", async () => {
    const workspace = {
      id: "ws_old",
      name: "Old work",
      rootFolder: "Old",
      created: 1_700_000_000_000,
      context: {
        purpose: "The past",
        currentGoal: "To be found",
        workflows: [],
        keyFiles: ["Old/Key.md"],
        preferences: "",
      },
      sessions: {
        session_old: {
          id: "session_old",
          name: "Old session",
          startTime: 1_700_000_000_000,
          isActive: true,
          memoryTraces: { t: { id: "t", timestamp: 1_700_000_001_000, type: "tool", content: "Wrote about rhubarb" } },
          states: {
            state_old: {
              id: "state_old",
              name: "Old state",
              created: 1_700_000_002_000,
              state: { context: { activeTask: "Rhubarb", activeFiles: ["Old/Key.md"], nextSteps: ["Cook it"] } },
            },
          },
        },
      },
    };
    const nexus = [
      {
        id: "1",
        type: "session_created",
        timestamp: 1_750_000_000_000,
        workspaceId: "ws_new",
        data: { id: "session_nexus", name: "Nexus session", startTime: 1_750_000_000_000 },
      },
      {
        id: "2",
        type: "state_saved",
        timestamp: 1_750_000_000_001,
        workspaceId: "ws_new",
        sessionId: "session_nexus",
        data: { id: "state_nexus", name: "Nexus state", created: 1_750_000_000_001, stateJson: "{}" },
      },
    ];
    const files = {
      ".workspaces/ws_old.json": JSON.stringify(workspace),
      ".nexus/workspaces/ws_new.jsonl": `${nexus.map((event) => JSON.stringify(event)).join("\n")}\n`,
      "Old/Key.md": "key",
    };
    const vault = vaultFolder(files);
    const { call } = await open(vault);
    expect((await call("memoryManager_loadWorkspace", { id: "Old work" })).data).toMatchObject({
      workspace: { id: "ws_old", purpose: "The past" },
      keyFiles: ["Old/Key.md"],
      sessions: [{ id: "session_old" }],
      states: [{ id: "state_old" }],
    });
    expect((await call("memoryManager_loadState", { stateId: "state_old" })).data).toMatchObject({
      state: { nextSteps: ["Cook it"], activeFiles: [{ path: "Old/Key.md", since: "unknown" }] },
    });
    expect((await call("memoryManager_loadState", { stateId: "state_nexus" })).data).toMatchObject({
      state: { sessionId: "session_nexus" },
    });
    expect((await call(search, { query: "rhubarb" }))["results"]).toHaveLength(2);
    const answer = await call(
      "contentManager_createContent",
      { filePath: "New.md", content: "" },
      { sessionId: "session_old", workspaceId: "ws_old" },
    );
    expect(answer["workspaceContext"]).toEqual({
      workspaceId: "ws_old",
      workspacePath: ["Old work"],
      activeWorkspace: true,
    });
    await call("memoryManager_updateSession", { targetSessionId: "session_nexus", name: "Renamed here" });
    expect((await call(loadSession, { targetSessionId: "session_nexus" })).data).toMatchObject({
      session: { name: "Renamed here" },
    });
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(vault, path), "utf8")).toBe(text);
  });
});

describe("a call without a context", () => {
  it("belongs to the session that its connection named or began last, never to that of another connection", async () => {
    const vault = vaultFolder({ "Note.md": "A note." });
    const home = temporaryFolder();
    const { client, call } = await open(vault, home);
    const without = async (name: string, sent: object) =>
      (await client.callTool({ name, arguments: { ...sent } })).structuredContent as Answer;
    const tracesOf = async (session: string) =>
      JSON.stringify((await call(loadSession, { targetSessionId: session }, { sessionId: "asking" })).data);
    await without(read, { filePath: "Note" });
    await call(append, { filePath: "Note", content: "More." }, { sessionId: "first" });
    await without(read, { filePath: "Note" });
    await without("vaultManager_deleteNote", { path: "Missing" });
    expect(await tracesOf("first")).toContain("contentManager_readContent");
    expect(await tracesOf("first")).toContain("vaultManager_deleteNote");
    const { data } = await call("memoryManager_createSession", { name: "Second" }, { sessionId: "first" });
    await without("vaultManager_listDirectory", { path: "" });
    expect(await tracesOf(String(data["sessionId"]))).toContain("vaultManager_listDirectory");
    const state = await without("memoryManager_createState", STATE);
    expect(state).toMatchObject({ success: true });
    const other = await open(vault, home);
    const alone = await other.client.callTool({ name: "memoryManager_createState", arguments: STATE });
    expect(alone.structuredContent).toMatchObject({
      data: { state: { sessionId: "default", workspaceId: "default" } },
    });
  });
});

describe("the stored memory", () => {
  it("cannot be reached by the tools of the vault, and is not in its history", async () => {
    const vault = vaultFolder({ "Plan.md": "a" });
    const { call } = await openInVault(vault);
    await call(append, { filePath: "Plan", content: "b" });
    await call("memoryManager_createSession", { name: "Zucchini" });
    const [file] = readdirSync(logOf(vault));
    expect(await call(read, { filePath: `.commonplace/memory/${file}` })).toMatchObject({
      error: "Cannot access system folder",
    });
    expect((await call("vaultManager_listDirectory", { path: "/", depth: 9 })).data).toMatchObject({
      entries: [{ path: "Plan.md" }],
    });
    expect(await call("vaultLibrarian_searchContent", { query: "zucchini" })).toMatchObject({ totalResults: 0 });
    await call("undo");
    expect(filesIn(vault)).toEqual({ "Plan.md": "a" });
    expect(await call("undo")).toMatchObject({ isError: true });
    expect(linesOf(logOf(vault)).length).toBeGreaterThan(4);
  });

  it("is in the data folder, and nowhere if memory is off or the server is read-only", async () => {
    const vault = vaultFolder({ "Plan.md": "a" });
    const home = temporaryFolder();
    const atHome = await open(vault, home);
    await atHome.call(read, { filePath: "Plan" });
    const [hash] = readdirSync(join(home, "data", "memory"));
    const kept = () => linesOf(join(home, "data", "memory", hash!));
    // The session is registered beside the answer.
    await atHome.call(loadSession, { targetSessionId: CONTEXT.sessionId });
    await atHome.client.close();
    const lines = kept();
    expect(lines.length).toBeGreaterThan(0);
    const off = await open(vault, home, "--memory", "off");
    expect(await off.call("contentManager_createContent", { filePath: "New.md", content: "" })).toMatchObject({
      workspaceContext: { workspaceId: CONTEXT.workspaceId },
    });
    expect((await off.client.listTools()).tools.map(({ name }) => name)).not.toContain(search);
    expect((await off.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["orient", "day", "decided"]);
    const readOnly = await open(vault, home, "--read-only");
    expect(await readOnly.call(read, { filePath: "Plan" })).not.toHaveProperty("memoryWarning");
    expect((await readOnly.call(loadSession, { targetSessionId: CONTEXT.sessionId })).data).toMatchObject({
      session: { id: CONTEXT.sessionId },
    });
    expect(existsSync(join(vault, ".commonplace"))).toBe(false);
    expect(kept()).toEqual(lines);
  });

  it("contains neither the content of a call nor a secret in it", async () => {
    const vault = vaultFolder();
    const { call, client } = await openInVault(vault);
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    await call(
      "contentManager_createContent",
      { filePath: "A", content: "The whole long content" },
      { toolContext: `curl -H "Authorization: Bearer ${token}"` },
    );
    await client.close();
    const log = linesOf(logOf(vault)).join("\n");
    expect(log).toContain("A.md");
    expect(log).not.toContain(token);
    expect(log).not.toContain("whole long content");
  });

  it("cannot be written if a file is in the way; the call says so and succeeds", async () => {
    const vault = vaultFolder({ "Plan.md": "a", ".commonplace": "a file" });
    const { call } = await openInVault(vault);
    expect(await call(append, { filePath: "Plan", content: "b" })).toMatchObject({
      success: true,
      memoryWarning: expect.stringContaining("This call left no trace in memory"),
    });
    expect(filesIn(vault)).toEqual({ "Plan.md": "a\nb" });
    expect(await call("memoryManager_createSession", { name: "x" })).toMatchObject({
      isError: true,
      error: expect.stringContaining("Memory could not be written"),
    });
  });

  it("is read from its files again if the cache is deleted while a server runs", async () => {
    const vault = vaultFolder();
    const home = temporaryFolder();
    const { call } = await open(vault, home);
    await call("memoryManager_createSession", { name: "Zucchini" });
    expect(await call(search, { query: "zucchini" })).toMatchObject({ totalResults: 2 });
    rmSync(join(home, "cache"), { recursive: true });
    expect((await call(search, { query: "zucchini", memoryTypes: ["sessions"] }))["results"]).toMatchObject([
      { title: "Zucchini" },
    ]);
  });
});

describe("several servers on one vault", () => {
  it("register a session once, lose no trace, and know each other's workspaces", async () => {
    const vault = vaultFolder({ "Plan.md": "a" });
    const home = temporaryFolder();
    const servers = await Promise.all([openInVault(vault, home), openInVault(vault, home), openInVault(vault, home)]);
    await servers[0].call(read, { filePath: "Plan" }, { sessionId: "shared" });
    await servers[0].call(loadSession);
    await Promise.all(
      servers.flatMap(({ call }) =>
        Array.from({ length: 20 }, () => call(read, { filePath: "Plan" }, { sessionId: "shared" })),
      ),
    );
    const { workspaceId } = (
      await servers[0].call("memoryManager_createWorkspace", {
        name: "Alpha",
        rootFolder: "Alpha",
        purpose: "",
        currentGoal: "",
      })
    ).data;
    expect((await servers[1].call(loadSession, { targetSessionId: "shared" })).data).toMatchObject({ calls: 61 });
    expect((await servers[2].call("memoryManager_loadWorkspace", { id: "alpha" })).data).toMatchObject({
      workspace: { id: workspaceId },
    });
    const events = linesOf(logOf(vault)).map((line) => JSON.parse(line) as { type: string; of?: string });
    expect(readdirSync(logOf(vault))).toHaveLength(1);
    expect(events.filter(({ type, of }) => type === "session" && of === "shared")).toHaveLength(1);
  });
});

describe("memory outside the tools:", () => {
  it("sessions and workspaces are resources, their names are completed, and a prompt continues them", async () => {
    const vault = vaultFolder({ "Plan.md": "a" });
    const { client, call } = await openInVault(vault);
    const empty = await client.getPrompt({ name: "continue" });
    expect(empty.messages[0]).toMatchObject({
      content: { text: expect.stringContaining("not worked together here before") },
    });
    const { workspaceId } = (
      await call("memoryManager_createWorkspace", {
        name: "Häuser & Co",
        rootFolder: "H",
        purpose: "Build",
        currentGoal: "",
      })
    ).data;
    const { sessionId } = (
      await call("memoryManager_createSession", { name: "First stone", sessionGoal: "Lay it" }, { workspaceId })
    ).data;
    await call(append, { filePath: "Plan", content: "b" }, { sessionId, workspaceId });
    const uris = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(uris).toEqual(expect.arrayContaining(["memory://sessions/{id}", "memory://workspaces/{id}"]));
    const complete = async (ref: object, name: string, value: string) =>
      (await client.complete({ ref: ref as { type: "ref/prompt"; name: string }, argument: { name, value } }))
        .completion.values;
    expect(await complete({ type: "ref/resource", uri: "memory://sessions/{id}" }, "id", "first")).toEqual([
      "First stone",
    ]);
    expect(await complete({ type: "ref/prompt", name: "continue" }, "session", "stone")).toEqual(["First stone"]);
    expect(await complete({ type: "ref/prompt", name: "continue" }, "workspace", "h")).toEqual(["Häuser & Co"]);
    const text = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string };
    expect((await text(`memory://sessions/${String(sessionId)}`)).text).toMatch(
      /# First stone[^]*Goal: Lay it[^]*Plan\.md/,
    );
    expect((await text(`memory://workspaces/${encodeURIComponent("häuser & co")}`)).text).toMatch(
      /Purpose: Build[^]*First stone/,
    );
    await expect(client.readResource({ uri: "memory://sessions/none" })).rejects.toThrow();
    for (const values of [{}, { session: "First stone" }, { workspace: "Häuser & Co" }]) {
      const { messages } = await client.getPrompt({ name: "continue", arguments: values });
      expect(messages[0]).toMatchObject({
        content: { text: expect.stringMatching(/First stone[^]*where we left off/) },
      });
    }
    await expect(client.getPrompt({ name: "continue", arguments: { session: "none" } })).rejects.toMatchObject({
      code: -32602,
    });
    // What a person reads is not part of a session.
    expect(linesOf(logOf(vault)).filter((line) => line.includes("loadSession"))).toEqual([]);
  });

  it("the default list has one memory tool, and still the resources and the prompt to continue", async () => {
    const home = temporaryFolder();
    const client = await connectStdio(home, ERAS["2026-07-28"], ["--vault", vaultFolder(), "--home", home]);
    const names = (await client.listTools()).tools.map(({ name }) => name).filter((name) => /memory/i.test(name));
    expect(names).toEqual(["memoryManager_createSession"]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain("continue");
    expect((await client.readResource({ uri: "memory://workspaces/default" })).contents[0]).toMatchObject({
      text: expect.stringContaining("# default"),
    });
  });

  it("doctor says where memory is, and what is wrong with it", async () => {
    const vault = vaultFolder({ "Plan.md": "a", ".nexus/x": "" });
    const home = temporaryFolder();
    const doctor = async (...more: string[]) => {
      const { stdout } = await runProgram(["doctor", "--json", "--vault", vault, "--home", home, ...more], { home });
      return JSON.parse(stdout).findings.find(({ part }: { part: string }) => part === "memory");
    };
    expect(await doctor()).toMatchObject({
      state: "missing",
      path: logOf(vault),
      note: "in the vault: created by the first call, reads .nexus too",
    });
    const { call, client } = await open(vault, home);
    await call(read, { filePath: "Plan" });
    await client.close();
    expect(await doctor()).toMatchObject({
      state: "ok",
      note: expect.stringMatching(/^in the vault: 1 file of 1 device, 0\.0 MB, reads \.nexus too$/),
    });
    expect(await doctor("--memory", "home")).toMatchObject({
      state: "missing",
      path: expect.stringContaining(join(home, "data", "memory")),
      note: `in the data folder: created by the first call, the next call moves 1 file here from ${logOf(vault)}, reads .nexus too`,
    });
    expect(await doctor("--memory", "off")).toMatchObject({ state: "ok", note: expect.stringContaining("off") });
    if (process.getuid?.() === 0) return;
    chmodSync(logOf(vault), 0o500);
    expect(await doctor()).toMatchObject({ state: "problem" });
  });
});
