// Runs the built program with the code that V8 compiled in an earlier run. Node's
// own compile cache has only what is compiled while a file is loaded; this one,
// saved after the first call, has the functions of that call as well: a start
// takes a sixth less time with it, the first call a third. It is in the user's
// own cache folder, or below --home. In a folder that others can write, nothing
// is read or saved, since they could plant code. Used by commonplace.js.
"use strict";

const fs = require("node:fs");
const { createRequire } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const v8 = require("node:v8");
const vm = require("node:vm");
const { crc32 } = require("node:zlib");

const BEFORE = "(function (exports, require, module, __filename, __dirname) { ";
const AFTER = "\n})";
/** When a cache was written. One from after a call contains more functions and is preferred. */
const KINDS = ["call", "start"];
const CHECKSUM_BYTES = 4;
const DAY = 24 * 60 * 60 * 1000;
const LONG_AGO = 30 * DAY;
/** Names of cache files and their temporary files, of any version of this program and of Node. */
const NAMED = /^v\d+\.\d+\.\d+\S*-\w+-\d+-\d+-\d+-(?:call|start)(?:\.\d+\.tmp)?$/;

/**
 * @param {string} program a CommonJS file in ASCII
 * @returns {{ exports: any, keep: (after: "start" | "call") => void }} `keep` saves the
 *   code that is compiled by now, unless a cache that is as good exists
 */
function load(program) {
  const bytes = fs.readFileSync(program);
  const usual = process.env["NODE_DISABLE_COMPILE_CACHE"] ? undefined : compiledFolder();
  const folder = usual !== undefined && isOwn(usual) ? usual : undefined;
  const tag = v8.cachedDataVersionTag();
  const name = [process.version, process.arch, tag, crc32(bytes), bytes.length].join("-");
  const fileOf = (/** @type {string} */ kind) => path.join(folder ?? "", `${name}-${kind}`);
  const found = folder === undefined ? undefined : KINDS.find((kind) => fs.existsSync(fileOf(kind)));
  const cachedData = found && readChecked(fileOf(found));
  const script = new vm.Script(BEFORE + bytes.toString("latin1") + AFTER, {
    filename: program,
    columnOffset: -BEFORE.length,
    ...(cachedData && { cachedData }),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  let kept = cachedData === undefined || script.cachedDataRejected ? undefined : found;
  if (folder !== undefined && kept !== undefined) cleanUpDaily(folder, fileOf(kept));
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(program), module, program, path.dirname(program));
  return {
    exports: module.exports,
    keep: (after) => {
      if (folder === undefined || kept === after || kept === "call") return;
      // A command that writes nothing, or asks first, does not make the folder of --home either.
      const home = namedHome();
      if (home !== undefined && folder.startsWith(home) && !fs.existsSync(home)) return;
      kept = after;
      try {
        deleteOldFiles(folder);
        writeChecked(fileOf(after), script.createCachedData());
        if (after === "call") fs.rmSync(fileOf("start"), { force: true });
      } catch {
        // The next start takes longer; nothing else depends on it.
      }
    },
  };
}

function compiledFolder() {
  const { env, platform } = process;
  if (env["NODE_COMPILE_CACHE"]) return env["NODE_COMPILE_CACHE"];
  const home = namedHome();
  if (home !== undefined) return path.join(home, "cache", "compiled");
  if (platform === "darwin") return path.join(os.homedir(), "Library", "Caches", "commonplace", "compiled");
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"] || path.join(os.homedir(), "AppData", "Local");
    return path.join(local, "commonplace", "Cache", "compiled");
  }
  return path.join(env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache"), "commonplace", "compiled");
}

/** The folder that --home or its variable names: src/settings.ts reads both in the same way. */
function namedHome() {
  const all = process.argv.slice(2);
  const words = all.includes("--") ? all.slice(0, all.indexOf("--")) : all;
  const variable = process.env["COMMONPLACE_HOME"];
  let home = variable !== undefined && /^\$\{user_config\.\w+\}$/.test(variable) ? "" : variable;
  for (const [i, word] of words.entries()) {
    if (word === "--home") home = words[i + 1];
    else if (word.startsWith("--home=")) home = word.slice("--home=".length);
  }
  if (!home || home.includes("\0")) return undefined;
  return path.resolve(/^~(?=$|[/\\])/.test(home) ? path.join(os.homedir(), home.slice(1)) : home);
}

/**
 * Whether no other user can change the file; true if it does not exist yet.
 * @param {string} file
 */
function isOwn(file) {
  try {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || process.getuid === undefined) return true;
    return stats.uid === process.getuid() && (stats.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/**
 * Returns undefined if the checksum is wrong: damaged data would crash V8.
 * @param {string} file
 */
function readChecked(file) {
  try {
    if (!isOwn(file)) return undefined;
    const bytes = fs.readFileSync(file);
    const data = bytes.subarray(0, -CHECKSUM_BYTES);
    return bytes.readUInt32LE(data.length) === crc32(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} file @param {Buffer} data */
function writeChecked(file, data) {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(data));
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    fs.writeFileSync(temporary, Buffer.concat([data, checksum]), { mode: 0o600 });
    fs.chmodSync(temporary, 0o600);
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Once a day, sets the time of the file in use to now and deletes files that were
 * not used for long: those of other releases.
 * @param {string} folder
 * @param {string} file the one in use
 */
function cleanUpDaily(folder, file) {
  try {
    if (Date.now() - fs.statSync(file).mtimeMs < DAY) return;
    const now = new Date();
    fs.utimesSync(file, now, now);
    deleteOldFiles(folder);
  } catch {
    // Old files only take up space.
  }
}

/** @param {string} folder */
function deleteOldFiles(folder) {
  makeFolder(folder);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isFile() && NAMED.test(entry.name) && Date.now() - fs.statSync(file).mtimeMs > LONG_AGO) fs.rmSync(file);
  }
}

/**
 * Creates the folder for its owner only, whatever the umask, as own-files.ts does.
 * @param {string} folder
 */
function makeFolder(folder) {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  fs.mkdirSync(folder, { mode: 0o700 });
  fs.chmodSync(folder, 0o700);
}

module.exports = { load };
