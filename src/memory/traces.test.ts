// The traces that calls leave in memory.
import { randomInt } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callIn, newMemory } from "../../test/fixtures/memories.ts";
import { freshSecrets, leftOf } from "../../test/redaction/secrets.ts";
import { createSession, listSessions, loadSession } from "./sessions.ts";
import { createState } from "./states.ts";
import { loadWorkspace } from "./workspaces.ts";

const STATE = {
  conversationContext: "c",
  activeTask: "t",
  reasoning: "r",
  nextSteps: ["Finish the letter"],
  session: "s",
  workspace: "default",
};

describe("a trace", () => {
  it("is one short line: what was called, on what, why, and how it ended", async () => {
    const memory = newMemory();
    const open = memory.open();
    open.leaveTrace(callIn("s", { paths: ["A.md"], subgoal: "Step one", error: "File not found: A.md" }));
    const [line] = memory.lines();
    expect(JSON.parse(line!)).toEqual({
      v: 1,
      id: expect.any(String),
      at: expect.any(Number),
      type: "trace",
      session: "s",
      workspace: "default",
      tool: "contentManager_readContent",
      paths: ["A.md"],
      why: "For a test",
      subgoal: "Step one",
      error: "File not found: A.md",
    });
    expect(line!.length).toBeLessThan(300);
  });

  it("stays short, whatever the call says", async () => {
    const memory = newMemory();
    const long = "a word ".repeat(100_000);
    const paths = Array.from({ length: 5000 }, (_, i) => `Folder/${i}.md`);
    const call = { description: long, goal: long, subgoal: long, why: long, about: long, error: long, paths };
    const open = memory.open();
    expect(open.leaveTrace(callIn("s", call))).toBeUndefined();
    await open.close();
    expect(Math.max(...memory.lines().map((line) => line.length))).toBeLessThan(1500);
    expect(JSON.parse(memory.lines()[0]!)).toMatchObject({ more: 4992 });
  });

  it("accepts any text as an id, and finds it again", async () => {
    const memory = newMemory();
    const open = memory.open();
    const ids = [
      "",
      "__proto__",
      "a/b",
      "\u0000",
      "x\ny",
      "\ud800",
      "😀".repeat(300),
      "long ".repeat(100_000),
      "100%",
      "İ",
      "'; DROP TABLE item; --",
    ];
    for (const id of ids) expect(open.leaveTrace(callIn(id, { workspace: id }))).toBeUndefined();
    for (const id of ids) {
      expect((await loadSession(open, id || "default")).calls, JSON.stringify(id.slice(0, 20))).toBe(1);
      expect((await loadWorkspace(open, id || "default", 2000)).sessions).toHaveLength(1);
    }
    expect(Math.max(...memory.lines().map((line) => line.length))).toBeLessThan(2500);
  });

  it("registers its session once, with its first description, and a goal that may change", async () => {
    const memory = newMemory();
    const open = memory.open();
    for (const goal of ["One", "One", "Two"]) open.leaveTrace(callIn("s", { goal, description: `About ${goal}` }));
    await open.close();
    const again = memory.open("another process of the same device");
    again.leaveTrace(callIn("s", { goal: "Two", description: "Something else" }));
    const { sessions } = await listSessions(again, { limit: 5 });
    expect(sessions).toMatchObject([{ id: "s", name: "About One", goal: "Two", workspaceId: "default" }]);
    const said = memory.lines().filter((line) => line.includes('"type":"session"'));
    expect(said.map((line) => JSON.parse(line).set)).toEqual([
      { description: "About One", goal: "One", workspace: "default" },
      { goal: "Two" },
    ]);
  });

  it("has the step that it belonged to only when that changes", () => {
    const memory = newMemory();
    const open = memory.open();
    for (const subgoal of ["a", "a", "b", ""]) open.leaveTrace(callIn("s", { subgoal }));
    const traces = memory
      .lines()
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "trace");
    expect(traces.map(({ subgoal }) => subgoal)).toEqual(["a", undefined, "b", undefined]);
  });

  it("contains no secret, wherever the call has one", async () => {
    const memory = newMemory();
    const key = `sk-ant-api03-${"aB3dE6gH9jK2mN5pQ8sT".repeat(4)}-AA`;
    const open = memory.open();
    const call = {
      why: `use ${key}`,
      goal: `key=${key}`,
      description: key,
      subgoal: key,
      about: key,
      error: `bad ${key}`,
      paths: [`a/${key}.md`],
    };
    open.leaveTrace(callIn("s", { ...call, why: `${"word ".repeat(39)}${key}` }));
    await createSession(open, { name: `My ${key}`, goal: key, workspace: "default" });
    await createState(open, {
      ...STATE,
      name: "n",
      conversationContext: `The key is ${key}`,
      nextSteps: [key],
      activeFiles: [],
    });
    await open.close();
    expect(memory.lines().join("\n")).not.toContain(key.slice(0, 24));
    expect(memory.lines().join("\n")).toContain("redacted");
  });

  it("contains no secret in any form", async () => {
    const seed = randomInt(2 ** 32);
    const samples = freshSecrets(seed);
    const memory = newMemory();
    const open = memory.open();
    for (let i = 0; i < samples.length; i += 100) {
      const nextSteps = samples.slice(i, i + 100).map(({ text }) => text);
      await createState(open, {
        ...STATE,
        name: `n${i}`,
        conversationContext: nextSteps[0]!,
        nextSteps,
        activeFiles: [],
      });
    }
    await open.close();
    const kept = memory
      .lines()
      .map((line) => JSON.parse(line))
      .flatMap(({ set }): string[] => set?.nextSteps ?? []);
    expect(kept).toHaveLength(samples.length);
    const left = samples.filter((sample, i) => leftOf(sample, kept[i]!) !== undefined);
    expect(
      left.map(({ form, text }) => `${form}: ${text}`),
      `seed ${seed}`,
    ).toEqual([]);
  });

  it("contains no beginning of a secret at which a long text was cut", () => {
    const memory = newMemory();
    const key = `sk-ant-api03-${"aB3dE6gH9jK2mN5pQ8sT".repeat(4)}-AA`;
    memory
      .open()
      .leaveTrace(callIn("s", { why: `Use${" ".repeat(740)}${key}`, about: `Use${"\n".repeat(440)}${key}` }));
    expect(JSON.parse(memory.lines()[0]!)).toMatchObject({ why: "Use", about: "Use" });
  });

  it("that cannot be written is reported, and the call succeeds", async () => {
    const memory = newMemory();
    writeFileSync(join(memory.vaultFolder, ".commonplace"), "a file is in the way");
    const open = memory.open();
    expect(open.leaveTrace(callIn("s"))).toMatch(/^This call left no trace in memory: its file was refused/);
    await expect(createSession(open, { name: "x", workspace: "default" })).rejects.toMatchObject({ code: "denied" });
    rmSync(join(memory.vaultFolder, ".commonplace"));
    expect(open.leaveTrace(callIn("s"))).toBeUndefined();
  });

  it("is not written by a read-only server, which records nothing at all", async () => {
    const memory = newMemory();
    const open = memory.open("one", { isReadOnly: true });
    expect(open.leaveTrace(callIn("s"))).toBeUndefined();
    await expect(createSession(open, { name: "x", workspace: "default" })).rejects.toThrow("read-only");
    expect((await listSessions(open, { limit: 5 })).sessions).toEqual([]);
    await open.close();
    expect(readdirSync(memory.vaultFolder)).toEqual([]);
  });
});

describe.skipIf(process.getuid?.() === 0)("a log folder without write permission", () => {
  it("gets no trace, which is reported", () => {
    const memory = newMemory();
    mkdirSync(memory.logFolder, { recursive: true });
    chmodSync(memory.logFolder, 0o500);
    expect(memory.open().leaveTrace(callIn("s"))).toContain("its folder may not be written");
  });
});
