// The processes that tests start: the Node that runs the packed program, and
// programs of the tests as one file of JavaScript each, which run on any
// release, start quickly, and can be read by users without access to the checkout.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";
import { DEFINED_CONSTANTS } from "../../scripts/program-constants.ts";
import { OLDEST } from "../../bin/node-range.js";
import { atTheEnd } from "../temporary-folder.ts";

/** The Node under test: the one that runs the tests, or the release that scripts/test.ts names. */
export const NODE = process.env["COMMONPLACE_TEST_NODE"] ?? process.execPath;

export const nodeVersion = (): string =>
  execFileSync(NODE, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();

/** A user without any rights, whom only root can become. */
export const NOBODY = 65_534;

/** How a process is started that has given up the rights of root. */
export const AS_NOBODY = { uid: NOBODY, gid: NOBODY, cwd: "/", env: {} } as const;

let folder: string | undefined;

/** Where every user can read; gone after the tests of this file. */
function publicFolder(): string {
  if (folder !== undefined) return folder;
  folder = mkdtempSync(join(tmpdir(), "commonplace-child-"));
  chmodSync(folder, 0o755);
  atTheEnd(() => {
    rmSync(folder!, { recursive: true, force: true });
    folder = undefined;
  });
  return folder;
}

/** @returns the arguments for Node that run a program in TypeScript: its path, and what it imports, bundled */
export function bundled(program: string): string[] {
  const outfile = join(publicFolder(), basename(program).replace(/\.ts$/, ".mjs"));
  buildSync({
    entryPoints: [program],
    outfile,
    bundle: true,
    define: DEFINED_CONSTANTS,
    platform: "node",
    format: "esm",
    target: `node${OLDEST}`,
    // Packages in CommonJS call it for the modules of Node.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  });
  chmodSync(outfile, 0o644);
  return ["--disable-warning=ExperimentalWarning", outfile];
}

let nodeOfNobody: string | undefined;

/** The Node under test, at a path that this user can reach: a checkout may be in a folder that only root can enter. */
export function nodeForNobody(): string {
  if (nodeOfNobody !== undefined) return nodeOfNobody;
  if (spawnSync(NODE, ["--version"], AS_NOBODY).status === 0) return (nodeOfNobody = NODE);
  nodeOfNobody = join(publicFolder(), "node");
  copyFileSync(NODE, nodeOfNobody);
  chmodSync(nodeOfNobody, 0o755);
  return nodeOfNobody;
}
