// The programs that can use this server: where each keeps its list of servers,
// and in which format, according to its documentation:
//
// | host           | source                                                                         |
// | -------------- | ------------------------------------------------------------------------------ |
// | Claude Desktop | modelcontextprotocol.io/quickstart/user; on Windows the app is an MSIX package |
// |                | since 2026 and reads a separate folder (anthropics/claude-code#26073)          |
// | Claude Code    | code.claude.com/docs/en/mcp: user scope is ~/.claude.json                      |
// | Cursor         | cursor.com/docs/mcp                                                            |
// | Windsurf       | docs.windsurf.com/windsurf/cascade/mcp                                         |
// | VS Code        | code.visualstudio.com/docs/copilot/reference/mcp-configuration: `servers`      |
// | Codex          | developers.openai.com/codex/mcp: [mcp_servers.NAME] in $CODEX_HOME/config.toml |
// | Gemini CLI     | geminicli.com/docs/tools/mcp-server: ~/.gemini/settings.json;                  |
// |                | geminicli.com/docs/cli/trusted-folders: trust, /permissions, --skip-trust      |
// | Qwen Code      | qwenlm.github.io/qwen-code-docs/en/users/features/mcp: ~/.qwen/settings.json   |
// | opencode       | opencode.ai/docs/mcp-servers: `mcp` in ~/.config/opencode/opencode.json(c);    |
// |                | version 2 reads the same (opencode.ai/docs/migrate-v1)                         |
// | Copilot CLI    | docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/              |
// |                | add-mcp-servers: ~/.copilot/mcp-config.json                                    |
//
// Tools are loaded on demand by Claude Code (code.claude.com/docs/en/mcp, "Scale with MCP tool search"), Cursor
// (cursor.com/blog/dynamic-context-discovery), VS Code (code.visualstudio.com/docs/copilot, "tool search"), Codex
// (openai/codex#31745: deferred behind tool_search) and, above about 30 tools, Copilot CLI
// (docs.github.com/en/copilot/concepts/agents/copilot-cli/tool-search). Nothing of the kind is documented for the others.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemFolders, type OperatingSystem, type UserPlace } from "../../kernel/kernel.ts";
import type { Launch } from "./launch.ts";
import { enabledInJson, enabledInToml } from "./plugins.ts";

/** The facts that the paths of a host depend on. Tests pass other systems. */
export interface Machine extends UserPlace {
  readonly system: OperatingSystem;
}

export interface Host {
  /** The argument of `connect`. */
  readonly name: string;
  readonly title: string;
  /** The file with its list of servers, whether it exists or not. */
  readonly file: (machine: Machine) => string;
  /** Paths that exist if the host is installed. */
  readonly installedPaths: (machine: Machine) => readonly string[];
  readonly format: "json" | "toml";
  /** The key of the list. */
  readonly section: string;
  /** The list's entry for a server that the host starts. */
  readonly entry: (launch: Launch) => Record<string, unknown>;
  /** Further keys of a new entry. Once there, they are the user's choice. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The sentence that says when a change takes effect. */
  readonly takesEffect: string;
  /** A note about the host for the person, once an entry was added. */
  readonly onceAdded?: string;
  /**
   * It gives a model the names of tools, and their schemas when one is needed. A host that does not, as far as its
   * documentation says, pays for the whole list in every conversation, and does better with `--toolsets lean`.
   */
  readonly loadsToolsOnDemand: boolean;
  /** For hosts that take this program's plugin (docs/guide/install.md). */
  readonly plugin?: {
    readonly isEnabled: (machine: Machine) => boolean;
    /** The host's command that takes it out. */
    readonly removal: string;
  };
  /** Matches the parts of an entry's texts that the host replaces by the values of variables, without a way to prevent it. */
  readonly replaces?: RegExp;
}

/** Of Gemini CLI, and of Qwen Code, which comes from it. */
const VARIABLE = /\$(?:\w+|\{\w+\})/;

const inHome =
  (...names: string[]) =>
  ({ home }: Machine) =>
    join(home, ...names);

/** The folder for the settings of applications on each system. */
export function applicationFolder(machine: Machine): string {
  return systemFolders(machine, machine.system, join).settings;
}

function claudeDesktopFolder(machine: Machine): string {
  if (machine.system.family === "win32") {
    const packages = join(systemFolders(machine, machine.system, join).data, "Packages");
    const packaged = existsSync(packages) && readdirSync(packages).find((name) => name.startsWith("Claude_"));
    if (packaged) return join(packages, packaged, "LocalCache", "Roaming", "Claude");
  }
  return join(applicationFolder(machine), "Claude");
}

const claudeCodeFolder = ({ home, environment }: Machine) => environment["CLAUDE_CONFIG_DIR"] || home;
const codexFolder = ({ home, environment }: Machine) => environment["CODEX_HOME"] || join(home, ".codex");
const copilotFolder = ({ home, environment }: Machine) => environment["COPILOT_HOME"] || join(home, ".copilot");
/** The same path on every system, Windows included. */
const openCodeFolder = ({ home, environment }: Machine) =>
  join(environment["XDG_CONFIG_HOME"] || join(home, ".config"), "opencode");
const codeFolder = (machine: Machine) => join(applicationFolder(machine), "Code");

function openCodeFile(machine: Machine): string {
  const file = join(openCodeFolder(machine), "opencode.json");
  return !existsSync(file) && existsSync(`${file}c`) ? `${file}c` : file;
}

