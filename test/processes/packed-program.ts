// Before the tests: packs the program as it would be published, and unpacks it
// into a folder of its own. The end-to-end tests run what a user gets.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the unpacked package. */
    packageFolder: string;
  }
}

export function setup(project: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-packed-")));
  const npm = process.env["npm_execpath"];
  const [command, ...first] = npm === undefined ? ["npm"] : [process.execPath, npm];
  execFileSync(command!, [...first, "pack", "--ignore-scripts", "--silent", "--pack-destination", folder]);
  const archive = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
  execFileSync("tar", ["-xzf", archive], { cwd: folder });
  project.provide("packageFolder", join(folder, "package"));
  return () => rmSync(folder, { recursive: true, force: true });
}
