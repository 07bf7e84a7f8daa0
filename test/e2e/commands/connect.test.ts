// connect as users and scripts run it. A real client starts the servers that it
// writes, as a host would.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { operatingSystem } from "../../../src/kernel/kernel.ts";
import { LAUNCH_FLAGS } from "../../../bin/launch-flags.js";
import { applicationFolder, HOSTS, type Machine } from "../../../src/setup/hosts/known-hosts.ts";
import { parseJson } from "../../../src/setup/hosts/json-members.ts";
import { getTable } from "../../../src/setup/hosts/toml-tables.ts";
import { SAMPLES } from "../../fixtures/configurations.ts";
import { NODE } from "../../processes/child.ts";
import {
  atTheEnd,
  collect,
  ERAS,
  environmentIn,
  PROGRAM,
  runProgram,
  temporaryFolder,
} from "../../processes/program.ts";
import { hasTerminal, inTerminal } from "../../processes/terminal.ts";

const machineIn = (home: string): Machine => ({
  system: operatingSystem(),
  home,
  environment: { ...environmentIn(home) },
});

/** A home folder with a configuration of every host. */
function homeWithHosts(): { home: string; fileOf: (host: string) => string } {
  const home = temporaryFolder();
  const fileOf = (name: string) => HOSTS.find((host) => host.name === name)!.file(machineIn(home));
  for (const { name } of HOSTS) {
    mkdirSync(dirname(fileOf(name)), { recursive: true });
    writeFileSync(fileOf(name), SAMPLES[name]!.before);
  }
  return { home, fileOf };
}

interface WrittenEntry {
  readonly command: string | string[];
  readonly args?: string[];
}

/** The command and its arguments, which opencode keeps in one list. */
const wordsOf = ({ command, args = [] }: WrittenEntry) => [command, args].flat();

function entryIn(host: string, file: string, name = "commonplace"): WrittenEntry | undefined {
  const { format, section } = HOSTS.find((each) => each.name === host)!;
  const text = readFileSync(file, "utf8");
  if (format === "toml") return getTable(text, [section, name]) as unknown as WrittenEntry | undefined;
  return (parseJson(text) as Record<string, Record<string, WrittenEntry>>)[section]?.[name];
}

describe("connect to a host that would not take the entry as it is", () => {
  it("refuses a second way to the same server beside the plugin", async () => {
    const { home, fileOf } = homeWithHosts();
    mkdirSync(join(home, ".gemini", "extensions", "commonplace"), { recursive: true });
    writeFileSync(join(home, ".gemini", "extensions", "commonplace", "gemini-extension.json"), "{}");
    const before = readFileSync(fileOf("gemini"), "utf8");
    const { code, stdout } = await runProgram(["connect", "gemini", "--yes"], { home });
    expect(stdout).toContain("it would list every tool twice. Take the plugin out first: gemini extensions uninstall");
    expect([code, readFileSync(fileOf("gemini"), "utf8")]).toEqual([1, before]);
  });

  it.each(["gemini", "qwen"])("refuses a path in which %s would replace a variable", async (host) => {
    const { home, fileOf } = homeWithHosts();
    const before = readFileSync(fileOf(host), "utf8");
    for (const folder of ["Notes $USER", "B ${USER}"]) {
      mkdirSync(join(home, folder));
      const { code, stdout } = await runProgram(["connect", host, "--yes", "--vault", join(home, folder)], { home });
      expect([code, stdout]).toEqual([1, expect.stringContaining("by the value of a variable")]);
    }
    expect(readFileSync(fileOf(host), "utf8")).toBe(before);
  });
});

describe("connect to a host that loads every tool at once", () => {
  it("says what the list costs, unless the person chose the tools", async () => {
    const { home, fileOf } = homeWithHosts();
    const connected = async (...args: string[]) => (await runProgram(["connect", ...args, "--yes"], { home })).stdout;
    expect(await connected("cursor")).not.toContain("lean");
    expect(await connected("gemini")).toMatch(/^Gemini CLI loads every tool at once.*--toolsets lean/m);
    expect(await connected("windsurf", "--toolsets", "lean")).not.toContain("at once");
    expect(wordsOf(entryIn("windsurf", fileOf("windsurf"))!).join(" ")).toContain("--toolsets lean");
    expect(await connected("windsurf", "--remove")).not.toContain("at once");
  });
});

