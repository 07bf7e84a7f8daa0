// The programs that can use this server, and how each is told about it.
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** How a host starts this server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Host {
  readonly name: string;
  readonly title: string;
  /** What a person does to connect it, in one or a few lines. */
  readonly steps: (launch: Launch) => string;
}

export const HOSTS: readonly Host[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    steps: (launch) => `claude mcp add --scope user commonplace -- ${shell([launch.command, ...launch.args])}`,
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    steps: (launch) => entryIn(claudeDesktopConfig(), "mcpServers", launch),
  },
  {
    name: "cursor",
    title: "Cursor",
    steps: (launch) => entryIn(join("~", ".cursor", "mcp.json"), "mcpServers", launch),
  },
  {
    name: "windsurf",
    title: "Windsurf",
    steps: (launch) => entryIn(join("~", ".codeium", "windsurf", "mcp_config.json"), "mcpServers", launch),
  },
  {
    name: "vscode",
    title: "VS Code",
    steps: (launch) => `code --add-mcp ${shell([JSON.stringify({ name: "commonplace", ...launch })])}`,
  },
];

/** This very program, with the Node that runs it now: the one that a host finds first may be too old. */
export function thisProgram(settingFlags: readonly string[]): Launch {
  const script = realpathSync(process.argv[1]!);
  // npx keeps packages in a folder that it may empty: name the package instead.
  if (/[/\\]_npx[/\\]/.test(script)) return { command: "npx", args: ["-y", "commonplace-mcp", ...settingFlags] };
  return { command: process.execPath, args: [script, ...settingFlags] };
}

function entryIn(file: string, key: string, launch: Launch): string {
  return `add to ${file}:\n${JSON.stringify({ [key]: { commonplace: launch } })}`;
}

function claudeDesktopConfig(): string {
  const file = join("Claude", "claude_desktop_config.json");
  if (process.platform === "darwin") return join("~", "Library", "Application Support", file);
  if (process.platform === "win32") return join(process.env["APPDATA"] ?? join(homedir(), "AppData", "Roaming"), file);
  return join("~", ".config", file);
}

/** Words as a shell takes them. */
function shell(words: readonly string[]): string {
  if (process.platform === "win32")
    return words.map((word) => (/[\s"]/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word)).join(" ");
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
