// doctor reports the state of everything the server works on, what is wrong with
// it and how to fix it, and changes nothing.
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeVersion } from "../../processes/child.ts";
import type { Finding } from "../../../src/setup/checks/finding.ts";
import { SAMPLE_CONVERSATIONS, writeConversations, type SampleConversation } from "../../page/sample-conversations.ts";
import { connectStdio, ERAS, runProgram, temporaryFolder } from "../../processes/program.ts";
import { callContext } from "../../fixtures/call-context.ts";

const CONTEXT = callContext();

async function doctor(
  home: string,
  ...args: string[]
): Promise<{ code: number | null; of: (part: string) => Finding }> {
  const { stdout, code } = await runProgram(["doctor", "--json", ...args], { home });
  const found = (JSON.parse(stdout) as { findings: readonly Finding[] }).findings;
  expect(found.filter(({ state, hint }) => state === "problem" && hint === undefined)).toEqual([]);
  return { code, of: (part) => found.find((finding) => finding.part === part)! };
}

/** A home with a vault of three notes that were indexed, and one that was written through the program. */
async function usedHome() {
  const home = temporaryFolder();
  writeConversations(home);
  const vault = join(home, "notes");
  mkdirSync(vault);
  for (const name of ["a.md", "b.md", "picture.png"]) writeFileSync(join(vault, name), name);
  const sent = JSON.stringify({ filePath: "c", content: "new", context: CONTEXT });
  expect((await runProgram(["call", "contentManager_createContent", sent, "--vault", vault], { home })).code).toBe(0);
  expect((await runProgram(["index", "--vault", vault], { home })).code).toBe(0);
  return {
    home,
    vault,
    data: join(home, ".local", "share", "commonplace"),
    cache: join(home, ".cache", "commonplace"),
  };
}

/** Every entry below a folder: name, mode, size and change time. */
function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.includes("compiled"))
    .toSorted()
    .map((name) => {
      const { mode, size, mtimeMs, ctimeMs } = statSync(join(folder, name), { throwIfNoEntry: true });
      return `${name} ${mode} ${size} ${mtimeMs} ${ctimeMs}`;
    });
}

describe("on a new machine", () => {
  it("nothing is wrong, and nothing is created", async () => {
    const home = temporaryFolder();
    const { code, of } = await doctor(home);
    expect(code).toBe(0);
    expect(of("node")).toMatchObject({ state: "ok", note: nodeVersion() });
    for (const part of ["vault", "index", "journal", "outline", "data", "token", "config"])
      expect(of(part).state).toBe("missing");
    expect(everything(home).filter((line) => !line.startsWith(".cache"))).toEqual([]);
  });
});

describe("the last line", () => {
  it("sums up how many parts have a problem, which, and how many have none", async () => {
    const home = temporaryFolder();
    const lastLine = async (...args: string[]) => {
      const { stdout, code } = await runProgram(["doctor", "--home", home, ...args], { home });
      const lines = stdout.trimEnd().split("\n");
      const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
      expect(lines.at(-1)).toContain(` ${marked("ok ")} ok, ${marked("- ")} not there yet.`);
      return [lines.at(-1), code];
    };
    expect(await lastLine()).toEqual([expect.stringMatching(/^No problems\. \d+ ok, \d+ not there yet\.$/), 0]);
    const missing = ["--vault", join(home, "nowhere")];
    expect(await lastLine(...missing)).toEqual([expect.stringMatching(/^1 problem \(vault\): the lines with → /), 1]);
    writeFileSync(join(home, "config.json"), "{");
    expect(await lastLine(...missing)).toEqual([expect.stringMatching(/^2 problems \(vault, config\): /), 1]);
    const { stdout } = await runProgram(["doctor", "--json", "--home", home, ...missing], { home });
    expect(JSON.parse(stdout).summary).toMatch(/^2 problems \(vault, config\): /);
  });
});

