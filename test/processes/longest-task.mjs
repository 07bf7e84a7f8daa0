// Preloaded into a program: writes how long the tasks of its main thread compute, in
// milliseconds of the processor, one line each, to the file that LONG_TASKS names.
// A task that waits for the processor on a busy machine is not longer by that.
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** Between two ticks there is one task, or several that together take no longer. */
const TICK = 5;
const LEAST = 50;

const file = process.env["LONG_TASKS"];
if (isMainThread && file !== undefined && process.argv[1]?.endsWith("commonplace.js")) {
  let before = 0;
  setInterval(() => {
    const { user, system } = process.threadCpuUsage();
    const now = (user + system) / 1000;
    if (now - before > LEAST) appendFileSync(file, `${Math.round(now - before)}\n`);
    before = now;
  }, TICK).unref();
}
