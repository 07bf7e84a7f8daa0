// Sessions, states and workspaces in memory, and the search of them.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callIn, newMemory } from "../../test/fixtures/memories.ts";
import { estimateTokens } from "../kernel/text/tokens.ts";
import { searchMemory } from "./search.ts";
import { continueSession, createSession, listSessions, loadSession, openEnds, updateSession } from "./sessions.ts";
import { createState, loadState, updateState } from "./states.ts";
import { createWorkspace, loadWorkspace, updateWorkspace } from "./workspaces.ts";

const AUTHOR = { tool: "test" };
const STATE = {
  conversationContext: "c",
  activeTask: "t",
  reasoning: "r",
  nextSteps: ["Finish the letter"],
  session: "s",
  workspace: "default",
};
const WORKSPACE = { rootFolder: "Work", purpose: "p", currentGoal: "g" };

describe("a session", () => {
  it("is loaded with its goal, past calls, files and open ends", async () => {
    const memory = newMemory();
    const open = memory.open();
    const { sessionId } = await createSession(open, { name: "Letters", goal: "Ten of them", workspace: "default" });
    open.leaveTrace(callIn(sessionId, { tool: "a", paths: ["One.md"], error: "File not found: One.md" }));
    open.leaveTrace(callIn(sessionId, { tool: "a", paths: ["Two.md"], error: "no" }));
    open.leaveTrace(callIn(sessionId, { tool: "a", paths: ["Two.md"], subgoal: "The second" }));
    const state = await createState(open, { ...STATE, name: "Half", session: sessionId, activeFiles: [] });
    const briefing = await loadSession(open, "letters");
    expect(briefing).toMatchObject({
      session: { id: sessionId, name: "Letters", goal: "Ten of them", isActive: true },
      done: [{ paths: ["Two.md"] }, { error: "no" }, { error: "File not found: One.md" }],
      calls: 3,
      filesTouched: ["Two.md"],
      openEnds: ["Finish the letter", "Failed: a on One.md (File not found: One.md)"],
      states: [{ id: state.id, name: "Half" }],
    });
  });

  it("is found by its name, also if a call used the name as an id", async () => {
    const open = newMemory().open();
    const work = await createWorkspace(open, AUTHOR, { ...WORKSPACE, name: "Garden", rootFolder: "G" });
    const { sessionId } = await createSession(open, { name: "Beds", workspace: work.id });
    open.leaveTrace(callIn("Beds", { workspace: "Garden", paths: ["G/Bed.md", "G"] }));
    expect((await loadSession(open, "beds")).session.id).toBe(sessionId);
    expect((await loadWorkspace(open, "Garden", 2000)).workspace.id).toBe(work.id);
    expect((await listSessions(open, { limit: 5, workspace: "garden" })).sessions).toMatchObject([{ id: sessionId }]);
    const untitled = await loadWorkspace(open, "default", 2000);
    expect(untitled.recentFiles).toEqual([]);
  });

  it("can be continued by another, changed and tagged", async () => {
    const open = newMemory().open();
    const { sessionId } = await createSession(open, { name: "Letters", goal: "Ten", workspace: "w" });
    const changed = await updateSession(open, sessionId, { goal: "Twenty", isActive: false, addTags: ["a", "b"] });
    expect(changed).toMatchObject({ goal: "Twenty", isActive: false, tags: ["a", "b"] });
    const next = await continueSession(open, changed);
    expect(await loadSession(open, next.sessionId)).toMatchObject({
      session: { name: "Letters (continued)", goal: "Twenty", workspaceId: "w", continues: sessionId },
    });
    await updateSession(open, sessionId, { removeTags: ["a"] });
    const tagged = await listSessions(open, { limit: 5, tags: ["b"] });
    expect(tagged).toMatchObject({ sessions: [{ id: sessionId, tags: ["b"] }], total: 1 });
    await expect(updateSession(open, sessionId, {})).rejects.toThrow("Say what to change");
    open.leaveTrace(callIn("unnamed", { description: "", goal: "" }));
    for (const name of ["none", "null", "undefined"])
      await expect(loadSession(open, name)).rejects.toThrow(`Session not found: ${name}`);
  });

  it("has no open end if what failed succeeded later", () => {
    const trace = { type: "trace" as const, at: 1, session: "s", workspace: "w", tool: "t", id: "x" };
    expect(
      openEnds(
        [
          { ...trace, paths: ["a"] },
          { ...trace, paths: ["a"], error: "no" },
        ],
        undefined,
      ),
    ).toEqual([]);
  });

  it("that another device changed with a fast clock can still be changed now", async () => {
    const memory = newMemory();
    const ahead = JSON.stringify({
      v: 1,
      id: "x",
      at: Date.now() + 1e9,
      type: "session",
      of: "s",
      set: { name: "Ahead" },
    });
    memory.write("bbbbbbbb-2026-01.jsonl", [ahead]);
    const open = memory.open();
    await updateSession(open, "s", { name: "Now" });
    expect((await loadSession(open, "s")).session.name).toBe("Now");
  });
});

