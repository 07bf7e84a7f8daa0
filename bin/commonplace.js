#!/usr/bin/env node
// The program that package.json installs, in JavaScript that any Node can parse:
// a supported Node runs the built program at once, any other older-node.js.
"use strict";

if (require("./node-range.js").fits(process.versions.node)) {
  var program = require("node:path").join(__dirname, "..", "dist", "main.cjs");
  if (require("node:fs").existsSync(program)) {
    var compiled = require("./code-cache.js").load(program);
    compiled.exports.main(process.argv.slice(2), compiled.keep);
  } else require("./older-node.js").fail("this checkout is not built yet: run npm start, or npm run build");
} else {
  require("./older-node.js").runWithCheckoutNode(__filename);
}
