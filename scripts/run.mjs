// Runs every npm script of a checkout. On a fresh clone it first installs Node
// if the system's version does not fit, installs the packages and builds, and
// then runs the task. What has not changed is not done again.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { LAUNCH_FLAGS } from "../bin/launch-flags.js";
import { fits, NEEDED } from "../bin/node-range.js";
import { findCheckoutNode } from "../bin/older-node.js";
import { devTool } from "./dev-tool.mjs";
import { prepareNodeInstall, npmCommand, RELEASES } from "./node-releases.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [task = "", ...rest] = process.argv.slice(2);

function justWait() {}

/**
 * Runs a command to its end. A signal meant for this process reaches the
 * command; Ctrl-C reaches it by itself, so it is only waited for.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 * @param {"inherit" | "ignore"} [stdout]
 * @returns {Promise<number>}
 */
function run(command, args, env = process.env, stdout = "inherit") {
  return new Promise((resolve, reject) => {
    const shell = process.platform === "win32" && command.endsWith(".cmd");
    const child = spawn(command, args, { cwd: root, stdio: ["inherit", stdout, "inherit"], env, shell });
    const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
    process.on("SIGTERM", forward).on("SIGHUP", forward).on("SIGINT", justWait);
    // npm and its shell die of a signal without passing it on: their child notices that it is an orphan.
    const parent = process.ppid;
    const watch = setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500);
    child.on("error", reject).on("exit", (code) => {
      clearInterval(watch);
      process.off("SIGTERM", forward).off("SIGHUP", forward).off("SIGINT", justWait);
      resolve(code ?? 1);
    });
  });
}

/** @param {string} command @param {string[]} args */
async function must(command, args) {
  const status = await run(command, args);
  if (status !== 0) process.exit(status);
}

/** Installs; what npm counts is left out, what it complains about is not. @param {string[]} args */
async function npm(args) {
  const [command, ...first] = npmCommand();
  const status = await run(command, [...first, ...args], process.env, "ignore");
  if (status === 0) return;
  console.error("The packages could not be installed. This is done once, and needs the network.");
  process.exit(status);
}

async function runWithFittingNode() {
  if (findCheckoutNode(root) === undefined) {
    if (RELEASES === undefined) {
      console.error(`${NEEDED}, and this is ${process.versions.node}: install another one from nodejs.org.`);
      process.exit(1);
    }
    const release = RELEASES.development;
    console.error(`${NEEDED}, and this is ${process.versions.node}: installing Node ${release} into .node/`);
    await npm(prepareNodeInstall(".node", release));
  }
  const node = findCheckoutNode(root) ?? process.exit(1);
  const path = dirname(node) + delimiter + process.env["PATH"];
  process.exit(await run(node, [fileURLToPath(import.meta.url), task, ...rest], { ...process.env, PATH: path }));
}

/** @param {string[]} paths files and folders below the root */
function hashOf(paths) {
  const hash = createHash("sha256").update(process.version);
  const add = (/** @type {string} */ path) => hash.update(path + "\0").update(readFileSync(join(root, path)));
  for (const path of paths) {
    if (/\.\w+$/.test(path)) add(path);
    else
      for (const file of readdirSync(join(root, path), { recursive: true, encoding: "utf8" }).sort())
        if (/\.\w+$/.test(file)) add(join(path, file));
  }
  return hash.digest("hex");
}

/**
 * Does the work unless its product is there and was made from the same inputs.
 * @param {string} product @param {string[]} inputs @param {() => Promise<void>} work
 */
async function unlessDone(product, inputs, work) {
  if (isDone(product, inputs)) return;
  const hash = hashOf(inputs);
  await work();
  writeFileSync(stampOf(product), hash);
}

/** @param {string} product @param {string[]} inputs */
function isDone(product, inputs) {
  const stamp = stampOf(product);
  return existsSync(join(root, product)) && existsSync(stamp) && readFileSync(stamp, "utf8") === hashOf(inputs);
}

/** @param {string} product */
function stampOf(product) {
  return join(root, "node_modules", `.made-${product.replace(/\W/g, "-")}`);
}

// Not `npm ci`: it refuses a lock file without the optional packages of other
// systems, which the registry that wrote ours does not carry.
const INSTALL = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

// The build needs few packages, which package.json lists. Tests, checks and
// benchmarks need 400 more, which test/package.json lists: a workspace.
const NEED_THE_BUILD_ONLY = new Set(["start", "build"]);

async function installPackages() {
  const lock = ["package-lock.json"];
  if (isDone("node_modules", lock)) return;
  if (!NEED_THE_BUILD_ONLY.has(task))
    return unlessDone("node_modules", lock, () => {
      console.error("Installing the packages for the build and the tests into node_modules. This can take a minute.");
      return npm(INSTALL);
    });
  return unlessDone("node_modules/esbuild", lock, () => {
    console.error("Installing the packages for the build into node_modules, and building. This takes a few seconds.");
    return npm([...INSTALL, "--workspaces=false"]);
  });
}

// Node 22 runs TypeScript only with this flag; Node 24 does it by default.
const TYPESCRIPT = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];

if (!fits(process.versions.node)) await runWithFittingNode();
await installPackages();
await unlessDone(
  "dist/main.cjs",
  [
    "src",
    "web",
    "bin/launch-flags.js",
    "bin/node-range.js",
    "scripts/build.ts",
    "scripts/lazy-schemas.ts",
    "package.json",
    "package-lock.json",
  ],
  () => must(process.execPath, [...TYPESCRIPT, "scripts/build.ts"]),
);
switch (task) {
  case "build":
    break;
  case "start":
    process.exitCode = await run(process.execPath, [
      ...LAUNCH_FLAGS,
      "bin/commonplace.js",
      "serve",
      "--http",
      "--welcome",
      ...rest,
    ]);
    break;
  case "test":
  case "check":
  case "test:long":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "scripts/test.ts", task, ...rest]);
    break;
  case "renew":
    process.exitCode = await run(
      process.execPath,
      [devTool("vitest"), "run", "test/committed.test.ts", "test/readme.test.ts"],
      {
        ...process.env,
        RENEW: "1",
      },
    );
    break;
  case "format":
    await must(process.execPath, [devTool("oxlint"), "--fix"]);
    await must(process.execPath, [devTool("oxfmt")]);
    break;
  case "bundle":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "scripts/bundle.ts", ...rest]);
    break;
  case "bench":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "bench/run.ts", ...rest]);
    break;
  case "plugin":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "scripts/plugin.ts"]);
    break;
  case "verify-plugin":
    await must(process.execPath, [...TYPESCRIPT, "scripts/plugin.ts"]);
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "scripts/plugin/verify.ts", ...rest]);
    break;
  case "release-check":
  case "lint-delivery":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, `scripts/${task}.ts`]);
    break;
  case "windows":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "scripts/windows/run.ts", ...rest]);
    break;
  case "try-container":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "scripts/container/run.ts"]);
    break;
  case "tokens":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "scripts/tokens.ts"]);
    break;
  case "eval":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "eval/run.ts", ...rest]);
    break;
  case "try-omnioutliner":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "scripts/try-omnioutliner.ts"]);
    break;
  case "verify-programs":
    process.exitCode = await run(process.execPath, [...TYPESCRIPT, "scripts/verify-programs/run.ts", ...rest]);
    break;
  default:
    console.error(
      `scripts/run.mjs: no task '${task}'. There are start, check, test, test:long, build, bundle, plugin, verify-plugin, verify-programs, windows, try-container, try-omnioutliner, lint-delivery, release-check, bench, renew, tokens, eval and format.`,
    );
    process.exitCode = 2;
}
