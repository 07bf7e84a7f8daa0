// How a host starts this very program: with a Node that fits, whichever one the
// host would find by itself, and by paths that outlive an update.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { realPath } from "../../files/real-path.ts";
import type { Machine } from "./hosts.ts";

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What runs now. */
export interface Running extends Pick<Machine, "platform" | "environment"> {
  /** The Node, as `process.execPath` names it. */
  readonly node: string;
  /** The script, as `process.argv[1]` names it. */
  readonly script: string;
}

export function launchOf(running: Running, settingFlags: readonly string[]): Launch {
  const node = lastingNode(running);
  const script = realPath(running.script);
  // npx keeps packages in a folder that it may empty: the entry names the package instead.
  if (/[/\\]_npx[/\\]/.test(script)) return npxLaunch(running, node, settingFlags);
  return { command: node, args: [script, ...settingFlags] };
}

/**
 * The name under which the Node at hand is on the path, where there is one: a
 * package manager's update changes where that leads, and drops the real folder
 * with the version in its name. A name made for one shell only is none.
 */
function lastingNode({ node, platform, environment }: Running): string {
  const separator = platform === "win32" ? ";" : ":";
  const program = platform === "win32" ? "node.exe" : "node";
  const real = realPath(node);
  for (const folder of (environment["PATH"] ?? environment["Path"] ?? "").split(separator)) {
    const named = join(folder, program);
    if (/fnm_multishells|[/\\]node_modules[/\\]/.test(folder) || !existsSync(named)) continue;
    if (realPath(named) === real) return named;
  }
  return node;
}

/**
 * npx starts the program with the first Node on the path, and hosts make paths
 * of their own: Claude Desktop puts the oldest version of nvm first, others
 * know no version manager at all. So both are named.
 */
function npxLaunch({ platform, environment }: Running, node: string, settingFlags: readonly string[]): Launch {
  const args = ["-y", "commonplace-mcp", ...settingFlags];
  const folder = dirname(node);
  const cli = [
    join(folder, "..", "lib", "node_modules", "npm", "bin", "npx-cli.js"),
    join(folder, "node_modules", "npm", "bin", "npx-cli.js"),
  ].find((path) => existsSync(path));
  if (cli === undefined) {
    // Windows starts no script of npm's by its name.
    return platform === "win32" ? { command: "cmd", args: ["/c", "npx", ...args] } : { command: "npx", args };
  }
  const system = environment["SystemRoot"] ?? "C:\\Windows";
  const usual = platform === "win32" ? [`${system}\\System32`, system] : ["/usr/local/bin", "/usr/bin", "/bin"];
  const path = [...new Set([folder, ...usual])].join(platform === "win32" ? ";" : ":");
  return { command: node, args: [cli, ...args], env: { PATH: path } };
}

/** How a person calls this program, word by word, for the hints that name a command. */
export function calledAs({ script }: Pick<Running, "script">): string[] {
  const real = realPath(script);
  if (/[/\\]_npx[/\\]/.test(real)) return ["npx", "commonplace-mcp"];
  const isCheckout = existsSync(join(dirname(real), "..", "scripts", "run.mjs"));
  return isCheckout ? ["node", real] : ["commonplace"];
}
