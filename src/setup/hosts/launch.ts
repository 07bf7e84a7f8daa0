// The command by which a host starts this program: with a supported Node, no
// matter which one the host would find, and by paths that survive an update.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { LAUNCH_FLAGS } from "../../../bin/launch-flags.js";
import { realPath } from "../../files/files.ts";
import type { Machine } from "./known-hosts.ts";

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The current process. */
export interface RunningProgram extends Pick<Machine, "system" | "environment"> {
  /** `process.execPath` */
  readonly node: string;
  /** `process.argv[1]` */
  readonly script: string;
}

export function launchOf(running: RunningProgram, settingFlags: readonly string[]): Launch {
  const node = stableNodePath(running);
  const script = realPath(running.script);
  // npx keeps packages in a cache that may be emptied: the entry names the package instead.
  if (/[/\\]_npx[/\\]/.test(script)) return npxLaunch(running, node, settingFlags);
  return { command: node, args: [...LAUNCH_FLAGS, script, ...settingFlags] };
}

/**
 * The current Node as it is found on PATH, if it is. When a package manager
 * updates Node, it redirects that path and deletes the folder with the version
 * in its name. Paths that exist for one shell session only are skipped.
 */
function stableNodePath({ node, system, environment }: RunningProgram): string {
  const program = `node${system.programEnding}`;
  const real = realPath(node);
  for (const folder of (environment["PATH"] ?? environment["Path"] ?? "").split(system.listSeparator)) {
    const named = join(folder, program);
    if (/fnm_multishells|[/\\]node_modules[/\\]/.test(folder) || !existsSync(named)) continue;
    if (realPath(named) === real) return named;
  }
  return node;
}

/**
 * npx runs the program with the first Node on PATH, and hosts set PATH
 * themselves: Claude Desktop puts nvm's oldest version first, others know no
 * version manager at all. So the entry sets both Node and PATH. npx passes no
 * options on to Node; the variable does.
 */
function npxLaunch({ system, environment }: RunningProgram, node: string, settingFlags: readonly string[]): Launch {
  const isWindows = system.family === "win32";
  const args = ["-y", "commonplace-mcp", ...settingFlags];
  const options = { NODE_OPTIONS: LAUNCH_FLAGS.join(" ") };
  const folder = dirname(node);
  const cli = [
    join(folder, "..", "lib", "node_modules", "npm", "bin", "npx-cli.js"),
    join(folder, "node_modules", "npm", "bin", "npx-cli.js"),
  ].find((path) => existsSync(path));
  if (cli === undefined) {
    // Windows cannot start npm's scripts (.cmd) directly.
    return isWindows
      ? { command: "cmd", args: ["/c", "npx", ...args], env: options }
      : { command: "npx", args, env: options };
  }
  const windows = environment["SystemRoot"] ?? "C:\\Windows";
  const usual = isWindows ? [`${windows}\\System32`, windows] : ["/usr/local/bin", "/usr/bin", "/bin"];
  const path = [...new Set([folder, ...usual])].join(system.listSeparator);
  return { command: node, args: [cli, ...args], env: { PATH: path, ...options } };
}

/** The words by which a user runs this program, for hints that contain a command. */
export function calledAs({ script }: Pick<RunningProgram, "script">): string[] {
  const real = realPath(script);
  if (/[/\\]_npx[/\\]/.test(real)) return ["npx", "commonplace-mcp"];
  const isCheckout = existsSync(join(dirname(real), "..", "scripts", "run.mjs"));
  return isCheckout ? ["node", real] : ["commonplace"];
}