describe("a state", () => {
  it("reports which of its files have changed since", async () => {
    const memory = newMemory();
    for (const name of ["same.md", "changed.md", "gone.md"]) writeFileSync(join(memory.vaultFolder, name), name);
    const open = memory.open();
    const { id } = await createState(open, {
      ...STATE,
      name: "S",
      activeFiles: ["same.md", "changed.md", "gone.md", "new.md"],
      tags: ["x"],
    });
    writeFileSync(join(memory.vaultFolder, "changed.md"), "other");
    writeFileSync(join(memory.vaultFolder, "new.md"), "made since");
    rmSync(join(memory.vaultFolder, "gone.md"));
    expect(await loadState(open, id)).toMatchObject({
      name: "S",
      tags: ["x"],
      sessionId: "s",
      nextSteps: ["Finish the letter"],
      activeFiles: [
        { path: "same.md", since: "unchanged" },
        { path: "changed.md", since: "changed" },
        { path: "gone.md", since: "missing" },
        { path: "new.md", since: "changed" },
      ],
    });
    expect(await updateState(open, id, { name: "T", addTags: ["y"] })).toMatchObject({ name: "T", tags: ["x", "y"] });
  });

  it("that is as long as a document is refused", async () => {
    const open = newMemory().open();
    const state = { ...STATE, name: "S", activeFiles: [], conversationContext: "long ".repeat(100_000) };
    await expect(createState(open, state)).rejects.toMatchObject({ code: "too_large" });
  });
});

describe("a workspace", () => {
  it("is loaded in no more tokens than requested", async () => {
    const memory = newMemory();
    const open = memory.open();
    const { id } = await createWorkspace(open, AUTHOR, {
      ...WORKSPACE,
      name: "W",
      description: "long words ".repeat(2000),
      keyFiles: Array.from({ length: 300 }, (_, i) => `Key/${i}.md`),
    });
    for (let i = 0; i < 12; i++) {
      await createSession(open, { name: `Session ${i} ${"x".repeat(300)}`, workspace: id });
      await createState(open, { ...STATE, name: `State ${i}`, workspace: id, activeFiles: [] });
      open.leaveTrace(callIn("s", { workspace: id, paths: [`Recent/${i} ${"y".repeat(100)}.md`] }));
    }
    for (const most of [500, 2000, 9000]) {
      const briefing = await loadWorkspace(open, "w", most);
      expect(estimateTokens(JSON.stringify(briefing))).toBeLessThanOrEqual(most);
      expect(briefing.workspace.id).toBe(id);
      expect(briefing.sessions.length).toBeGreaterThan(0);
      // An id that was cut would be none.
      for (const session of briefing.sessions) expect(session.id).toMatch(/^(?:s|session_\d+_[0-9a-z]{9})$/);
    }
  });

  it("can be updated in its known fields and their parts, and in no others", async () => {
    const open = newMemory().open();
    const { id } = await createWorkspace(open, AUTHOR, {
      ...WORKSPACE,
      name: "W",
      workflows: [{ name: "f", when: "w", steps: "s" }],
    });
    const update = (path: string, value: unknown) => updateWorkspace(open, AUTHOR, id, path, value);
    await update("currentGoal", "new goal");
    await update("context.keyFiles", '["a.md"]');
    await update("keyFiles.1", "b.md");
    await update("workflows.0.steps", "other");
    await update("isActive", "false");
    await update("preferences", "true");
    const { workspace, keyFiles, workflows, preferences } = await loadWorkspace(open, id, 2000);
    expect(workspace.currentGoal).toBe("new goal");
    expect([workspace.isActive, preferences]).toEqual([false, "true"]);
    expect(keyFiles).toEqual(["a.md", "b.md"]);
    expect(workflows).toEqual([{ name: "f", when: "w", steps: "other" }]);
    for (const [path, value] of [
      ["keyFiles", "a.md"],
      ["keyFiles.7", "x"],
      ["workflows.0.nothing", "x"],
      ["isActive", "yes"],
      ["sessions", []],
      ["__proto__", "x"],
      ["constructor", "x"],
      ["name", ""],
      ["keyFiles.0.length", 3],
    ] as const)
      await expect(update(path, value)).rejects.toMatchObject({ code: "invalid" });
  });

  it("is named in results with those that contain its folder, as soon as it is created", async () => {
    const memory = newMemory();
    const [open, other] = [memory.open(), memory.open()];
    expect(await open.workspaceContext("default")).toEqual({
      workspaceId: "default",
      workspacePath: ["default"],
      activeWorkspace: true,
    });
    const outer = await createWorkspace(open, AUTHOR, { ...WORKSPACE, name: "Projects", rootFolder: "Projects" });
    const inner = await createWorkspace(open, AUTHOR, { ...WORKSPACE, name: "Alpha", rootFolder: "Projects/Alpha" });
    expect(await open.workspaceContext(inner.id)).toEqual({
      workspaceId: inner.id,
      workspacePath: ["Projects", "Alpha"],
      activeWorkspace: true,
    });
    expect(await other.workspaceContext(outer.id)).toMatchObject({ workspacePath: ["Projects"] });
    await updateWorkspace(open, AUTHOR, inner.id, "isActive", false);
    expect(await open.workspaceContext(inner.id)).toMatchObject({ activeWorkspace: false });
    expect(await open.workspaceContext("anything")).toMatchObject({ workspacePath: ["anything"] });
  });
});

