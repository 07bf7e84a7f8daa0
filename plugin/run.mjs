// Starts Commonplace for a host that has installed this plugin: the program that
// `npm run plugin` has put beside this file, or that of the checkout that this
// folder is in. `--later` starts it in the background and returns at once, since a
// host that ends does not wait.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const program = ["program", ".."]
  .map((folder) => join(here, folder))
  .find((folder) => existsSync(join(folder, "dist", "main.cjs")) && existsSync(join(folder, "bin", "commonplace.js")));
if (program === undefined) {
  process.stderr.write(
    "Commonplace is not built: run `npm run plugin` in its checkout, and install this plugin again.\n",
  );
  process.exit(1);
}
// Claude Code gives hooks what the person entered under this name.
process.env.COMMONPLACE_VAULT ||= process.env.CLAUDE_PLUGIN_OPTION_VAULT ?? "";
const start = join(program, "bin", "commonplace.js");
const args = process.argv.slice(2);
if (args.includes("--later")) {
  const child = spawn(process.execPath, [start, ...args.filter((arg) => arg !== "--later")], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.unref();
} else {
  process.argv[1] = start;
  await import(pathToFileURL(start).href);
}