export const HOSTS: readonly Host[] = [
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    file: (machine) => join(claudeDesktopFolder(machine), "claude_desktop_config.json"),
    installedPaths: (machine) => [claudeDesktopFolder(machine)],
    format: "json",
    section: "mcpServers",
    entry: plainEntry,
    takesEffect: "Quit Claude Desktop and start it again.",
    loadsToolsOnDemand: false,
  },
  {
    name: "claude-code",
    title: "Claude Code",
    file: (machine) => join(claudeCodeFolder(machine), ".claude.json"),
    installedPaths: (machine) => [join(claudeCodeFolder(machine), ".claude.json"), join(machine.home, ".claude")],
    format: "json",
    section: "mcpServers",
    entry: (launch) => ({ type: "stdio", ...plainEntry(launch) }),
    takesEffect: "It takes effect in the next session of Claude Code.",
    onceAdded: "/mcp lists the servers.",
    loadsToolsOnDemand: true,
    plugin: {
      isEnabled: ({ home, environment }) =>
        enabledInJson(join(environment["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "settings.json")),
      removal: "claude plugin uninstall commonplace@commonplace",
    },
  },
  {
    name: "cursor",
    title: "Cursor",
    file: inHome(".cursor", "mcp.json"),
    installedPaths: (machine) => [inHome(".cursor")(machine)],
    format: "json",
    section: "mcpServers",
    entry: plainEntry,
    takesEffect: "Cursor notices the change.",
    onceAdded: "Its settings list the servers under MCP.",
    loadsToolsOnDemand: true,
  },
  {
    name: "windsurf",
    title: "Windsurf",
    file: inHome(".codeium", "windsurf", "mcp_config.json"),
    installedPaths: (machine) => [inHome(".codeium", "windsurf")(machine)],
    format: "json",
    section: "mcpServers",
    entry: plainEntry,
    takesEffect: "Press Refresh in Windsurf's list of MCP servers.",
    loadsToolsOnDemand: false,
  },
  {
    name: "vscode",
    title: "VS Code",
    file: (machine) => join(codeFolder(machine), "User", "mcp.json"),
    installedPaths: (machine) => [codeFolder(machine)],
    format: "json",
    section: "servers",
    entry: (launch) => ({ type: "stdio", ...plainEntry(launch) }),
    takesEffect: "VS Code notices the change.",
    onceAdded: "It asks once before it starts a new server.",
    loadsToolsOnDemand: true,
  },
  {
    name: "codex",
    title: "Codex",
    file: (machine) => join(codexFolder(machine), "config.toml"),
    installedPaths: (machine) => [codexFolder(machine)],
    format: "toml",
    section: "mcp_servers",
    entry: plainEntry,
    takesEffect: "It takes effect in the next session of Codex.",
    onceAdded: "/mcp lists the servers.",
    loadsToolsOnDemand: true,
    plugin: {
      isEnabled: (machine) => enabledInToml(join(codexFolder(machine), "config.toml")),
      removal: "codex plugin remove commonplace@commonplace",
    },
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    file: inHome(".gemini", "settings.json"),
    installedPaths: (machine) => [inHome(".gemini")(machine)],
    format: "json",
    section: "mcpServers",
    entry: plainEntry,
    takesEffect: "It takes effect in the next session of Gemini CLI.",
    onceAdded:
      "/mcp lists the servers. Gemini CLI starts none in a folder that it does not trust: trust the folder when it asks, or with /permissions there; --skip-trust does it for one run.",
    loadsToolsOnDemand: false,
    plugin: {
      isEnabled: (machine) =>
        existsSync(inHome(".gemini", "extensions", "commonplace", "gemini-extension.json")(machine)),
      removal: "gemini extensions uninstall commonplace",
    },
    replaces: VARIABLE,
  },
  {
    name: "qwen",
    title: "Qwen Code",
    file: inHome(".qwen", "settings.json"),
    installedPaths: (machine) => [inHome(".qwen")(machine)],
    format: "json",
    section: "mcpServers",
    entry: plainEntry,
    takesEffect: "It takes effect in the next session of Qwen Code.",
    onceAdded: "/mcp lists the servers.",
    loadsToolsOnDemand: false,
    replaces: VARIABLE,
  },
  {
    name: "opencode",
    title: "opencode",
    file: openCodeFile,
    installedPaths: (machine) => [openCodeFolder(machine)],
    format: "json",
    section: "mcp",
    entry: openCodeEntry,
    takesEffect: "It takes effect at the next start of opencode.",
    onceAdded: "'opencode mcp list' lists the servers.",
    loadsToolsOnDemand: false,
  },
  {
    name: "copilot-cli",
    title: "Copilot CLI",
    file: (machine) => join(copilotFolder(machine), "mcp-config.json"),
    installedPaths: (machine) => [copilotFolder(machine)],
    format: "json",
    section: "mcpServers",
    entry: (launch) => ({ type: "local", ...plainEntry(launch) }),
    defaults: { tools: ["*"] },
    takesEffect: "It takes effect in the next session of Copilot CLI.",
    onceAdded: "/mcp show lists the servers.",
    loadsToolsOnDemand: true,
    plugin: {
      isEnabled: (machine) => enabledInJson(join(copilotFolder(machine), "settings.json")),
      removal: "copilot plugin uninstall commonplace@commonplace",
    },
  },
];

/** Returns notes for a person after a change of a host's configuration. */
export function notesAfter({ takesEffect, onceAdded }: Host, removes: boolean): string[] {
  return [takesEffect, ...(removes || onceAdded === undefined ? [] : [onceAdded])];
}

function plainEntry({ command, args, env }: Launch): Record<string, unknown> {
  return { command, args: [...args], ...(env === undefined ? {} : { env: { ...env } }) };
}

function openCodeEntry({ command, args, env }: Launch): Record<string, unknown> {
  return { type: "local", command: [command, ...args], ...(env === undefined ? {} : { environment: { ...env } }) };
}
