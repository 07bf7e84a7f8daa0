// Where Node keeps the compiled program between starts: the user's own cache
// folder. Node's default, the shared temporary folder, would let another user
// of the machine plant code there.
"use strict";

var os = require("node:os");
var path = require("node:path");

module.exports = function compileCacheFolder() {
  var env = process.env;
  if (env["NODE_COMPILE_CACHE"]) return env["NODE_COMPILE_CACHE"];
  if (process.platform === "darwin") {
    return path.join(os.homedir(), "Library", "Caches", "commonplace", "compiled");
  }
  if (process.platform === "win32") {
    var local = env["LOCALAPPDATA"] || path.join(os.homedir(), "AppData", "Local");
    return path.join(local, "commonplace", "Cache", "compiled");
  }
  var cache = env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache");
  return path.join(cache, "commonplace", "compiled");
};