describe("a config file", () => {
  it.each([
    ["{", "is not valid JSON"],
    ['{"memory": "cloud"}', "'cloud' is not one of vault, home, off."],
    ['{"outline": 7}', "outline in it must be a non-empty string"],
  ])("with a fault is one of the problems, and hides no other: %s", async (text, fault) => {
    const home = temporaryFolder();
    writeFileSync(join(home, "config.json"), text);
    const { code, of } = await doctor(home, "--home", home, "--vault", join(home, "nowhere"));
    expect(of("config")).toMatchObject({ state: "problem", note: expect.stringContaining(fault) });
    expect(of("vault")).toMatchObject({ state: "problem", note: expect.stringContaining("--vault") });
    expect(code).toBe(1);
    // To serve another vault than the one that was meant would be worse than not to serve.
    expect(await runProgram(["search", "x", "--home", home], { home })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("config.json"),
    });
  });

  it("with an unknown key is a problem for doctor, a warning for every command, and an error for none", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "config.json"), '{"vualt": "~/Notes"}');
    const { of } = await doctor(home, "--home", home);
    expect(of("config")).toMatchObject({ state: "problem", note: "unknown setting 'vualt'. Did you mean vault?" });
    expect(await runProgram(["search", "guide", "--home", home], { home })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/config\.json: unknown setting 'vualt'\. Did you mean vault\? It has no effect\./),
    });
  });

  it("is not blamed for a wrong flag", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "config.json"), "{");
    const { stderr, code } = await runProgram(["doctor", "--home", home, "--memory", "cloud"], { home });
    expect(stderr).toContain("--memory: 'cloud' is not one of");
    expect(code).toBe(2);
  });
});

describe.skipIf(process.platform === "win32")("on a machine in use", () => {
  it("counts and dates are reported", async () => {
    const { home, vault } = await usedHome();
    const { code, of } = await doctor(home, "--vault", vault);
    expect(of("vault")).toMatchObject({ state: "ok", counts: { notes: 3, otherFiles: 1 } });
    expect(of("index")).toMatchObject({ state: "ok", counts: { documents: 4, unread: 0 } });
    expect(of("journal")).toMatchObject({ state: "ok", counts: { changes: 1, unfinished: 0 } });
    expect(of("memory")).toMatchObject({ state: "ok", counts: { files: 1, devices: 1, bytes: expect.any(Number) } });
    const counts = { conversations: SAMPLE_CONVERSATIONS.length, archived: 0 };
    expect(of("claude-code chats")).toMatchObject({ state: "ok", counts });
    for (const part of ["vault", "index", "journal", "memory", "claude-code chats"])
      expect(Date.parse(of(part).updated!)).toBeGreaterThan(0);
    expect(of("data").state).toBe("ok");
    expect(code).toBe(0);
  });

  it("a server that uses the same vault does not matter", async () => {
    const { home, vault } = await usedHome();
    const client = await connectStdio(home, ERAS["2025-11-25 and before"], ["--vault", vault]);
    const sent = { filePath: "d", content: "newer", context: CONTEXT };
    await client.callTool({ name: "contentManager_createContent", arguments: sent });
    await client.callTool({ name: "search", arguments: { query: "newer" } });
    const { code, of } = await doctor(home, "--vault", vault);
    expect(of("index")).toMatchObject({ state: "ok", counts: { documents: 5 } });
    expect(of("journal")).toMatchObject({ state: "ok", counts: { changes: 2 } });
    expect(code).toBe(0);
  });

  it("no file is changed", async () => {
    const { home, vault } = await usedHome();
    const before = everything(home);
    await doctor(home, "--vault", vault);
    expect(everything(home)).toEqual(before);
  });

  it("the embedded vault leaves a data folder that is closed to others", async () => {
    const home = temporaryFolder();
    await runProgram(["search", "welcome"], { home });
    const { code, of } = await doctor(home);
    expect(of("data").state).toBe("ok");
    expect(code).toBe(0);
  });

  it("a vault that is reached through a link is the vault it leads to", async () => {
    const { home, vault } = await usedHome();
    symlinkSync(vault, join(home, "link"));
    const { of } = await doctor(home, "--vault", join(home, "link"));
    expect(of("index").counts).toMatchObject({ documents: 4 });
    expect(of("journal").counts).toMatchObject({ changes: 1 });
  });
});