describe("what connect says about the host", () => {
  it("is that Gemini CLI starts servers only in a folder that is trusted, and how to trust one", async () => {
    const { home } = homeWithHosts();
    const { stdout } = await runProgram(["connect", "gemini", "--yes"], { home });
    expect(stdout).toContain(
      "Gemini CLI starts none in a folder that it does not trust: trust the folder when it asks, or with /permissions",
    );
  });

  it("is what matters after that change", async () => {
    const { home } = homeWithHosts();
    const said = async (...args: string[]) => (await runProgram(["connect", ...args, "--yes"], { home })).stdout;
    expect(await said("vscode")).toContain("VS Code notices the change.\nIt asks once before it starts a new server.");
    const removed = await said("vscode", "--remove");
    expect(removed).toContain("VS Code notices the change.");
    expect(removed).not.toContain("asks once");
  });
});

describe("connect without a host", () => {
  it("lists the installed hosts and their state", async () => {
    const { home, fileOf } = homeWithHosts();
    writeFileSync(fileOf("windsurf"), "{");
    await runProgram(["connect", "cursor", "--yes"], { home });
    const { stdout, code } = await runProgram(["connect", "--json"], { home });
    const states = JSON.parse(stdout).hosts.map(({ host, state }: { host: string; state: string }) => [host, state]);
    expect(Object.fromEntries(states)).toEqual({
      "claude-desktop": "not connected",
      "claude-code": "not connected",
      cursor: "connected",
      windsurf: "damaged",
      vscode: "not connected",
      codex: "not connected",
      gemini: "not connected",
      qwen: "not connected",
      opencode: "not connected",
      "copilot-cli": "not connected",
    });
    expect(code).toBe(0);
    const { stdout: text } = await runProgram(["connect"], { home });
    expect(text).toMatch(/^cursor +connected +.*mcp\.json {2}commonplace$/m);
    expect(text).toContain(
      "commonplace connect claude-desktop claude-code vscode codex gemini qwen opencode copilot-cli",
    );
  });

  it("creates nothing on a machine without any host", async () => {
    const home = temporaryFolder();
    const { stdout } = await runProgram(["connect"], { home });
    expect(stdout.match(/not found/g)).toHaveLength(HOSTS.length);
    for (const host of HOSTS)
      expect(existsSync(dirname(host.file(machineIn(home)))) && host.name !== "claude-code").toBe(false);
  });
});

/** Where the program is among the words of an entry. */
const FIRST = 1 + LAUNCH_FLAGS.length;

