// The path of a development tool's script, so that the current Node can run it on
// every system without npm. Used by run.mjs, test.ts and tests.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules");

/** @param {string} name the package; its first `bin` is used @returns {string} */
export function devTool(name) {
  const { bin } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
  return join(packages, name, typeof bin === "string" ? bin : String(Object.values(bin)[0]));
}