describe("the hosts", () => {
  const cursor = (text: string) => {
    const home = temporaryFolder();
    mkdirSync(join(home, ".cursor"));
    writeFileSync(join(home, ".cursor", "mcp.json"), text);
    return home;
  };

  it("that are installed are listed, connected or not", async () => {
    const home = cursor("{}");
    expect((await doctor(home)).of("cursor")).toMatchObject({ state: "missing", hint: "'commonplace connect cursor'" });
    const vault = join(home, "Notes");
    mkdirSync(vault);
    expect((await doctor(home, "--vault", vault)).of("cursor")).toMatchObject({
      hint: `'commonplace connect cursor --vault ${vault}'`,
    });
    await runProgram(["connect", "cursor", "--yes"], { home });
    const { code, of } = await doctor(home);
    expect(of("cursor")).toMatchObject({ state: "ok", note: "connected: commonplace" });
    expect(of("gemini")).toBeUndefined();
    expect(code).toBe(0);
  });

  it("that are connected to another vault are not said to be connected to this one", async () => {
    const home = cursor("{}");
    const [vault, other] = ["Notes", "Work"].map((name) => join(home, name)) as [string, string];
    for (const folder of [vault, other]) mkdirSync(folder);
    await runProgram(["connect", "cursor", "--yes", "--vault", other], { home });
    expect((await doctor(home, "--vault", vault)).of("cursor")).toMatchObject({
      state: "missing",
      note: `connected to another vault: ${other}`,
      hint: `'commonplace connect cursor --vault ${vault}' connects it to this one instead, with --name NAME also`,
    });
    expect((await doctor(home, "--vault", `Office=${other}`)).of("cursor")).toMatchObject({ state: "ok" });
    // One of several is enough.
    const both = ["--vault", vault, "--vault", other];
    expect((await doctor(home, ...both)).of("cursor")).toMatchObject({ state: "ok" });
  });

  it("that start a program which is gone are a problem", async () => {
    const home = cursor('{"mcpServers": {"work": {"command": "/gone/node", "args": ["/gone/commonplace.js"]}}}');
    const { code, of } = await doctor(home);
    expect(of("cursor")).toMatchObject({
      state: "problem",
      note: "'work' names /gone/node and /gone/commonplace.js, which does not exist",
      hint: "restore it, or 'commonplace connect cursor --name work' renews the entry",
    });
    expect(code).toBe(1);
  });

  it("that serve a vault which is gone are a problem", async () => {
    const home = cursor("{}");
    mkdirSync(join(home, "notes"));
    await runProgram(["connect", "cursor", "--yes", "--vault", "notes"], { home });
    rmdirSync(join(home, "notes"));
    const { code, of } = await doctor(home);
    expect(of("cursor")).toMatchObject({
      state: "problem",
      note: `'commonplace' names ${join(home, "notes")}, which does not exist`,
    });
    expect(code).toBe(1);
    mkdirSync(join(home, "notes"));
    expect((await doctor(home)).of("cursor").state).toBe("ok");
  });

  it("whose configuration is damaged are a problem", async () => {
    const { code, of } = await doctor(cursor('{"mcpServers": '));
    expect(of("cursor")).toMatchObject({ state: "problem", note: expect.stringContaining("is damaged") });
    expect(code).toBe(1);
  });
});

