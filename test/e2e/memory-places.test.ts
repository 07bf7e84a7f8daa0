// Where memory is kept, through the packed program: in the data folder, unless
// the vault has one already or the person says so; and what happens to it when
// that changes.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectStdio, ERAS, runProgram, serveHttp, temporaryFolder, TOKEN } from "../processes/program.ts";
import { writeFiles } from "../fixtures/vaults.ts";

const logOf = (vault: string) => join(vault, ".commonplace", "memory");
const read = "contentManager_readContent";
const createSession = "memoryManager_createSession";
const loadSession = "memoryManager_loadSession";

function newHome(files: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder();
  const vault = join(home, "notes");
  mkdirSync(vault);
  writeFiles(vault, { "Plan.md": "# Plan\n\nSee [[Other]] #tag", ...files });
  const settings = ["--vault", vault, "--home", join(home, "own")];
  const memories = join(home, "own", "data", "memory");
  return {
    home,
    vault,
    settings,
    /** The files of the log in the data folder. */
    atHome: () =>
      existsSync(memories)
        ? readdirSync(memories, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
        : [],
    inVault: () => (existsSync(logOf(vault)) ? readdirSync(logOf(vault)) : []),
    call: async (name: string, sent: object, ...more: string[]) => {
      const args = ["call", name, JSON.stringify({ ...sent, context: CONTEXT }), ...settings, ...more];
      const { stdout, stderr } = await runProgram(args, { home });
      expect(stderr).toBe("");
      return JSON.parse(stdout) as { success?: boolean; data: Record<string, unknown> };
    },
    doctor: async (...more: string[]) => {
      const { stdout } = await runProgram(["doctor", "--json", ...settings, ...more], { home });
      return JSON.parse(stdout).findings.find(({ part }: { part: string }) => part === "memory");
    },
  };
}

/** Every entry below a folder, with its content and its times. */
function everythingIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const { mode, size, mtimeMs, ctimeMs, ino } = lstatSync(join(folder, name));
      return [name, mode, size, mtimeMs, ctimeMs, ino].join(" ");
    });
}

describe("a vault that is only read", () => {
  it("is not changed by any tool that reads, by the page, or by the commands", async () => {
    const { home, vault, settings } = newHome({ "Other.md": "other", "Folder/Deep.md": "deep", "x.canvas": "{}" });
    const before = [everythingIn(vault), lstatSync(vault).mtimeMs];
    const client = await connectStdio(home, ERAS["2025-11-25 and before"], [...settings, "--toolsets", "all"]);
    const { tools } = await client.listTools();
    const readers = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
    expect(readers.length).toBeGreaterThan(20);
    const sent = {
      filePath: "Plan.md",
      filePaths: ["Plan.md", "Other.md"],
      path: "Plan.md",
      folderPath: "Folder",
      query: "plan",
      queries: [{ query: "plan" }],
      name: "Plan",
      id: "default",
      title: "Plan",
      targetSessionId: "default",
      stateId: "none",
      conversation_id: "none",
      rowId: "none",
      startLine: 1,
      endLine: 2,
      context: CONTEXT,
    };
    for (const { name } of readers) {
      const { structuredContent } = await client.callTool({ name, arguments: sent });
      expect(structuredContent).toBeDefined();
    }
    for (const name of [read, "vaultManager_listDirectory", "vaultLibrarian_searchContent"])
      await client.callTool({ name, arguments: { ...sent, path: "/" } });
    await client.listResources();
    await client.close();
    const { url, stop } = await serveHttp(home, {
      COMMONPLACE_TOKEN: TOKEN,
      COMMONPLACE_VAULT: vault,
      COMMONPLACE_HOME: join(home, "own"),
    });
    expect((await fetch(new URL("/", url))).ok).toBe(true);
    const search = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search", arguments: { query: "plan" } },
    };
    await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        origin: new URL(url).origin,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(search),
    });
    await stop();
    for (const words of [["doctor"], ["index"], ["search", "plan"], ["history"], ["connect"], []])
      await runProgram([...words, ...settings], { home });
    expect([everythingIn(vault), lstatSync(vault).mtimeMs]).toEqual(before);
  });
});

