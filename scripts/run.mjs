// Runs every npm script of a checkout. On a fresh clone it first installs Node
// if the system's version does not fit, installs the packages and builds, and
// then runs the task. What has not changed is not done again.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { LAUNCH_FLAGS } from "../bin/launch-flags.js";
import { fits, NEEDED } from "../bin/node-range.js";
import { devTool } from "./dev-tool.mjs";
import { installNode, RELEASES } from "./node-releases.mjs";
import { installPackages } from "./packages.mjs";
import { Failure, ROOT, runStep, runTask } from "./steps.mjs";
import { isWhole, makeWhole } from "./whole-folders.mjs";

const [task = "", ...given] = process.argv.slice(2);
// npm takes a first `--` away, pnpm passes it on: the test runner would ignore all behind it, and run everything.
const rest = given[0] === "--" ? given.slice(1) : given;

// Node 22 runs TypeScript only with this flag; Node 24 does it by default.
const TYPESCRIPT = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];

try {
  process.exitCode = fits(process.versions.node) ? await runSetUp() : await runWithFittingNode();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  if (error.message !== "") console.error(error.message);
  process.exitCode = error.exitCode;
}

/** @returns {Promise<number>} */
async function runWithFittingNode() {
  const needed = `${NEEDED}, and this is ${process.versions.node}`;
  if (RELEASES === undefined) throw new Failure(`${needed}: install another one from nodejs.org.`);
  const release = RELEASES.development;
  const node = await installNode(".node", release, `${needed}: installing Node ${release} into .node/`);
  const path = dirname(node) + delimiter + process.env["PATH"];
  return runTask(node, [fileURLToPath(import.meta.url), task, ...rest], { ...process.env, PATH: path });
}

/** @returns {Promise<number>} */
async function runSetUp() {
  const inputs = hashOf([
    "src",
    "web",
    "assets",
    "bin/launch-flags.js",
    "bin/node-range.js",
    "scripts/build.ts",
    "scripts/lazy-schemas.ts",
    "scripts/program-constants.ts",
    "package.json",
    "package-lock.json",
  ]);
  const isBuilt = isWhole("dist", [inputs]);
  try {
    await installPackages({ buildOnly: task === "start" || task === "build" });
  } catch (error) {
    // What is built runs without the packages.
    if (!isBuilt || task !== "start" || !(error instanceof Failure) || error.message === "") throw error;
    console.error(`${error.message} The program that is built is started without them.`);
  }
  await makeWhole("dist", [inputs], "Building the program into dist.", async (draft) => {
    const path = join(draft, "dist");
    const status = await runStep(process.execPath, [...TYPESCRIPT, "scripts/build.ts", path]);
    if (status !== 0) throw new Failure("", status);
    return { path, inputs };
  });
  return runNamed();
}

/** @param {string[]} paths files and folders below the root */
function hashOf(paths) {
  const hash = createHash("sha256");
  const add = (/** @type {string} */ path) => hash.update(path + "\0").update(readFileSync(join(ROOT, path)));
  for (const path of paths) {
    if (/\.\w+$/.test(path)) add(path);
    else
      for (const file of readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" }).sort())
        if (/\.\w+$/.test(file)) add(join(path, file));
  }
  return hash.digest("hex");
}

/** @returns {Promise<number>} */
async function runNamed() {
  switch (task) {
    case "build":
      return 0;
    case "start":
      return runTask(process.execPath, [
        ...LAUNCH_FLAGS,
        "bin/commonplace.js",
        "serve",
        "--http",
        "--welcome",
        ...rest,
      ]);
    case "test":
    case "check":
    case "test:all":
    case "test:long":
      return runTask(process.execPath, [...TYPESCRIPT, "scripts/test.ts", task, ...rest]);
    case "renew":
      return runTask(process.execPath, [devTool("vitest"), "run", "test/committed.test.ts", "test/readme.test.ts"], {
        ...process.env,
        RENEW: "1",
      });
    case "format": {
      // Formats the files even if the linter reports errors that it cannot fix.
      const linted = await runTask(process.execPath, [devTool("oxlint"), "--fix"]);
      return (await runTask(process.execPath, [devTool("oxfmt")])) || linted;
    }
    case "bundle":
      return runTask(process.execPath, [...TYPESCRIPT, "scripts/bundle.ts", ...rest]);
    case "bench":
      return runTask(process.execPath, [...TYPESCRIPT, "bench/run.ts", ...rest]);
    case "plugin":
      return runTask(process.execPath, [...TYPESCRIPT, "scripts/plugin.ts"]);
    case "verify-plugin":
      return (
        (await runTask(process.execPath, [...TYPESCRIPT, "scripts/plugin.ts"])) ||
        runTask(process.execPath, [...TYPESCRIPT, "scripts/plugin/verify.ts", ...rest])
      );
    case "pictures":
    case "release-check":
    case "lint-delivery":
      return runTask(process.execPath, [...TYPESCRIPT, `scripts/${task}.ts`]);
    case "windows":
      return runTask(process.execPath, [...TYPESCRIPT, "scripts/windows/run.ts", ...rest]);
    case "tokens":
    case "lines":
      return runTask(process.execPath, [...TYPESCRIPT, `scripts/${task}.ts`]);
    case "eval":
      return runTask(process.execPath, [...TYPESCRIPT, "eval/run.ts", ...rest]);
    case "mutate":
      return runTask(process.execPath, [...TYPESCRIPT, "scripts/mutate.ts", ...rest]);
    case "try-omnioutliner":
      return runTask(process.execPath, [...TYPESCRIPT, "scripts/try-omnioutliner.ts"]);
    case "verify-programs":
      return runTask(process.execPath, [...TYPESCRIPT, "scripts/verify-programs/run.ts", ...rest]);
    default:
      console.error(
        `scripts/run.mjs: no task '${task}'. There are start, check, test, test:all, test:long, build, bundle, plugin, verify-plugin, verify-programs, windows, try-omnioutliner, lint-delivery, release-check, bench, renew, tokens, lines, eval, mutate, pictures and format.`,
      );
      return 2;
  }
}
