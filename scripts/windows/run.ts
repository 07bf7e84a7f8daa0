// npm run windows: installs Wine with Windows' Node where that is possible, and
// runs the tests of the packed program there. Fails where it cannot.
import { spawnSync } from "node:child_process";
import { devTool } from "../dev-tool.mjs";
import { findOrInstallWine } from "./wine.mjs";

if (findOrInstallWine() === undefined) {
  console.error("Wine could not be found or installed: that takes Debian or Ubuntu on x64, and root.");
  process.exit(1);
}
const tests = [devTool("vitest"), "run", "test/e2e/windows", ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, tests, { stdio: "inherit" }).status ?? 1;
