import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAMPLES } from "../../../test/fixtures/configurations.ts";
import { readConfiguration, withEntry, writeConfiguration } from "./configuration.ts";
import { connectionOf } from "./connection.ts";
import { HOSTS, type Host, type Machine } from "./hosts.ts";
import { withoutEntry } from "./removal.ts";

const LAUNCH = { command: "/opt/node", args: ["/opt/commonplace.js"] };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "commonplace-hosts-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let homes = 0;
function machineOf(platform: NodeJS.Platform): Machine {
  const home = join(folder, `home-${homes++}`);
  mkdirSync(home);
  const environment =
    platform === "win32"
      ? { APPDATA: join(home, "AppData", "Roaming"), LOCALAPPDATA: join(home, "AppData", "Local") }
      : {};
  return { platform, home, environment };
}

/** Writes the configuration to where the host reads it. */
function install(host: Host, machine: Machine, text: string): string {
  const file = host.file(machine);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function connect(host: Host, machine: Machine, { name = "commonplace", isRemoved = false } = {}) {
  const configuration = readConfiguration(host, machine);
  const backups = join(machine.home, "data", "backups");
  const text = isRemoved
    ? withoutEntry(configuration, name, backups)
    : withEntry(configuration, name, host.entry(LAUNCH));
  if (text === configuration.text) return { isChanged: false, backup: undefined };
  const backup = await writeConfiguration(configuration, text, backups);
  return { isChanged: true, backup };
}

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
      hostOf(name).file({ platform: "linux", home: "/h", environment });
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

describe("an existing entry", () => {
  it("keeps what the user added to it", async () => {
    const machine = machineOf("linux");
    const host = hostOf("gemini");
    const text = `{
  "mcpServers": {
    "commonplace": {
      "command": "npx", // old
      "args": ["-y", "commonplace-mcp"],
      "trust": true,
      "env": { "COMMONPLACE_VAULT": "/notes" }
    }
  }
}
`;
    const file = install(host, machine, text);
    await connect(host, machine);
    expect(readFileSync(file, "utf8")).toBe(
      text
        .replace('"npx"', '"/opt/node"')
        .replace('["-y", "commonplace-mcp"]', '[\n        "/opt/commonplace.js"\n      ]'),
    );
  });

  it("keeps the tools that the user allows in Copilot CLI", async () => {
    const machine = machineOf("linux");
    const host = hostOf("copilot-cli");
    const entry = { command: "npx", args: ["-y", "commonplace-mcp"], tools: ["search"] };
    const file = install(host, machine, JSON.stringify({ mcpServers: { commonplace: entry } }));
    await connect(host, machine);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      mcpServers: { commonplace: { ...LAUNCH, type: "local", tools: ["search"] } },
    });
  });

  it("is replaced entirely if it is for a remote server", async () => {
    const machine = machineOf("linux");
    const file = install(
      hostOf("cursor"),
      machine,
      '{"mcpServers": {"commonplace": {"url": "http://127.0.0.1:4127/mcp"}}}',
    );
    await connect(hostOf("cursor"), machine);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mcpServers: { commonplace: LAUNCH } });
  });

  it("for a remote server does not come back when the entry that replaced it is removed", async () => {
    const machine = machineOf("linux");
    const text =
      '{\n  "mcpServers": {\n    "commonplace": {\n      "url": "http://127.0.0.1:4127/mcp"\n    }\n  }\n}\n';
    const file = install(hostOf("cursor"), machine, text);
    await connect(hostOf("cursor"), machine);
    await connect(hostOf("cursor"), machine, { isRemoved: true });
    expect(readFileSync(file, "utf8")).toBe('{\n  "mcpServers": {}\n}\n');
  });

  it("is recognized by its command, whatever its name, and reports missing paths", () => {
    const machine = machineOf("linux");
    install(
      hostOf("cursor"),
      machine,
      JSON.stringify({
        mcpServers: {
          notes: { command: process.execPath, args: [import.meta.filename.replace(/[^/\\]+$/, "commonplace.js")] },
          npx: { command: "npx", args: ["-y", "commonplace-mcp@0.1.0"] },
          other: { command: "npx", args: ["-y", "uncommonplace-mcp"] },
          broken: { command: 7, args: "commonplace-mcp" },
        },
      }),
    );
    const { entries } = connectionOf(hostOf("cursor"), machine);
    expect(entries.map(({ name, gone }) => [name, gone.length])).toEqual([
      ["notes", 1], // There is no such script in this folder.
      ["npx", 0],
    ]);
  });
});

