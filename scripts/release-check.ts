// npm run release-check: names what a publication needs and what of it is
// missing, and fails until everything is there.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { npmCommand } from "./steps.mjs";
import { type NameOnNpm, type ReleaseFiles, releaseNeeds } from "./release/needs.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
const FILES = [
  "package.json",
  "server.json",
  "CHANGELOG.md",
  "LICENSE",
  "plugin/.claude-plugin/plugin.json",
  ".github/workflows/release.yml",
] as const satisfies (keyof ReleaseFiles)[];

const files = Object.fromEntries(FILES.map((path) => [path, read(path)])) as unknown as ReleaseFiles;
const needs = releaseNeeds(files, nameOnNpm(packageJson.name));
for (const { what, isThere, todo } of needs) console.log(isThere ? `ok       ${what}` : `MISSING  ${what}: ${todo}`);
const missing = needs.filter(({ isThere }) => !isThere).length;
console.log(missing === 0 ? "\nEverything is there." : `\n${missing} of ${needs.length} are missing.`);
process.exitCode = missing === 0 ? 0 : 1;

function nameOnNpm(name: string): NameOnNpm {
  const [command, ...first] = npmCommand();
  const { status, stdout, stderr } = spawnSync(command, [...first, "view", name, "repository.url", "--json"], {
    encoding: "utf8",
    timeout: 60_000,
  });
  if (status === 0) return { repository: stdout.trim() === "" ? undefined : String(JSON.parse(stdout)) };
  return `${stdout}${stderr}`.includes("E404") ? "free" : "not asked";
}