describe.skipIf(process.platform === "win32")("a problem is reported with its fix, and the exit code is 1, for", () => {
  const problems: readonly (readonly [
    string,
    string,
    (used: Awaited<ReturnType<typeof usedHome>>) => void,
    RegExp,
    RegExp,
  ])[] = [
    ["a data folder that others can read", "data", ({ data }) => chmodSync(data, 0o755), /0755/, /chmod 700/],
    ["a cache that others can write", "cache", ({ cache }) => chmodSync(cache, 0o777), /0777/, /chmod 700/],
    [
      "a token that others can read",
      "token",
      ({ data }) => {
        writeFileSync(join(data, "token"), "x".repeat(32));
        chmodSync(join(data, "token"), 0o644);
      },
      /0644/,
      /chmod 600/,
    ],
    ["a damaged index", "index", ({ cache }) => damage(cache, /^notes-.*\.db$/), /damaged/, /index --rebuild/],
    [
      "a damaged journal",
      "journal",
      ({ data }) => damage(join(data, "journal"), /^[0-9a-f]{32}\.db$/),
      /damaged/,
      /undo starts over/,
    ],
  ];

  it.each(problems)("%s", async (_, part, spoil, note, hint) => {
    const used = await usedHome();
    spoil(used);
    const { code, of } = await doctor(used.home, "--vault", used.vault);
    expect(of(part)).toMatchObject({
      state: "problem",
      note: expect.stringMatching(note),
      hint: expect.stringMatching(hint),
    });
    expect(code).toBe(1);
  });

  function damage(folder: string, name: RegExp): void {
    const file = join(
      folder,
      readdirSync(folder).find((each) => name.test(each))!,
    );
    const { length } = readFileSync(file);
    truncateSync(file, 0);
    writeFileSync(file, "x".repeat(length));
  }

  it.skipIf(process.getuid?.() === 0)("a folder of the vault that cannot be read", async () => {
    const { home, vault } = await usedHome();
    mkdirSync(join(vault, "closed"), { mode: 0 });
    const { code, of } = await doctor(home, "--vault", vault);
    expect(of("vault")).toMatchObject({ state: "problem", note: expect.stringContaining("closed") });
    expect(code).toBe(1);
  });

  it.each([
    [["--outline", "."], /PROBLEM {2}outline .*a folder, set by --outline\)\n +→ name the file/],
    [["--vault", "x".repeat(300)], /PROBLEM {2}vault .*does not exist/],
    [["--home", "file"], /PROBLEM {2}data .*is not a folder\)\n +→ move it away/],
    [
      ["--vault", "nowhere"],
      /PROBLEM {2}vault .*nowhere \(does not exist, set by --vault\)\n +→ mount it, or correct the path/,
    ],
  ])("a setting that names no usable path: %j", async (args, row) => {
    const home = temporaryFolder();
    writeFileSync(join(home, "file"), "");
    const { stdout, code } = await runProgram(["doctor", ...args], { home });
    expect(stdout).toMatch(row);
    expect(code).toBe(1);
  });
});

describe("doctor --secrets", () => {
  const TOKEN = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1Q2"}`;
  const KEY = `AKIA${"QWERTYUIOPASDFGH"}`;
  const ONE = "6f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e01";
  const TWO = "6f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e02";
  const conversation = (id: string, said: SampleConversation["said"]): SampleConversation => ({ id, age: 1, said });

  it("says where each lies and what to revoke, shows none, and changes nothing", async () => {
    const home = temporaryFolder();
    const tool = { name: "Bash", input: { command: "env" }, output: `GITHUB_TOKEN=${TOKEN}` };
    writeConversations(home, [
      conversation(ONE, [
        { role: "user", text: `Why is ${TOKEN} refused?` },
        { role: "assistant", text: "Let me see.", tool },
      ]),
      conversation(TWO, [{ role: "user", text: `Again ${TOKEN}, and aws_access_key_id = ${KEY}` }]),
    ]);
    const files = readdirSync(join(home, ".claude"), { recursive: true, encoding: "utf8" });
    const { stdout, code } = await runProgram(["doctor", "--secrets"], { home });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^ {2}\\d{4}-\\d\\d-\\d\\d {2}1\\. GitHub token …Q2 {2}claude-code/${ONE} {2}2 times$`, "m"),
    );
    expect(stdout).toMatch(
      new RegExp(`^ {2}\\d{4}-\\d\\d-\\d\\d {2}1\\. GitHub token …Q2 {2}claude-code/${TWO}$`, "m"),
    );
    expect(stdout).toMatch(/^ {2}1\. GitHub token …Q2 {2}in 2 conversations, last on \d{4}-\d\d-\d\d$/m);
    expect(stdout).toMatch(/^ {2}2\. AWS[\w ]* …GH {2}in 1 conversation, /m);
    const json = await runProgram(["doctor", "--secrets", "--json", "--no-redact"], { home });
    expect(JSON.parse(json.stdout)).toMatchObject({
      unreadable: 0,
      secrets: expect.arrayContaining([
        expect.objectContaining({ conversation: ONE, source_tool: "claude-code", ends_with: "Q2", number: 1 }),
      ]),
    });
    for (const text of [stdout, json.stdout, json.stderr])
      for (const secret of [TOKEN, KEY]) expect(text).not.toContain(secret.slice(-6));
    expect(readdirSync(join(home, ".claude"), { recursive: true, encoding: "utf8" })).toEqual(files);
  });

  it("ends with 0 if there is none", async () => {
    const home = temporaryFolder();
    writeConversations(home, SAMPLE_CONVERSATIONS);
    const { stdout, code } = await runProgram(["doctor", "--secrets"], { home });
    expect([stdout, code]).toEqual(["No secret was recognised in the conversations of any program.\n", 0]);
  });
});