describe("a list of servers that connect created", () => {
  const OTHERS = '{\n  // mine\n  "theme": "dark"\n}\n';

  it("is removed with the entry, and the rest of the file stays", async () => {
    const machine = machineOf("linux");
    const file = install(hostOf("gemini"), machine, OTHERS);
    await connect(hostOf("gemini"), machine);
    await connect(hostOf("gemini"), machine, { isRemoved: true });
    expect(readFileSync(file, "utf8")).toBe(OTHERS);
  });

  it("stays if it contains another server or a comment", async () => {
    for (const added of ['"other": { "command": "x" }', "// keep this"]) {
      const machine = machineOf("linux");
      const file = install(hostOf("gemini"), machine, OTHERS);
      await connect(hostOf("gemini"), machine);
      const text = readFileSync(file, "utf8");
      const isEntry = added.startsWith('"');
      writeFileSync(file, text.replace('"mcpServers": {', `"mcpServers": {\n    ${added}${isEntry ? "," : ""}`));
      await connect(hostOf("gemini"), machine, { isRemoved: true });
      expect(readFileSync(file, "utf8")).toContain(added);
    }
  });
});

describe.skipIf(process.platform === "win32")("the configuration file", () => {
  it("is written through symbolic links, which stay", async () => {
    const machine = machineOf("linux");
    const host = hostOf("cursor");
    const file = host.file(machine);
    const real = join(machine.home, "dotfiles", "cursor.json");
    mkdirSync(dirname(real));
    mkdirSync(dirname(file));
    writeFileSync(real, SAMPLES["cursor"]!.before);
    symlinkSync(join("..", "dotfiles", "cursor.json"), file);
    await connect(host, machine);
    expect(readlinkSync(file)).toBe(join("..", "dotfiles", "cursor.json"));
    expect(readFileSync(real, "utf8")).toBe(SAMPLES["cursor"]!.after);
    expect(readdirSync(dirname(real))).toEqual(["cursor.json"]);
  });

  it("is created at the target of a dangling link", async () => {
    const machine = machineOf("linux");
    const file = hostOf("cursor").file(machine);
    mkdirSync(dirname(file));
    symlinkSync(join(machine.home, "later.json"), file);
    await connect(hostOf("cursor"), machine);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(machine.home, "later.json"), "utf8")).toContain("commonplace");
  });

  it("keeps its mode, and its backup is private", async () => {
    const machine = machineOf("linux");
    const file = install(hostOf("claude-code"), machine, SAMPLES["claude-code"]!.before);
    chmodSync(file, 0o640);
    const { backup } = await connect(hostOf("claude-code"), machine);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(statSync(backup!).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(backup!)).mode & 0o777).toBe(0o700);
  });

  it.each(HOSTS.map(({ name }) => name))("is created with mode 0600: %s", async (name) => {
    const machine = machineOf("linux");
    const before = process.umask(0);
    try {
      await connect(hostOf(name), machine);
    } finally {
      process.umask(before);
    }
    expect(statSync(hostOf(name).file(machine)).mode & 0o777).toBe(0o600);
  });

  it("is not overwritten if the host changed it in between", async () => {
    const machine = machineOf("linux");
    const host = hostOf("claude-code");
    const file = install(host, machine, SAMPLES["claude-code"]!.before);
    const configuration = readConfiguration(host, machine);
    const text = withEntry(configuration, "commonplace", host.entry(LAUNCH));
    writeFileSync(file, '{"numStartups": 42}');
    for (const changed of [text, undefined])
      await expect(writeConfiguration(configuration, changed, join(machine.home, "data"))).rejects.toThrow(
        "was changed by another program",
      );
    expect(readFileSync(file, "utf8")).toBe('{"numStartups": 42}');
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("is not replaced if the host created it in between", async () => {
    const machine = machineOf("linux");
    const configuration = readConfiguration(hostOf("cursor"), machine);
    const file = install(hostOf("cursor"), machine, "{}");
    await expect(writeConfiguration(configuration, "{}", machine.home)).rejects.toThrow("already exists");
    expect(readFileSync(file, "utf8")).toBe("{}");
  });

  it("is reported if it is a folder", () => {
    const machine = machineOf("linux");
    mkdirSync(hostOf("cursor").file(machine), { recursive: true });
    expect(() => readConfiguration(hostOf("cursor"), machine)).toThrow("it is a folder");
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
      hint: expect.stringContaining("[mcp_servers.commonplace]"),
    });
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

function hostOf(name: string): Host {
  return HOSTS.find((host) => host.name === name)!;
}
