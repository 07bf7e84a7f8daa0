// Runs the commands that a checkout needs for its own setup, and those of its
// tasks, to their end. Used by run.mjs and by what installs for it.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Ends the run with an exit code. Its message is for the person who started it; it may be empty. */
export class Failure extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const PARENT = process.ppid;
const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

function justWait() {}

/**
 * Runs the task itself to its end. A signal meant for this process reaches the
 * command; Ctrl-C reaches it by itself, so it is only waited for.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
export function runTask(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: "inherit", env });
    const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
    process.on("SIGTERM", forward).on("SIGHUP", forward).on("SIGINT", justWait);
    const stopWatching = whenOrphaned(() => child.kill("SIGTERM"));
    child.on("error", reject).on("exit", (code) => {
      stopWatching();
      process.off("SIGTERM", forward).off("SIGHUP", forward).off("SIGINT", justWait);
      resolve(code ?? 1);
    });
  });
}

/**
 * Runs a step of the setup. Any signal ends it, and with it the run: what it has
 * made by then is a draft, which the caller deletes.
 * @param {string} command @param {string[]} args
 * @param {{ cwd?: string, stdout?: "inherit" | "ignore" }} [options]
 * @returns {Promise<number>}
 */
export function runStep(command, args, { cwd = ROOT, stdout = "inherit" } = {}) {
  return new Promise((resolve, reject) => {
    const shell = process.platform === "win32" && command.endsWith(".cmd");
    const child = spawn(command, args, { cwd, stdio: ["ignore", stdout, "inherit"], shell });
    /** @type {number | undefined} */
    let stopped;
    const stop = (/** @type {keyof typeof SIGNAL_CODES} */ signal) => {
      stopped = SIGNAL_CODES[signal];
      child.kill("SIGTERM");
    };
    const signals = /** @type {(keyof typeof SIGNAL_CODES)[]} */ (Object.keys(SIGNAL_CODES));
    for (const signal of signals) process.on(signal, stop);
    const stopWatching = whenOrphaned(() => stop("SIGTERM"));
    child.on("error", reject).on("exit", (code) => {
      stopWatching();
      for (const signal of signals) process.off(signal, stop);
      if (stopped === undefined) resolve(code ?? 1);
      else reject(new Failure("", stopped));
    });
  });
}

/**
 * npm and its shell die of a signal without passing it on: their child notices that it is an orphan.
 * @param {() => void} react @returns {() => void} ends the watch
 */
function whenOrphaned(react) {
  const watch = setInterval(() => {
    if (process.ppid !== PARENT) react();
  }, 500);
  return () => clearInterval(watch);
}

/**
 * npm as a command and its first arguments, run by this very Node: the one on the path may belong to an older one.
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const cli = process.env["npm_execpath"];
  if (cli && /\.c?js$/.test(cli)) return [process.execPath, cli];
  return [process.platform === "win32" ? "npm.cmd" : "npm"];
}

/**
 * Has npm install into a folder. What it counts is left out, what it complains about is not.
 * Packages that the cache of npm has are not asked for again.
 * @param {string} folder with a package.json @param {string[]} args
 */
export async function npmInstall(folder, args) {
  const [command, ...first] = npmCommand();
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const status = await runStep(command, [...first, ...install, ...args], { cwd: folder, stdout: "ignore" });
  if (status !== 0)
    throw new Failure("The packages could not be installed. This is done once, and needs the network.", status);
}
