// Runs the built program with what V8 compiled of it in an earlier run. Node's
// own compile cache holds only what is compiled while a file is loaded; this
// one, made after the first call, holds the functions of that call as well: a
// start takes a sixth less with it, the first call a third. Kept in the user's
// own cache folder: in a shared one others could plant code.
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
/** What each was made after, the better one first. */
const KINDS = ["call", "start"];
const CHECKSUM_BYTES = 4;
const LONG_AGO = 30 * 24 * 60 * 60 * 1000;

/**
 * @param {string} program a CommonJS file in ASCII
 * @returns {{ exports: any, keep: (after: "start" | "call") => void }} `keep` writes down
 *   what is compiled by now, unless something as good is there
 */
function load(program) {
  const bytes = fs.readFileSync(program);
  const folder = process.env["NODE_DISABLE_COMPILE_CACHE"] ? undefined : compiledFolder();
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
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(program), module, program, path.dirname(program));
  return {
    exports: module.exports,
    keep: (after) => {
      if (folder === undefined || kept === after || kept === "call") return;
      // Under other flags than those of a start it would be of no use there.
      if (v8.cachedDataVersionTag() !== tag) return;
      kept = after;
      try {
        makeRoom(folder);
        writeChecked(fileOf(after), script.createCachedData());
        if (after === "call") fs.rmSync(fileOf("start"), { force: true });
      } catch {
        // The next start takes longer, and that is all.
      }
    },
  };
}

function compiledFolder() {
  const { env, platform } = process;
  if (env["NODE_COMPILE_CACHE"]) return env["NODE_COMPILE_CACHE"];
  if (platform === "darwin") return path.join(os.homedir(), "Library", "Caches", "commonplace", "compiled");
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"] || path.join(os.homedir(), "AppData", "Local");
    return path.join(local, "commonplace", "Cache", "compiled");
  }
  return path.join(env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache"), "commonplace", "compiled");
}

/**
 * V8 believes what it is given: bytes that a disk has lost would crash it.
 * @param {string} file
 */
function readChecked(file) {
  try {
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
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** @param {string} folder */
function makeRoom(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isFile() && Date.now() - fs.statSync(file).mtimeMs > LONG_AGO) fs.rmSync(file);
  }
}

module.exports = { load };