describe("memory is kept by default", () => {
  it("in the data folder, and found there again", async () => {
    const { call, vault, atHome, doctor } = newHome();
    await call(createSession, { name: "Zucchini" });
    expect(existsSync(join(vault, ".commonplace"))).toBe(false);
    expect(atHome()).toHaveLength(1);
    expect((await call(loadSession, { targetSessionId: "zucchini" })).data).toMatchObject({
      session: { name: "Zucchini" },
    });
    expect(await doctor()).toMatchObject({ state: "ok", note: expect.stringMatching(/^in the data folder: 1 file/) });
  });

  it.each([
    [".workspaces/ws.json", "{}"],
    [".nexus/workspaces/ws_a.jsonl", ""],
    // Of another device, as a sync program brought it, or of version 0.1.0.
    [".commonplace/memory/0a1b2c3d-2026-01.jsonl", ""],
  ])("in the vault where that has %s", async (path, text) => {
    const { call, atHome, inVault, vault } = newHome({ [path]: text });
    const before = inVault();
    await call(createSession, { name: "Zucchini" });
    expect(atHome()).toEqual([]);
    expect(inVault()).toHaveLength(before.length + 1);
    expect(readFileSync(join(vault, path), "utf8")).toBe(text);
  });

  it.each([
    ["an empty folder", (vault: string) => mkdirSync(logOf(vault), { recursive: true })],
    [
      "a link out of the vault",
      (vault: string) => {
        const elsewhere = join(vault, "..", "elsewhere");
        mkdirSync(elsewhere);
        writeFileSync(join(elsewhere, "0a1b2c3d-2026-01.jsonl"), "");
        mkdirSync(join(vault, ".commonplace"));
        symlinkSync(elsewhere, logOf(vault));
      },
    ],
  ])("in the data folder where %s is no memory", async (_, make) => {
    const { call, vault, atHome } = newHome();
    make(vault);
    const before = everythingIn(vault);
    await call(createSession, { name: "Zucchini" });
    expect(atHome()).toHaveLength(1);
    expect(everythingIn(vault)).toEqual(before);
  });

  it("nowhere if the vault's folder for it is a link that leads out, and nothing is created there", async () => {
    const { call, vault, home } = newHome();
    const elsewhere = join(home, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(vault, ".commonplace"));
    const sent = { filePath: "Plan.md", content: "\nmore" };
    const answer = await call("contentManager_appendContent", sent, "--memory", "vault");
    expect(JSON.stringify(answer)).toContain("its folder is a link to another");
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("in both places if both have one, and nothing is moved", async () => {
    const { home, vault, call, atHome, inVault } = newHome();
    await call(createSession, { name: "At home" });
    const [file] = atHome();
    const theirs = ["--vault", vault, "--home", join(home, "their own"), "--memory", "vault"];
    const sent = JSON.stringify({ name: "In the vault", context: CONTEXT });
    await runProgram(["call", createSession, sent, ...theirs], { home });
    for (const name of ["At home", "In the vault"])
      expect((await call(loadSession, { targetSessionId: name })).data).toMatchObject({ session: { name } });
    expect(atHome()).toEqual([file]);
    // What is new is kept in the vault from now on.
    expect(inVault()).toHaveLength(2);
  });
});

describe("if the user chooses another place for memory,", () => {
  it("the log is moved there and back without loss", async () => {
    const { call, vault, atHome, inVault, doctor } = newHome({ ".nexus/workspaces/ws_a.jsonl": "" });
    const find = async (name: string, ...more: string[]) =>
      expect((await call(loadSession, { targetSessionId: name }, ...more)).data).toMatchObject({ session: { name } });
    await call(createSession, { name: "First" }, "--memory", "vault");
    expect(inVault()).toHaveLength(1);
    await call(createSession, { name: "Second" }, "--memory", "home");
    expect(existsSync(join(vault, ".commonplace"))).toBe(false);
    await find("First", "--memory", "home");
    await find("Second", "--memory", "home");
    expect(await doctor("--memory", "vault")).toMatchObject({ note: expect.stringContaining("moves 2 files here") });
    await call(read, { filePath: "Plan" }, "--memory", "vault");
    expect(atHome()).toEqual([]);
    await find("First");
    await find("Second");
    expect(readFileSync(join(vault, ".nexus/workspaces/ws_a.jsonl"), "utf8")).toBe("");
    expect(readdirSync(logOf(vault)).filter((name) => !name.endsWith(".jsonl"))).toEqual([]);
  });

  it("files of other devices stay where those devices expect them, and are read", async () => {
    const { home, vault, call, inVault, doctor } = newHome();
    await call(createSession, { name: "Mine" }, "--memory", "vault");
    const theirs = ["--vault", vault, "--home", join(home, "their own"), "--memory", "vault"];
    const sent = JSON.stringify({ name: "Theirs", context: CONTEXT });
    await runProgram(["call", createSession, sent, ...theirs], { home });
    expect(inVault()).toHaveLength(2);
    await call(read, { filePath: "Plan" }, "--memory", "home");
    expect(inVault()).toHaveLength(1);
    for (const name of ["Mine", "Theirs"])
      expect((await call(loadSession, { targetSessionId: name }, "--memory", "home")).data).toMatchObject({
        session: { name },
      });
    expect(await doctor("--memory", "home")).toMatchObject({
      note: expect.stringContaining(`reads 1 file in ${logOf(vault)} too`),
    });
  });

  it("a server that is read-only, or without the setting, moves nothing", async () => {
    const { call, vault, inVault, atHome } = newHome();
    await call(createSession, { name: "First" }, "--memory", "vault");
    const [file] = inVault();
    const before = readFileSync(join(logOf(vault), file!), "utf8");
    expect(
      (await call(loadSession, { targetSessionId: "First" }, "--memory", "home", "--read-only")).data,
    ).toMatchObject({
      session: { name: "First" },
    });
    expect(readFileSync(join(logOf(vault), file!), "utf8")).toBe(before);
    await call(createSession, { name: "Second" });
    expect(inVault()).toEqual([file]);
    expect(readFileSync(join(logOf(vault), file!), "utf8").startsWith(before)).toBe(true);
    expect(atHome()).toEqual([]);
  });
});

describe("connect says what it means for memory", () => {
  const entryOf = (home: string) =>
    (
      JSON.parse(readFileSync(join(home, ".cursor", "mcp.json"), "utf8")) as {
        mcpServers: Record<string, { args: string[] }>;
      }
    ).mcpServers["commonplace"]!.args;

  it.each([
    [[], {}, "Memory is kept in the data folder, on this machine only", false],
    [["--memory", "vault"], {}, "Memory is kept in the vault: it is synced, shared and published", true],
    [["--memory", "off"], {}, "No memory is kept.", true],
    [[], { ".nexus/a.jsonl": "" }, "Memory stays in the vault, where it is already", false],
  ])("with %j in a vault with %j", async (more, files, sentence, isInEntry) => {
    const { home, settings } = newHome(files);
    const { stdout, code } = await runProgram(["connect", "cursor", "--yes", ...settings, ...more], { home });
    expect(code).toBe(0);
    expect(stdout).toContain(sentence);
    expect(entryOf(home).includes("--memory")).toBe(isInEntry);
    // A second time the entry is as it was.
    expect((await runProgram(["connect", "cursor", "--yes"], { home })).stdout).toContain("nothing to do");
  });
});
