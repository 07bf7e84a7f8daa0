// How the package reaches a user: installed by npm, run by npx, and listed in
// the registry of MCP servers. And one version everywhere.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import lock from "../../../package-lock.json" with { type: "json" };
import packageJson from "../../../package.json" with { type: "json" };
import serverJson from "../../../server.json" with { type: "json" };
import { SETTINGS } from "../../../src/settings.ts";
import { environmentIn, runProgram, temporaryFolder } from "../../processes/program.ts";
import { faultsOf, SCHEMA } from "../../references/registry-rules.ts";

const packed = dirname(inject("packageFolder"));
const archive = join(
  packed,
  readdirSync(packed).find((name) => name.endsWith(".tgz"))!,
);

/** npm in a folder of its own, with a cache of its own and no network. */
function npmIn(home: string, ...args: string[]): string {
  const cli = process.env["npm_execpath"];
  const [command, ...first] = cli === undefined ? ["npm"] : [process.execPath, cli];
  return execFileSync(command!, [...first, "--offline", "--no-audit", "--no-fund", ...args], {
    cwd: home,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environmentIn(home), npm_config_cache: join(home, "npm-cache"), npm_config_update_notifier: "false" },
  });
}

describe.skipIf(process.platform === "win32")("the package", () => {
  it("is installed by npm without a network, and is called commonplace", () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "package.json"), "{}");
    npmIn(home, "install", archive);
    expect(readdirSync(join(home, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "commonplace-mcp",
    ]);
    const program = join(home, "node_modules", ".bin", "commonplace");
    expect(execFileSync(program, ["--version"], { encoding: "utf8" })).toBe(`commonplace ${packageJson.version}\n`);
    expect(npmIn(home, "exec", "--no", "commonplace-mcp", "--", "--version")).toContain(packageJson.version);
  });

  it("run by npx writes npx into a host's configuration, not its temporary folder", () => {
    const home = temporaryFolder();
    mkdirSync(join(home, ".cursor"));
    npmIn(home, "exec", "--yes", "--package", archive, "--", "commonplace", "connect", "cursor", "--yes");
    const { command, args } = JSON.parse(readFileSync(join(home, ".cursor", "mcp.json"), "utf8")).mcpServers
      .commonplace;
    expect(existsSync(join(home, "npm-cache", "_npx"))).toBe(true);
    expect([command, ...args].join(" ")).toMatch(/npx(?:-cli\.js)? -y commonplace-mcp$/);
  });
});

describe("server.json", () => {
  const [npm] = serverJson.packages;

  it("keeps the rules of the registry", () => {
    expect(faultsOf(serverJson)).toEqual([]);
  });

  type Spoilt = { [field: string]: unknown; packages: Record<string, unknown>[] };
  const variables = (server: Spoilt) => server.packages[0]!["environmentVariables"] as Record<string, unknown>[];
  it.each<[string, (server: Spoilt) => void]>([
    ["server.version is missing", (server) => delete server["version"]],
    ["server.$schema is not one of", (server) => (server["$schema"] = SCHEMA.replace("2025-12-11", "2025-07-09"))],
    ["server.name is not like", (server) => (server["name"] = "io.github.someone/one/two")],
    ["server.name is not like", (server) => (server["name"] = "commonplace/commonplace")],
    ["server.description has 101 characters", (server) => (server["description"] = "x".repeat(101))],
    ["server.title has 0 characters", (server) => (server["title"] = "")],
    ["server.version is not like", (server) => (server["version"] = "^0.1.0")],
    ["server.remote has no rule", (server) => (server["remote"] = [])],
    ["server.packages is not a list", (server) => Object.assign(server, { packages: {} })],
    ["server.packages[0].version is not like", ({ packages }) => (packages[0]!["version"] = "latest")],
    ["server.packages[0].transport is missing", ({ packages }) => delete packages[0]!["transport"]],
    ["server.packages[0].transport.type is not one", ({ packages }) => (packages[0]!["transport"] = { type: "http" })],
    ["server.packages[0].transport is not an object", ({ packages }) => (packages[0]!["transport"] = "stdio")],
    ["server.packages[0].identifier is not like", ({ packages }) => (packages[0]!["identifier"] = "common place")],
    ["environmentVariables[0].name is missing", (server) => delete variables(server)[0]!["name"]],
    ["environmentVariables[1].format is not one of", (server) => (variables(server)[1]!["format"] = "directory")],
    ["environmentVariables[2].description is not a text", (server) => (variables(server)[2]!["description"] = 1)],
  ])("would be refused where %s", (fault, spoil) => {
    const server = structuredClone(serverJson) as unknown as Spoilt;
    spoil(server);
    expect(faultsOf(server)).toEqual([expect.stringContaining(fault)]);
  });

  it("names the package, which names it in turn", () => {
    expect(npm!.identifier).toBe(packageJson.name);
    expect(packageJson.mcpName).toBe(serverJson.name);
  });

  it("names only variables that exist", () => {
    const known = Object.values(SETTINGS).map(({ variable }) => variable);
    for (const { name } of npm!.environmentVariables) expect(known).toContain(name);
  });
});

describe("the version", () => {
  it("is one and the same everywhere", async () => {
    const { stdout } = await runProgram(["call", "get_server_version"], { home: temporaryFolder() });
    const changelog = readFileSync(join(import.meta.dirname, "..", "..", "..", "CHANGELOG.md"), "utf8");
    expect({
      lock: lock.version,
      lockedPackage: lock.packages[""].version,
      server: serverJson.version,
      serverPackage: serverJson.packages[0]!.version,
      changelog: /^## (?!Unreleased)(\S+)/m.exec(changelog)?.[1],
      program: JSON.parse(stdout).server_version,
    }).toEqual({
      lock: packageJson.version,
      lockedPackage: packageJson.version,
      server: packageJson.version,
      serverPackage: packageJson.version,
      changelog: packageJson.version,
      program: packageJson.version,
    });
  });
});