describe("search", () => {
  it("finds sessions, states and traces by their words, within a session, a workspace, a kind or days", async () => {
    const memory = newMemory();
    const open = memory.open();
    await createSession(open, { name: "Zucchini harvest", goal: "Enough for the winter", workspace: "garden" });
    await createState(open, {
      ...STATE,
      name: "Beds",
      activeTask: "Dig the zucchini beds",
      workspace: "garden",
      activeFiles: [],
    });
    open.leaveTrace(callIn("t", { why: "Count the zucchini", workspace: "kitchen", paths: ["Soup.md"] }));
    open.leaveTrace(callIn("u", { why: "Something else", workspace: "kitchen" }));
    const kinds = ["session", "state", "trace"] as const;
    const find = async (query: string, options: object = {}) =>
      (await searchMemory(open, query, { kinds, limit: 10, ...options })).results
        .map(({ type, title }) => `${type}: ${title}`)
        .toSorted();
    expect(await find("zucchini")).toEqual([
      "session: Zucchini harvest",
      "state: Beds",
      "trace: contentManager_readContent",
    ]);
    expect(await find("zuchcini", { workspace: "garden" })).toEqual(["session: Zucchini harvest", "state: Beds"]);
    expect(await find("zucchini", { session: "t" })).toEqual(["trace: contentManager_readContent"]);
    expect(await find("zucchini", { kinds: ["state"] })).toEqual(["state: Beds"]);
    expect(await find("zucchini", { during: { start: 0, end: 5 } })).toEqual([]);
    expect(
      await find("zucchini", { during: { start: Date.now() - 3_600_000, end: Number.POSITIVE_INFINITY } }),
    ).toHaveLength(3);
    expect(await find('"-(" OR * : tag: ^')).toEqual([]);
    const { results, total } = await searchMemory(open, "zucchini", { kinds, limit: 1 });
    expect([results.length, total]).toEqual([1, 3]);
  });

  it("does not find earlier searches", async () => {
    const open = newMemory().open();
    open.leaveTrace(callIn("s", { tool: "vaultLibrarian_searchMemory", about: "zucchini" }));
    open.leaveTrace(callIn("s", { tool: "vaultLibrarian_searchContent", about: "zucchini" }));
    const { results } = await searchMemory(open, "zucchini", { kinds: ["trace"], limit: 5 });
    expect(results.map(({ title }) => title)).toEqual(["vaultLibrarian_searchContent"]);
  });

  it("works again after the cache is deleted or damaged", async () => {
    const memory = newMemory();
    const open = memory.open();
    await createSession(open, { name: "Zucchini", workspace: "default" });
    const cache = join(memory.home, "cache of one");
    const count = async () => (await searchMemory(open, "zucchini", { kinds: ["session"], limit: 5 })).total;
    expect(await count()).toBe(1);
    rmSync(cache, { recursive: true });
    expect(await count()).toBe(1);
    await open.close();
    for (const file of readdirSync(cache))
      writeFileSync(join(cache, file), "no database at all, but long enough to be one".repeat(50));
    const again = memory.open();
    expect((await searchMemory(again, "zucchini", { kinds: ["session"], limit: 5 })).total).toBe(1);
  });
});

describe("the index of memory", () => {
  it("is merged in the background after what is new, so that searches stay fast", async () => {
    const memory = newMemory();
    const open = memory.open();
    const { sessionId } = await createSession(open, { name: "Letters", workspace: "default" });
    for (let i = 0; i < 40; i++) {
      open.leaveTrace(callIn(sessionId, { tool: `tool${i}`, subgoal: `Word${i} and more` }));
      await searchMemory(open, `Word${i}`, { kinds: ["trace"], limit: 1 });
    }
    const cache = join(memory.home, "cache of one");
    const name = readdirSync(cache).find((each) => each.endsWith(".db"));
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const index = new DatabaseSync(join(cache, name!), { readOnly: true });
    const segments = () => Number(index.prepare("SELECT count(DISTINCT segid) AS count FROM text_idx").get()!["count"]);
    await expect.poll(segments).toBeLessThan(16);
    index.close();
  });
});
