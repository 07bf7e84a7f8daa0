// For a Node that is not supported: runs the program with the Node that the
// checkout installed into .node/, or says what to install. Used by commonplace.js
// and the scripts.
"use strict";

var fs = require("fs");
var path = require("path");
var spawn = require("child_process").spawn;
var LAUNCH_FLAGS = require("./launch-flags.js").LAUNCH_FLAGS;
var NEEDED = require("./node-range.js").NEEDED;

/**
 * The Node that scripts/run.mjs installed into the checkout, or undefined.
 * @param {string} root
 */
function findCheckoutNode(root) {
  return findNode(path.join(root, ".node")) || findNamedNode(root);
}

/**
 * The plugin's copy of the program has no Node, but a file with the path of the one that made it.
 * @param {string} root
 * @returns {string | undefined}
 */
function findNamedNode(root) {
  var file = path.join(root, "node-path.txt");
  if (!fs.existsSync(file)) return undefined;
  var node = fs.readFileSync(file, "utf8").trim();
  return fs.existsSync(node) ? node : undefined;
}

/**
 * The Node that npm installed as a package into a folder; or undefined.
 * @param {string} folder
 * @returns {string | undefined}
 */
function findNode(folder) {
  var packages = path.join(folder, "node_modules");
  if (!fs.existsSync(packages)) return undefined;
  var program = process.platform === "win32" ? "node.exe" : "node";
  return fs
    .readdirSync(packages)
    .map(function (name) {
      return path.join(packages, name, "bin", program);
    })
    .find(fs.existsSync);
}

/** @param {string} sentence */
function fail(sentence) {
  console.error("commonplace: " + sentence + ".");
  process.exit(1);
}

/** @param {string} script */
function runWithCheckoutNode(script) {
  var root = path.dirname(path.dirname(fs.realpathSync(script)));
  var node = findCheckoutNode(root);
  if (node === undefined) {
    var isCheckout = fs.existsSync(path.join(root, "scripts", "run.mjs"));
    return fail(
      NEEDED +
        ", and this is " +
        process.versions.node +
        (isCheckout ? ": run npm start, which installs one" : ": install another one from nodejs.org"),
    );
  }
  var child = spawn(node, LAUNCH_FLAGS.concat(script, process.argv.slice(2)), { stdio: "inherit" });
  process.on("SIGTERM", function () {
    child.kill("SIGTERM");
  });
  process.on("SIGHUP", function () {
    child.kill("SIGTERM");
  });
  // Ctrl-C reaches the program by itself; this process only waits for it.
  process.on("SIGINT", function () {});
  child.on("error", function (error) {
    fail("could not start " + node + ": " + error.message);
  });
  child.on("exit", function (code, signal) {
    process.exit(signal ? 1 : code);
  });
}

exports.fail = fail;
exports.findCheckoutNode = findCheckoutNode;
exports.findNode = findNode;
exports.runWithCheckoutNode = runWithCheckoutNode;
