import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { operatingSystem } from "../../kernel/kernel.ts";
import { SAMPLES } from "../../../test/fixtures/configurations.ts";
import { connect, hostOf, install, machineOf } from "../../../test/fixtures/connected-hosts.ts";
import { connectionOf } from "./connection.ts";
import { HOSTS } from "./known-hosts.ts";

const everywhere = HOSTS.flatMap((host) =>
  (["darwin", "linux", "win32"] as const).map((platform) => [host.title, platform, host] as const),
);

describe("where a host keeps its configuration", () => {
  it.each([
    ["claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"],
    ["claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"],
    ["claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"],
    ["claude-code", "darwin", ".claude.json"],
    ["claude-code", "win32", ".claude.json"],
    ["cursor", "linux", ".cursor/mcp.json"],
    ["windsurf", "win32", ".codeium/windsurf/mcp_config.json"],
    ["vscode", "darwin", "Library/Application Support/Code/User/mcp.json"],
    ["vscode", "linux", ".config/Code/User/mcp.json"],
    ["vscode", "win32", "AppData/Roaming/Code/User/mcp.json"],
    ["codex", "darwin", ".codex/config.toml"],
    ["gemini", "linux", ".gemini/settings.json"],
    ["qwen", "darwin", ".qwen/settings.json"],
    ["opencode", "darwin", ".config/opencode/opencode.json"],
    ["opencode", "win32", ".config/opencode/opencode.json"],
    ["copilot-cli", "linux", ".copilot/mcp-config.json"],
  ] as const)("%s on %s", (name, platform, path) => {
    const machine = machineOf(platform);
    expect(relative(machine.home, hostOf(name).file(machine))).toBe(join(path));
  });

  it("follows the environment variables of each host", () => {
    const at = (name: string, environment: Record<string, string>) =>
      hostOf(name).file({ system: operatingSystem("linux"), home: "/h", environment });
    expect(at("codex", { CODEX_HOME: "/c" })).toBe(join("/c/config.toml"));
    expect(at("opencode", { XDG_CONFIG_HOME: "/x" })).toBe(join("/x/opencode/opencode.json"));
    expect(at("copilot-cli", { COPILOT_HOME: "/c" })).toBe(join("/c/mcp-config.json"));
    expect(at("claude-code", { CLAUDE_CONFIG_DIR: "/c" })).toBe(join("/c/.claude.json"));
    expect(at("vscode", { XDG_CONFIG_HOME: "/x" })).toBe(join("/x/Code/User/mcp.json"));
  });

  it("is opencode.jsonc if only that exists", () => {
    const machine = machineOf("linux");
    const file = hostOf("opencode").file(machine);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}c`, "{}");
    expect(hostOf("opencode").file(machine)).toBe(`${file}c`);
    writeFileSync(file, "{}");
    expect(hostOf("opencode").file(machine)).toBe(file);
  });

  it("is a separate folder for Claude Desktop as an MSIX package", () => {
    const machine = machineOf("win32");
    const packaged = join(machine.home, "AppData", "Local", "Packages", "Claude_pzs8sxrjxfjjc");
    mkdirSync(packaged, { recursive: true });
    expect(hostOf("claude-desktop").file(machine)).toBe(
      join(packaged, "LocalCache", "Roaming", "Claude", "claude_desktop_config.json"),
    );
  });
});

describe.each(everywhere)("%s on %s", (_, platform, host) => {
  const { before, after } = SAMPLES[host.name]!;

  it("gets the entry, and nothing else in the file changes", async () => {
    const machine = machineOf(platform);
    const file = install(host, machine, before);
    const { backup } = await connect(host, machine);
    expect(readFileSync(file, "utf8")).toBe(after);
    expect(readFileSync(backup!, "utf8")).toBe(before);
    expect(connectionOf(host, machine)).toMatchObject({ state: "connected", entries: [{ name: "commonplace" }] });
  });

  it("is not written a second time", async () => {
    const machine = machineOf(platform);
    const file = install(host, machine, after);
    const { mtimeMs } = statSync(file);
    expect(await connect(host, machine)).toMatchObject({ isChanged: false });
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    expect(existsSync(join(machine.home, "data"))).toBe(false);
  });

  it("is restored when the entry is removed", async () => {
    const machine = machineOf(platform);
    const file = install(host, machine, before);
    await connect(host, machine);
    await connect(host, machine, { isRemoved: true });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(await connect(host, machine, { isRemoved: true })).toMatchObject({ isChanged: false });
  });

  it("keeps its line endings and byte order mark", async () => {
    const machine = machineOf(platform);
    const file = install(host, machine, `\uFEFF${before.replaceAll("\n", "\r\n")}`);
    await connect(host, machine);
    expect(readFileSync(file, "utf8")).toBe(`\uFEFF${after.replaceAll("\n", "\r\n")}`);
    expect(await connect(host, machine)).toMatchObject({ isChanged: false });
  });

  it("accepts a second vault", async () => {
    const machine = machineOf(platform);
    install(host, machine, before);
    await connect(host, machine);
    await connect(host, machine, { name: "work" });
    expect(connectionOf(host, machine).entries.map(({ name }) => name)).toEqual(["commonplace", "work"]);
    await connect(host, machine, { isRemoved: true });
    expect(connectionOf(host, machine).entries.map(({ name }) => name)).toEqual(["work"]);
  });

  it("is created if it does not exist or is empty", async () => {
    for (const text of [undefined, "", "\n"]) {
      const machine = machineOf(platform);
      if (text !== undefined) install(host, machine, text);
      await connect(host, machine);
      expect(connectionOf(host, machine)).toMatchObject({ state: "connected", entries: [{ name: "commonplace" }] });
    }
  });

  it("is deleted with the entry if connect created it", async () => {
    const machine = machineOf(platform);
    await connect(host, machine);
    await connect(host, machine, { name: "work" });
    await connect(host, machine, { isRemoved: true });
    expect(connectionOf(host, machine).entries.map(({ name }) => name)).toEqual(["work"]);
    const { backup } = await connect(host, machine, { name: "work", isRemoved: true });
    expect(existsSync(host.file(machine))).toBe(false);
    expect(connectionOf(host, machine).state).toBe("not found");
    expect(existsSync(machine.home)).toBe(true);
    expect(readFileSync(backup!, "utf8")).toContain("work");
    expect(await connect(host, machine, { isRemoved: true })).toMatchObject({ isChanged: false });
  });

  const emptyLists = host.format === "toml" ? ["[mcp_servers]\n"] : [`{\n  "${host.section}": {}\n}\n`, "{}\n", "{}"];
  it.each(["", "\n", ...emptyLists, `${host.format === "toml" ? "#" : "//"} mine\n${emptyLists[0]}`])(
    "without any server is restored when the entry is removed: %j",
    async (text) => {
      const machine = machineOf(platform);
      const file = install(host, machine, text);
      await connect(host, machine);
      await connect(host, machine, { isRemoved: true });
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  it("is not changed if it is damaged", async () => {
    const conflict = before.replace("\n", "\n<<<<<<< HEAD\n");
    for (const text of [before.slice(0, -20), conflict, Buffer.from(before, "utf16le"), Buffer.of(0xff, 0x22)]) {
      const machine = machineOf(platform);
      const file = install(host, machine, "");
      writeFileSync(file, text);
      await expect(connect(host, machine)).rejects.toThrow("is damaged: ");
      expect(readFileSync(file)).toEqual(Buffer.from(text as Buffer));
      expect(readdirSync(dirname(file))).toHaveLength(1);
      expect(connectionOf(host, machine).state).toBe("damaged");
    }
  });
});

describe("a list of servers of the wrong type", () => {
  it.each(['{"mcpServers": []}', '{"mcpServers": null}', "[]", '"text"'])("is not changed: %s", async (text) => {
    const machine = machineOf("linux");
    const file = install(hostOf("cursor"), machine, text);
    await expect(connect(hostOf("cursor"), machine)).rejects.toThrow("is not an object");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("is not changed if it is an inline table in TOML, with a hint", async () => {
    const machine = machineOf("linux");
    const text = 'mcp_servers = { git = { command = "uvx" } }\n';
    const file = install(hostOf("codex"), machine, text);
    await expect(connect(hostOf("codex"), machine)).rejects.toMatchObject({
      message: "mcp_servers is an inline table, to which no other can be added.",
      hint: expect.stringContaining("[mcp_servers.commonplace]"),
    });
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
