// What to do where the Node at hand is too old: run the program with the Node
// that the checkout's set-up brought into .node/, or say what to install.
"use strict";

var fs = require("fs");
var path = require("path");
var spawn = require("child_process").spawn;

var MINIMUM = "22.13";

/**
 * The Node inside a checkout's .node/ folder, or undefined where there is none.
 * @param {string} root
 * @returns {string | undefined}
 */
function findCheckoutNode(root) {
  var packages = path.join(root, ".node", "node_modules");
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
      "Node " +
        MINIMUM +
        " or newer is needed, and this is " +
        process.versions.node +
        (isCheckout ? ": run npm start, which brings one" : ": install a newer one from nodejs.org"),
    );
  }
  var child = spawn(node, [script].concat(process.argv.slice(2)), { stdio: "inherit" });
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

module.exports = {
  MINIMUM: MINIMUM,
  fail: fail,
  findCheckoutNode: findCheckoutNode,
  runWithCheckoutNode: runWithCheckoutNode,
};