describe("connect with a host", () => {
  it("recognizes an entry that 0.1.0 wrote, without options for Node, and keeps its settings", async () => {
    const { home, fileOf } = homeWithHosts();
    const vault = temporaryFolder();
    const entry = { command: NODE, args: [PROGRAM, "--vault", vault] };
    writeFileSync(fileOf("cursor"), JSON.stringify({ mcpServers: { commonplace: entry } }));
    const { stdout } = await runProgram(["connect"], { home });
    expect(stdout).toMatch(/^cursor +connected +.*mcp\.json {2}commonplace$/m);
    await runProgram(["connect", "cursor", "--yes"], { home });
    expect(wordsOf(entryIn("cursor", fileOf("cursor"))!)).toEqual([NODE, ...LAUNCH_FLAGS, PROGRAM, "--vault", vault]);
  });

  it.each(["cursor", "codex", "opencode", "copilot-cli"])(
    "keeps the settings of %s's entry, unless others are given",
    async (host) => {
      const { home, fileOf } = homeWithHosts();
      const vault = temporaryFolder();
      await runProgram(["connect", host, "--yes", "--vault", vault, "--read-only"], { home });
      const written = readFileSync(fileOf(host), "utf8");
      const program = wordsOf(entryIn(host, fileOf(host))!)[FIRST]!;
      writeFileSync(fileOf(host), written.replaceAll(program, "/gone/bin/commonplace.js"));
      await runProgram(["connect", host, "--yes"], { home });
      expect(readFileSync(fileOf(host), "utf8")).toBe(written);
      await runProgram(["connect", host, "--yes", "--vault", vault], { home });
      expect(wordsOf(entryIn(host, fileOf(host))!).slice(FIRST)).toEqual([program, "--vault", vault]);
    },
  );

  it("shows the change and writes nothing if there is no terminal to ask in", async () => {
    const { home, fileOf } = homeWithHosts();
    const { stdout, code } = await runProgram(["connect", "cursor"], { home });
    expect(stdout).toMatch(/^\+ \t\t"commonplace": \{$/m);
    expect(stdout).toContain("--yes writes it");
    expect(readFileSync(fileOf("cursor"), "utf8")).toBe(SAMPLES["cursor"]!.before);
    expect(code).toBe(1);
  });

  it("connects all hosts at once, changes nothing the second time, and restores all files on removal", async () => {
    const { home, fileOf } = homeWithHosts();
    const names = HOSTS.map(({ name }) => name);
    const run = async (...args: string[]) => {
      const { stdout, code } = await runProgram(["connect", ...names, "--yes", "--json", ...args], { home });
      expect(code).toBe(0);
      return JSON.parse(stdout).hosts.map(({ result }: { result: string }) => result);
    };
    expect(await run()).toEqual(names.map(() => "written"));
    for (const name of names) expect(wordsOf(entryIn(name, fileOf(name))!)).toEqual([NODE, ...LAUNCH_FLAGS, PROGRAM]);
    expect(await run()).toEqual(names.map(() => "unchanged"));
    expect(await run("--remove")).toEqual(names.map(() => "written"));
    for (const name of names) expect(readFileSync(fileOf(name), "utf8")).toBe(SAMPLES[name]!.before);
  });

  it("leaves a folder of the host that was there before, even if it is empty", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, ".cursor"));
    for (const args of [[], ["--remove"]])
      expect((await runProgram(["connect", "cursor", "--yes", ...args], { home })).code).toBe(0);
    expect(existsSync(join(home, ".cursor", "mcp.json"))).toBe(false);
    expect(existsSync(join(home, ".cursor"))).toBe(true);
  });

  it("deletes a file that it created, and says so", async () => {
    const home = temporaryFolder();
    const file = HOSTS.find(({ name }) => name === "cursor")!.file(machineIn(home));
    await runProgram(["connect", "cursor", "--yes"], { home });
    expect(existsSync(file)).toBe(true);
    const { stdout, code } = await runProgram(["connect", "cursor", "--remove", "--yes"], { home });
    expect(stdout).toContain("Deleted the file: it contained nothing else.");
    expect(stdout).toMatch(/Backup: .*cursor-.*mcp\.json/);
    expect(existsSync(file)).toBe(false);
    expect(code).toBe(0);
  });

  it.each(["claude-code", "codex", "qwen", "opencode", "copilot-cli"])(
    "writes an entry for %s that starts the server, whatever PATH is",
    async (host) => {
      const { home, fileOf } = homeWithHosts();
      const vault = join(home, "My Notes");
      mkdirSync(vault);
      writeFileSync(join(vault, "hello.md"), "hello");
      await runProgram(["connect", host, "--yes", "--vault", "My Notes", "--name", "work", "--read-only"], { home });
      const [command, ...args] = wordsOf(entryIn(host, fileOf(host), "work")!) as [string, ...string[]];
      const client = new Client({ name: "test", version: "1" }, ERAS["2025-11-25 and before"]);
      atTheEnd(() => client.close());
      await client.connect(
        new StdioClientTransport({
          command,
          args,
          cwd: "/",
          env: { ...environmentIn(home), PATH: "" },
          stderr: "ignore",
        }),
      );
      const { structuredContent } = await client.callTool({ name: "search", arguments: { query: "hello" } });
      expect(structuredContent).toMatchObject({ totalResults: 1 });
      expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("undo");
    },
  );

  it("refuses a damaged configuration and writes the others", async () => {
    const { home, fileOf } = homeWithHosts();
    writeFileSync(fileOf("cursor"), '{"mcpServers": {');
    const { stdout, code } = await runProgram(["connect", "cursor", "gemini", "--yes"], { home });
    expect(stdout).toContain("is damaged: Unexpected end of file. Repair it first");
    expect(readFileSync(fileOf("cursor"), "utf8")).toBe('{"mcpServers": {');
    expect(entryIn("gemini", fileOf("gemini"))).toBeDefined();
    expect(code).toBe(1);
  });

  it.each([
    ["nowhere", (path: string) => `The folder ${path} does not exist. Nothing was written. Check --vault`],
    ["file.md", (path: string) => `${path} is not a folder. Nothing was written. Name the folder of your notes.`],
  ])("refuses a vault that is not a folder: %s", async (vault, sentence) => {
    const { home, fileOf } = homeWithHosts();
    writeFileSync(join(home, "file.md"), "");
    const { stderr, stdout, code } = await runProgram(["connect", "cursor", "--yes", "--vault", vault], { home });
    expect(stderr).toContain(sentence(join(home, vault)));
    expect(stdout).toBe("");
    expect(readFileSync(fileOf("cursor"), "utf8")).toBe(SAMPLES["cursor"]!.before);
    expect(code).toBe(2);
    const removed = await runProgram(["connect", "cursor", "--remove", "--yes", "--vault", vault], { home });
    expect(removed.code).toBe(0);
  });

  it("says that it connects the guide's vault if none is named, and suggests the user's own", async () => {
    const { home } = homeWithHosts();
    const guide = join(home, ".local", "share", "commonplace", "vault");
    const notice = `No vault was named. This connects the guide's vault: ${guide}\n`;
    const plain = await runProgram(["connect", "cursor"], { home });
    expect(plain.stdout).toContain(`${notice}For your own notes add --vault DIR.\n`);

    const [open, closed, gone] = ["My Notes", "closed", "gone"].map((name) => join(home, name));
    for (const vault of [open!, closed!]) mkdirSync(vault);
    const list = {
      a: { path: closed, ts: 3 },
      b: { path: open, ts: 2, open: true },
      c: { path: gone, ts: 4, open: true },
    };
    const folder = join(applicationFolder(machineIn(home)), "obsidian");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "obsidian.json"), JSON.stringify({ vaults: list }));
    const { stdout } = await runProgram(["connect", "cursor", "gemini"], { home });
    expect(stdout).toContain(
      `${notice}For your own notes:\n  commonplace connect cursor gemini --vault '${open}'  (open in Obsidian)\n`,
    );
    expect(stdout).not.toContain(closed);
    expect(stdout).not.toContain(gone);
    expect((await runProgram(["connect"], { home })).stdout).toContain(`--vault '${open}'  (open in Obsidian)`);

    // The vault that npm start was given.
    const served = spawn(NODE, [PROGRAM, "serve", "--http", "--welcome", "--vault", closed!], {
      cwd: home,
      env: environmentIn(home),
    });
    served.stdout.on("data", (text: Buffer) => text.includes("To connect:") && served.kill("SIGTERM"));
    expect((await collect(served)).stdout).not.toContain("--vault DIR");
    expect((await runProgram(["connect", "cursor"], { home })).stdout).toContain(
      `For your own notes:\n  commonplace connect cursor --vault ${closed}  (served last)\n`,
    );
  });

  it("does not mention the guide if a flag, the config file or the entry names a vault", async () => {
    const { home } = homeWithHosts();
    mkdirSync(join(home, "notes"));
    const said = async (...args: string[]) => (await runProgram(["connect", ...args], { home })).stdout;
    expect(await said("cursor", "--vault", "notes", "--yes")).not.toContain("guide");
    expect(await said("cursor")).not.toContain("guide");
    expect(await said("cursor", "--remove")).not.toContain("guide");
    expect(await said("cursor", "--read-only")).toContain("guide");
    mkdirSync(join(home, ".config", "commonplace"), { recursive: true });
    writeFileSync(join(home, ".config", "commonplace", "config.json"), JSON.stringify({ vault: "~/notes" }));
    expect(await said("gemini")).not.toContain("guide");
  });

  it("shows the changed part of a file that consists of one line", async () => {
    const home = temporaryFolder();
    const file = HOSTS.find(({ name }) => name === "claude-code")!.file(machineIn(home));
    const projects = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`/code/${i}`, { allowedTools: [] }]));
    writeFileSync(file, JSON.stringify({ projects, mcpServers: {}, userID: "x".repeat(300) }));
    const { stdout } = await runProgram(["connect", "claude-code"], { home });
    expect(stdout).toMatch(/^- ….*"mcpServers":\{\},"userID":"x+…$/m);
    expect(stdout).toMatch(
      /^\+ ….*"mcpServers":\{\n\+ +"commonplace": \{[^]*commonplace\.js[^]*^\+ \},"userID":"x+…$/m,
    );
    expect(stdout).not.toContain("/code/50");
  });

  it.each([
    [["connect", "--remove"], "Name a host"],
    [["connect", "cursor", "--name", "my notes"], "Invalid name 'my notes'"],
    [["connect", "curser"], "Unknown host 'curser'. Did you mean cursor?"],
  ])("%j exits with 2 and a hint", async (args, sentence) => {
    const { stderr, stdout, code } = await runProgram(args, { home: temporaryFolder() });
    expect(stderr).toContain(sentence);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });
});

