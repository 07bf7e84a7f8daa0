// Installs the packages of package-lock.json into node_modules: about 50 for the
// build, and for tests, checks and benchmarks 400 more, which test/package.json
// lists: a workspace. Used by run.mjs.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure, npmInstall, ROOT } from "./steps.mjs";
import { inputsOf, makeWhole } from "./whole-folders.mjs";

/** All that npm reads of the checkout. */
const INPUTS = ["package.json", "package-lock.json", ".npmrc", "test/package.json", "scripts/no-canvas/package.json"];

/** @param {{ buildOnly: boolean }} scope */
export async function installPackages({ buildOnly }) {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}`);
  for (const path of INPUTS) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  const lock = hash.digest("hex");
  const [all, few] = [`all ${lock}`, `build ${lock}`];
  // The packages of tests stay where they have been installed, by npm itself too.
  const takesAll = !buildOnly || (inputsOf("node_modules")?.startsWith("all ") ?? hasPackagesOfTests());
  await makeWhole(
    "node_modules",
    takesAll ? [all] : [all, few],
    takesAll
      ? "Installing the packages for the build and the tests into node_modules. This can take a minute."
      : "Installing the packages for the build into node_modules. This takes a few seconds.",
    async (draft) => {
      for (const path of INPUTS) {
        mkdirSync(dirname(join(draft, path)), { recursive: true });
        copyFileSync(join(ROOT, path), join(draft, path));
      }
      // Not `npm ci`: it refuses a lock file without the optional packages of other
      // systems, which the registry that wrote ours does not carry.
      await npmInstall(draft, ["--no-save", ...(takesAll ? [] : ["--workspaces=false"])]);
      const missing = missingPackages(draft);
      if (missing.length > 0)
        throw new Failure(`npm left out ${missing.join(", ")}. Look whether the network is there, and start again.`);
      if (process.platform === "win32") linkToRoot(draft);
      return { path: join(draft, "node_modules"), inputs: takesAll ? all : few };
    },
  );
}

function hasPackagesOfTests() {
  return existsSync(join(ROOT, "node_modules", "vitest"));
}

/**
 * @typedef {object} LockedPackage
 * @property {string} [resolved]
 * @property {boolean} [link]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 */

/**
 * The packages that npm has not installed though they are for this system. An
 * optional one, such as the program of esbuild, is left out without an error
 * when the network fails in the middle.
 * @param {string} folder @returns {string[]}
 */
export function missingPackages(folder) {
  const installed = packagesIn(join(folder, "node_modules", ".package-lock.json"));
  const locked = packagesIn(join(folder, "package-lock.json"));
  const isThere = (/** @type {string} */ path) => existsSync(join(folder, path, "package.json"));
  const wanted = new Set(Object.keys(installed).filter((path) => path.includes("node_modules/")));
  for (const path of wanted)
    for (const name of Object.keys(locked[path]?.optionalDependencies ?? {})) {
      const place = placesOf(name, path).find((candidate) => locked[candidate] !== undefined);
      const optional = place === undefined ? undefined : locked[place];
      if (place !== undefined && optional !== undefined && isForThisSystem(optional)) wanted.add(place);
    }
  return [...wanted].filter((path) => !isThere(path));
}

/** @param {string} file @returns {Record<string, LockedPackage>} */
function packagesIn(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/** Where a package may be that another one needs, the nearest first. @param {string} name @param {string} path */
function placesOf(name, path) {
  const places = [];
  for (let above = path; above !== ""; above = above.slice(0, Math.max(0, above.lastIndexOf("/node_modules/"))))
    places.push(`${above}/node_modules/${name}`);
  return [...places, `node_modules/${name}`];
}

/** @param {LockedPackage} locked */
function isForThisSystem({ os, cpu, libc }) {
  return allows(os, process.platform) && allows(cpu, process.arch) && (libc === undefined || allows(libc, ownLibc()));
}

/** @param {readonly string[] | undefined} names @param {string} own */
function allows(names, own) {
  if (names === undefined || names.includes(own)) return true;
  return !names.includes(`!${own}`) && names.every((name) => name.startsWith("!"));
}

function ownLibc() {
  const report = /** @type {any} */ (process.report?.getReport());
  return report?.header?.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

/** Windows links folders by their full path, which is that of the draft. @param {string} draft */
function linkToRoot(draft) {
  for (const [path, { link, resolved }] of Object.entries(packagesIn(join(draft, "package-lock.json")))) {
    if (!link || resolved === undefined || !existsSync(join(draft, path))) continue;
    rmSync(join(draft, path), { recursive: true });
    symlinkSync(join(ROOT, resolved), join(draft, path), "junction");
  }
}
