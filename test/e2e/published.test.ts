// How the package reaches a user: installed by npm, run by npx, and listed in
// the registry of MCP servers. And one version everywhere.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import lock from "../../package-lock.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import serverJson from "../../server.json" with { type: "json" };
import { SETTINGS } from "../../src/settings.ts";
import { environmentIn, runProgram, temporaryFolder } from "../program.ts";

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

  it("run by npx enters npx into a host's configuration, not its passing folder", () => {
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

  // The rules of the schema that it names (2025-12-11), for the fields that it has.
  it("keeps the rules of the registry", () => {
    expect(serverJson.$schema).toBe("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json");
    expect(serverJson.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(serverJson.name.length).toBeLessThanOrEqual(200);
    for (const text of [serverJson.title, serverJson.description]) expect(text).toMatch(/^.{1,100}$/);
    expect(Object.keys(serverJson).toSorted()).toEqual([
      "$schema",
      "description",
      "name",
      "packages",
      "title",
      "version",
    ]);
    expect(npm).toMatchObject({ registryType: "npm", transport: { type: "stdio" }, runtimeHint: "npx" });
    for (const { name, description, format, ...rest } of npm!.environmentVariables) {
      expect(typeof name === "string" && description.length > 0).toBe(true);
      expect(["string", "number", "boolean", "filepath"]).toContain(format);
      expect(rest).toEqual({});
    }
  });

  it("names the package, which names it in turn", () => {
    expect(npm!.identifier).toBe(packageJson.name);
    expect(packageJson.mcpName).toBe(serverJson.name);
  });

  it("names only variables that there are", () => {
    const variables = Object.values(SETTINGS).map(({ variable }) => variable);
    for (const { name } of npm!.environmentVariables) expect(variables).toContain(name);
  });
});

describe("the version", () => {
  it("is one and the same everywhere", async () => {
    const { stdout } = await runProgram(["call", "get_server_version"], { home: temporaryFolder() });
    const changelog = readFileSync(join(import.meta.dirname, "..", "..", "CHANGELOG.md"), "utf8");
    expect({
      lock: lock.version,
      lockedPackage: lock.packages[""].version,
      server: serverJson.version,
      serverPackage: serverJson.packages[0]!.version,
      changelog: /^## (\S+)/m.exec(changelog)?.[1],
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
