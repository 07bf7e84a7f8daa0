// The command line as a person uses it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { runProgram, temporaryFolder } from "../../processes/program.ts";

const home = temporaryFolder();
const run = (args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) =>
  runProgram(args, { home, ...options });

describe("help", () => {
  it("names every command and every setting", async () => {
    const { stdout, code } = await run(["--help"]);
    expect(code).toBe(0);
    for (const word of [
      "serve",
      "call",
      "read",
      "version",
      "doctor",
      "connect",
      "--vault",
      "COMMONPLACE_VAULT",
      "--read-only",
    ])
      expect(stdout).toContain(word);
    expect(stdout.split("\n").every((line) => line.length <= 120)).toBe(true);
  });

  it.each(["serve", "call", "read", "version", "doctor", "connect"])("of %s shows how it is used", async (command) => {
    const { stdout, code } = await run([command, "--help"]);
    expect(stdout).toMatch(new RegExp(`^commonplace ${command}`));
    expect(code).toBe(0);
    // The settings are many, and the same for all of them.
    expect(stdout).toContain("commonplace --help lists them");
    expect(stdout).not.toContain("COMMONPLACE_VAULT");
  });

  it("shows the version", async () => {
    for (const args of [["--version"], ["version"], ["search", "--version"]])
      expect((await run(args)).stdout, args.join(" ")).toBe(`commonplace ${packageJson.version}\n`);
  });
});

describe("an invalid command line", () => {
  it.each([
    [["serv"], "Unknown command 'serv'. Did you mean serve?"],
    [["doctor", "--vualt", "x"], "Unknown option --vualt. Did you mean --vault?"],
    [["doctor", "--vault"], "--vault needs a value: --vault DIR"],
    [["doctor", "--read-only=maybe"], "--read-only takes no value"],
    [
      ["doctor", "--toolsets", "vautl"],
      "--toolsets: 'vautl' is not one of vault, memory, outline, recall, project, default, lean, chatgpt, all. Did you mean vault?",
    ],
    [["serve", "--http", "http"], "'http' is not a port"],
    [["serve", "--http", "--stdio"], "--stdio and --http exclude each other."],
    [["serve", "4127"], "require --http"],
    [["serve", "--http", ""], "'' is not a port"],
    [["doctor", "--constructor"], "Unknown option --constructor."],
    [["search", "beans", "-runner"], "Unknown option -r. Write -- before arguments that begin with -."],
    [["doctor", "extra"], "Unexpected argument 'extra'."],
    [["doctor", "--toolsets", ","], "--toolsets names no toolset"],
    [["call", "undo", "{}", "{}"], "Too many arguments"],
    [["call"], "Name a tool"],
    [["call"], "Tools: contentManager_readContent, "],
    [["call", "readContent"], "Unknown tool 'readContent'. Did you mean contentManager_readContent?"],
    [["call", "get_server_versio"], "Unknown tool 'get_server_versio'. Did you mean get_server_version?"],
    [["call", "get_server_version", "{"], "The arguments are not JSON"],
    [["connect", "clause-code"], "Unknown host 'clause-code'. Did you mean claude-code?"],
  ])("%j ends with 2 and says what is right", async (args, sentence) => {
    const { code, stderr, stdout } = await run(args);
    expect(stderr).toContain(sentence);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it("names the variable that is wrong", async () => {
    const { stderr, code } = await run(["doctor"], { env: { COMMONPLACE_READ_ONLY: "maybe" } });
    expect(stderr).toContain("COMMONPLACE_READ_ONLY is 'maybe', but must be true or false.");
    expect(code).toBe(2);
  });
});

describe("a token", () => {
  it.each(["short", "with a blank in it"])("that is too short or has a blank is refused: %s", async (token) => {
    const { stderr, code } = await run(["serve", "--http", "0"], { env: { COMMONPLACE_TOKEN: token } });
    expect(stderr).toContain("COMMONPLACE_TOKEN must have at least 16 characters");
    expect(code).toBe(2);
  });
});

describe("call", () => {
  it("prints the structured result as one line", async () => {
    const { stdout, code } = await run(["call", "get_server_version", "{}"]);
    expect(JSON.parse(stdout)).toMatchObject({ server_name: "commonplace", toolsets: ["all"] });
    expect(stdout.trimEnd()).not.toContain("\n");
    expect(code).toBe(0);
  });

  it("reads the arguments from standard input", async () => {
    expect((await run(["call", "get_server_version", "-"], { input: "{}" })).code).toBe(0);
  });

  it("needs no context, which a command line does not have", async () => {
    const vault = temporaryFolder();
    const call = (name: string, sent: object) => run(["call", name, JSON.stringify(sent), "--vault", vault]);
    expect((await call("contentManager_createContent", { filePath: "a", content: "walrus" })).code).toBe(0);
    const { stdout } = await call("contentManager_readContent", { filePath: "a" });
    expect(JSON.parse(stdout)).toMatchObject({ data: { content: "walrus" } });
    const sent = { filePath: "b", content: "", context: {} };
    const { stdout: refused, code } = await call("contentManager_createContent", sent);
    expect([code, JSON.parse(refused).error]).toEqual([1, expect.stringMatching(/^Context is required/)]);
  });

  it("answers invalid arguments with the tool's error and exit code 1", async () => {
    const { stdout, code } = await run(["call", "get_server_version", "[]"]);
    expect(JSON.parse(stdout)).toEqual({
      error: { code: "INVALID_PARAMS", message: "The arguments must be an object" },
    });
    expect(code).toBe(1);
  });
});

describe("settings", () => {
  it("may precede the command", async () => {
    const { stdout } = await run(["--vault", "/elsewhere", "--read-only", "doctor", "--json"]);
    expect(JSON.parse(stdout).findings.find(({ part }: { part: string }) => part === "vault").path).toBe("/elsewhere");
  });

  it("make undo fail if the server is read-only", async () => {
    expect(await run(["undo", "--read-only"])).toMatchObject({ code: 2, stderr: expect.stringContaining("read-only") });
  });

  it("come from the flag, then the variable, then the config file", async () => {
    const folder = temporaryFolder();
    const vaultOf = async (args: string[], env: Record<string, string>) => {
      const { stdout } = await run(["doctor", "--json", "--home", folder, ...args], { env });
      return JSON.parse(stdout).findings.find(({ part }: { part: string }) => part === "vault").path;
    };
    mkdirSync(join(folder, "notes"));
    writeFileSync(join(folder, "config.json"), JSON.stringify({ vault: "notes" }));
    expect(await vaultOf(["--vault", "/flag"], { COMMONPLACE_VAULT: "/variable" })).toBe("/flag");
    expect(await vaultOf([], { COMMONPLACE_VAULT: "/variable" })).toBe("/variable");
    expect(await vaultOf([], {})).toBe(join(folder, "notes"));
  });
});
