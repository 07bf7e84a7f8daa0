// Servers that are too large to install for every test run: installed by the
// comparison when it needs them, into `.node/`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { npmCommand } from "../../scripts/steps.mjs";

const FOLDER = join(import.meta.dirname, "..", "..", ".node", "peers");

/** @returns the script that starts it */
export function installedServer(name: string, version: string, script: string): string {
  const path = join(FOLDER, `${name}-${version}`, "node_modules", name, script);
  if (existsSync(path)) return path;
  const [command, ...first] = npmCommand();
  const install = ["install", "--prefix", join(FOLDER, `${name}-${version}`), "--ignore-scripts", "--no-audit"];
  spawnSync(command!, [...first, ...install, "--no-fund", "--loglevel=error", `${name}@${version}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (!existsSync(path)) throw new Error(`${name} could not be installed.`);
  return path;
}
