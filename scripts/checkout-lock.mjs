// One run at a time sets up a checkout. The lock is a socket that is listened on:
// the system closes it however its process ends, so that no lock outlives a kill.
// Used by whole-folders.mjs.
import { createHash } from "node:crypto";
import { mkdirSync, unlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "./steps.mjs";

/**
 * A path relative to the root, which is the current folder: absolute paths of sockets are limited to 100 characters.
 */
const PATH =
  process.platform === "win32"
    ? `\\\\.\\pipe\\commonplace-${createHash("sha256").update(ROOT).digest("hex").slice(0, 32)}`
    : join(".node", "lock");

let hasSaid = false;

/** @returns {Promise<() => Promise<void>>} releases it */
export async function lockCheckout() {
  process.chdir(ROOT);
  mkdirSync(".node", { recursive: true });
  for (;;) {
    const server = await listen();
    if (server !== undefined) return () => new Promise((resolve) => server.close(() => resolve()));
    const wasHeld = await untilReleased(() => {
      if (!hasSaid) console.error("Another run is setting up this checkout: waiting for it.");
      hasSaid = true;
    });
    if (wasHeld) continue;
    // Left behind by a run that was killed.
    if (process.platform !== "win32") removeSocket();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** @returns {Promise<{ close(done: () => void): unknown } | undefined>} undefined if another process has it */
function listen() {
  return new Promise((resolve) => {
    /** @type {Set<import("node:net").Socket>} */
    const waiting = new Set();
    const server = createServer((socket) => {
      waiting.add(socket);
      socket.on("error", () => {}).on("close", () => waiting.delete(socket));
      socket.unref();
    });
    const close = (/** @type {() => void} */ done) => {
      server.close(() => done());
      for (const socket of waiting) socket.destroy();
    };
    server.on("error", (error) => {
      // Some file systems have no sockets. Two runs at once then do the work twice, each in a draft of its own.
      if (/** @type {NodeJS.ErrnoException} */ (error).code === "EADDRINUSE") resolve(undefined);
      else resolve({ close: (done) => done() });
    });
    server.listen(PATH, () => {
      server.unref();
      resolve({ close });
    });
  });
}

/**
 * Waits for the process that has the lock.
 * @param {() => void} onHeld @returns {Promise<boolean>} false if there is no such process
 */
function untilReleased(onHeld) {
  return new Promise((resolve) => {
    let isHeld = false;
    const socket = connect(PATH, () => {
      isHeld = true;
      onHeld();
    });
    socket.on("error", () => {}).on("close", () => resolve(isHeld));
    socket.resume();
  });
}

function removeSocket() {
  try {
    unlinkSync(PATH);
  } catch {
    // Another run was faster.
  }
}
