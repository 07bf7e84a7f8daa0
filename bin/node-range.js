// The releases of Node that run this program: those with full-text search
// (FTS5) in node:sqlite, which 22 has had since 22.16, and 23 never had.
// package.json says the same to npm, and a test compares the two.
"use strict";

/** @param {string} version */
function fits(version) {
  var major = parseInt(version, 10);
  var minor = parseInt(version.slice(version.indexOf(".") + 1), 10);
  return major >= 24 || (major === 22 && minor >= 16);
}

exports.fits = fits;
exports.OLDEST = "22.16.0";
exports.NEEDED = "Node 22.16 or newer, but not 23, is needed";
