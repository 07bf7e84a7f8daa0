// The folders that a checkout needs and git does not have: Node, the packages and
// the built program. Each is whole or not there: it is made as a draft and renamed,
// and a list of its files with their sizes says later whether it still is whole.
// Used by run.mjs and by what installs for it.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { lockCheckout } from "./checkout-lock.mjs";
import { Failure, ROOT } from "./steps.mjs";

const DRAFTS = join(ROOT, ".node", "drafts");
const LISTS = join(ROOT, ".node", "lists");

/**
 * @typedef {object} FileList
 * @property {string} inputs from which the folder was made
 * @property {Record<string, Record<string, number>>} files sizes by folder and name; -1 stands for a link
 */

/**
 * Makes a folder unless it is whole and was made from the same inputs.
 * @param {string} folder below the root
 * @param {readonly string[]} inputs any of which will do
 * @param {string} announcement
 * @param {(draft: string) => Promise<{ path: string, inputs: string }>} make makes it below an empty folder
 */
export async function makeWhole(folder, inputs, announcement, make) {
  if (isWhole(folder, inputs)) return;
  try {
    const unlock = await lockCheckout();
    try {
      const reason = faultOf(folder, inputs);
      if (reason === undefined) return;
      const wasInterrupted = deleteDrafts();
      const why = reason || (wasInterrupted ? "An earlier run was interrupted." : "");
      console.error(why === "" ? announcement : `${why} ${announcement}`);
      await makeAndReplace(folder, make);
    } finally {
      await unlock();
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${folder} could not be made: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string} folder @param {Parameters<typeof makeWhole>[3]} make */
async function makeAndReplace(folder, make) {
  const draft = join(DRAFTS, draftName());
  try {
    mkdirSync(draft, { recursive: true });
    const { path, inputs } = await make(draft);
    const list = join(draft, "list.json");
    writeFileSync(list, JSON.stringify({ inputs, files: filesIn(path) }));
    replace(join(ROOT, folder), path);
    mkdirSync(LISTS, { recursive: true });
    renamePatiently(list, listOf(folder));
  } finally {
    remove(draft);
  }
}

/** @param {string} folder @param {readonly string[]} inputs */
export function isWhole(folder, inputs) {
  return faultOf(folder, inputs) === undefined;
}

/**
 * The inputs from which a folder was made, or undefined.
 * @param {string} folder @returns {string | undefined}
 */
export function inputsOf(folder) {
  return readList(folder)?.inputs;
}

/**
 * A sentence about why a folder has to be made, empty if that is no surprise; undefined if it is whole.
 * @param {string} folder @param {readonly string[]} inputs
 */
function faultOf(folder, inputs) {
  if (!existsSync(join(ROOT, folder))) return "";
  const list = readList(folder);
  if (list === undefined) return `It is not known whether ${folder} is complete.`;
  const missing = missingFiles(join(ROOT, folder), list);
  const [first, ...more] = missing;
  if (first !== undefined)
    return `${folder} is incomplete: ${first}${more.length > 0 ? ` and ${more.length} more files are` : " is"} missing or cut off.`;
  return inputs.includes(list.inputs) ? undefined : "";
}

/** @param {string} folder @returns {FileList | undefined} */
function readList(folder) {
  try {
    return JSON.parse(readFileSync(listOf(folder), "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
function listOf(folder) {
  return join(LISTS, `${folder.replace(/\W+/g, "-")}.json`);
}

/** @param {string} folder @param {FileList} list @returns {string[]} */
function missingFiles(folder, { files }) {
  /** @type {string[]} */
  const missing = [];
  for (const [path, names] of Object.entries(files))
    for (const [name, size] of Object.entries(names)) {
      const stats = lstatSync(join(folder, path, name), { throwIfNoEntry: false });
      if (stats === undefined || (size >= 0 && stats.size !== size)) missing.push(join(path, name));
    }
  return missing;
}

/** npm's own notes at the top of node_modules, which any later use of npm rewrites, are left out. @param {string} folder */
function filesIn(folder) {
  /** @type {FileList["files"]} */
  const files = {};
  const walk = (/** @type {string} */ path) => {
    /** @type {Record<string, number>} */
    const names = {};
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      if (entry.isDirectory()) walk(join(path, entry.name));
      else if (path !== "" || entry.name !== ".package-lock.json")
        names[entry.name] = entry.isFile() ? lstatSync(join(folder, path, entry.name)).size : -1;
    }
    files[path] = names;
  };
  walk("");
  return files;
}

/** The process comes first: the draft of one that is gone is not needed by anybody. */
function draftName() {
  return `${process.pid}-${Date.now().toString(36)}`;
}

/** Deletes the drafts of runs that were killed. @returns {boolean} whether there were any */
function deleteDrafts() {
  if (!existsSync(DRAFTS)) return false;
  const left = readdirSync(DRAFTS).filter((name) => !isRunning(parseInt(name, 10)));
  for (const name of left) remove(join(DRAFTS, name));
  return left.length > 0;
}

/** @param {number} pid */
function isRunning(pid) {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** A step that was left running may still write: what it leaves is deleted by a later run. @param {string} path */
function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It only takes up space.
  }
}

/** Until the list is renamed, too, the old one does not fit the new folder. @param {string} path @param {string} made */
function replace(path, made) {
  mkdirSync(dirname(path), { recursive: true });
  const old = join(DRAFTS, `${draftName()}-old`);
  for (let tries = 0; ; tries++) {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) renamePatiently(path, old);
    try {
      renamePatiently(made, path);
      return remove(old);
    } catch (error) {
      // Without a lock another run may have put its own there.
      if (tries === 3 || lstatSync(path, { throwIfNoEntry: false }) === undefined) throw error;
      remove(old);
    }
  }
}

/** Windows refuses for as long as a scanner reads a file. @param {string} from @param {string} to */
function renamePatiently(from, to) {
  for (let tries = 0; ; tries++) {
    try {
      return renameSync(from, to);
    } catch (error) {
      const { code = "" } = /** @type {NodeJS.ErrnoException} */ (error);
      if (process.platform !== "win32" || tries === 20 || !/^(?:EPERM|EACCES|EBUSY)$/.test(code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    }
  }
}
