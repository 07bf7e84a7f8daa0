// Where a development tool's program is: to be run with the Node at hand, on
// every system, without npm in between.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules");

/** @param {string} name the package; its first `bin` is used @returns {string} */
export function devTool(name) {
  const { bin } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
  return join(packages, name, typeof bin === "string" ? bin : String(Object.values(bin)[0]));
}
