// The programs that can use this server: where each keeps its list of servers,
// and in which shape. Looked up in the documentation of each:
//
// | host           | where from                                                                     |
// | -------------- | ------------------------------------------------------------------------------ |
// | Claude Desktop | modelcontextprotocol.io/quickstart/user; on Windows the app is an MSIX package |
// |                | since 2026, and reads a folder of its own (anthropics/claude-code#26073)       |
// | Claude Code    | code.claude.com/docs/en/mcp: user scope is ~/.claude.json                      |
// | Cursor         | cursor.com/docs/mcp                                                            |
// | Windsurf       | docs.windsurf.com/windsurf/cascade/mcp                                         |
// | VS Code        | code.visualstudio.com/docs/copilot/reference/mcp-configuration: `servers`      |
// | Codex          | developers.openai.com/codex/mcp: [mcp_servers.NAME] in $CODEX_HOME/config.toml |
// | Gemini CLI     | geminicli.com/docs/tools/mcp-server: ~/.gemini/settings.json                   |
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Launch } from "./launch.ts";

/** The machine that is looked at: the one at hand, or one of a test. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Host {
  /** As `connect` takes it. */
  readonly name: string;
  readonly title: string;
  /** The file with its list of servers, whether it is there or not. */
  readonly file: (machine: Machine) => string;
  /** What tells that the host is on this machine. */
  readonly traces: (machine: Machine) => readonly string[];
  readonly format: "json" | "toml";
  /** The key of the list. */
  readonly section: string;
  /** Whether an entry names its kind. */
  readonly hasType: boolean;
  /** When it takes notice of a change. */
  readonly afterwards: string;
}

const inHome =
  (...names: string[]) =>
  ({ home }: Machine) =>
    join(home, ...names);

/** Where programs keep what belongs to them, by the conventions of each system. */
function applicationFolder({ platform, home, environment }: Machine): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return environment["APPDATA"] || join(home, "AppData", "Roaming");
  return environment["XDG_CONFIG_HOME"] || join(home, ".config");
}

function claudeDesktopFolder(machine: Machine): string {
  const { platform, home, environment } = machine;
  if (platform === "win32") {
    const packages = join(environment["LOCALAPPDATA"] || join(home, "AppData", "Local"), "Packages");
    const packaged = existsSync(packages) && readdirSync(packages).find((name) => name.startsWith("Claude_"));
    if (packaged) return join(packages, packaged, "LocalCache", "Roaming", "Claude");
  }
  return join(applicationFolder(machine), "Claude");
}

const claudeCodeFolder = ({ home, environment }: Machine) => environment["CLAUDE_CONFIG_DIR"] || home;
const codexFolder = ({ home, environment }: Machine) => environment["CODEX_HOME"] || join(home, ".codex");
const codeFolder = (machine: Machine) => join(applicationFolder(machine), "Code");

export const HOSTS: readonly Host[] = [
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    file: (machine) => join(claudeDesktopFolder(machine), "claude_desktop_config.json"),
    traces: (machine) => [claudeDesktopFolder(machine)],
    format: "json",
    section: "mcpServers",
    hasType: false,
    afterwards: "Quit Claude Desktop and start it again.",
  },
  {
    name: "claude-code",
    title: "Claude Code",
    file: (machine) => join(claudeCodeFolder(machine), ".claude.json"),
    traces: (machine) => [join(claudeCodeFolder(machine), ".claude.json"), join(machine.home, ".claude")],
    format: "json",
    section: "mcpServers",
    hasType: true,
    afterwards: "It counts from the next session of Claude Code; /mcp shows it.",
  },
  {
    name: "cursor",
    title: "Cursor",
    file: inHome(".cursor", "mcp.json"),
    traces: (machine) => [inHome(".cursor")(machine)],
    format: "json",
    section: "mcpServers",
    hasType: false,
    afterwards: "Cursor takes notice by itself; its settings, under MCP, show it.",
  },
  {
    name: "windsurf",
    title: "Windsurf",
    file: inHome(".codeium", "windsurf", "mcp_config.json"),
    traces: (machine) => [inHome(".codeium", "windsurf")(machine)],
    format: "json",
    section: "mcpServers",
    hasType: false,
    afterwards: "Press Refresh in Windsurf's list of MCP servers.",
  },
  {
    name: "vscode",
    title: "VS Code",
    file: (machine) => join(codeFolder(machine), "User", "mcp.json"),
    traces: (machine) => [codeFolder(machine)],
    format: "json",
    section: "servers",
    hasType: true,
    afterwards: "VS Code takes notice by itself, and asks once before it starts a new server.",
  },
  {
    name: "codex",
    title: "Codex",
    file: (machine) => join(codexFolder(machine), "config.toml"),
    traces: (machine) => [codexFolder(machine)],
    format: "toml",
    section: "mcp_servers",
    hasType: false,
    afterwards: "It counts from the next session of Codex; /mcp shows it.",
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    file: inHome(".gemini", "settings.json"),
    traces: (machine) => [inHome(".gemini")(machine)],
    format: "json",
    section: "mcpServers",
    hasType: false,
    afterwards: "It counts from the next session of Gemini CLI; /mcp shows it.",
  },
];

/** What a host writes of a server that it starts. */
export function entryOf({ hasType }: Host, { command, args, env }: Launch): Record<string, unknown> {
  return {
    ...(hasType ? { type: "stdio" } : {}),
    command,
    args: [...args],
    ...(env === undefined ? {} : { env: { ...env } }),
  };
}