describe.skipIf(!hasTerminal)("connect in a terminal", () => {
  it.each([
    ["y\n", 0, true],
    ["n\n", 1, false],
    ["\n", 1, false],
    ["\u0004", 1, false],
  ])("asks the user, who may answer %j", async (answer, code, isWritten) => {
    const { home, fileOf } = homeWithHosts();
    const ended = await inTerminal(home, answer, "connect cursor");
    expect(ended.stdout).toContain("Write this? [y/N]");
    expect(entryIn("cursor", fileOf("cursor")) !== undefined).toBe(isWritten);
    expect(ended.code).toBe(code);
  });

  it("asks which notes where none are named, with the vaults that Obsidian knows", async () => {
    const { home, fileOf } = homeWithHosts();
    const vaults = ["Open", "Known", "Own"].map((name) => join(home, name));
    for (const vault of vaults) mkdirSync(vault);
    const list = { a: { path: vaults[1], ts: 3 }, b: { path: vaults[0], ts: 2, open: true } };
    const folder = join(applicationFolder(machineIn(home)), "obsidian");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "obsidian.json"), JSON.stringify({ vaults: list }));
    const connected = async (host: string, notes: string, args = "") => {
      const { stdout } = await inTerminal(home, "y\n", `connect ${host} ${args}`, { NO_COLOR: "1" }, notes);
      const words = wordsOf(entryIn(host, fileOf(host))!);
      return { stdout, vault: words.includes("--vault") ? words[words.indexOf("--vault") + 1] : undefined };
    };
    const first = await connected("cursor", "");
    expect(first.stdout).toMatch(
      /^Which notes\?\r\n {2}1 {2}\S+Open {2}\(open in Obsidian\)\r\n {2}2 {2}\S+Known {2}\(known to Obsidian\)\r\n {2}0 {2}\S+ {2}\(the guide, to try it\)\r\n/,
    );
    expect(first.vault).toBe(vaults[0]);
    expect((await connected("claude-code", "2")).vault).toBe(vaults[1]);
    const refused = await connected("gemini", "no such folder\nOwn");
    expect(refused.stdout).toMatch(/The folder \S+no such folder does not exist\./);
    expect(refused.vault).toBe(vaults[2]);
    expect((await connected("qwen", "0")).vault).toBeUndefined();
    const named = await connected("opencode", "", `--vault '${vaults[2]!}'`);
    expect(named.stdout).not.toContain("Which notes?");
    expect(named.stdout).toContain("Memory is kept in the data folder");
  });

  it("colours added lines green unless NO_COLOR is set", async () => {
    const { home } = homeWithHosts();
    expect((await inTerminal(home, "n\n", "connect cursor")).stdout).toContain("\u001B[32m+ ");
    expect((await inTerminal(home, "n\n", "connect cursor", { NO_COLOR: "1" })).stdout).not.toContain("\u001B[32m");
  });
});
