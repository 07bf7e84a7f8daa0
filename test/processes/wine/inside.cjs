// Runs in Wine, on Windows' Node: starts a program with real pipes of Windows,
// and carries its streams to outside.mjs over loopback. A pipe of Linux cannot
// be a standard stream there (open EBADF).
"use strict";
/** @import { Socket } from "node:net" */
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { connect } = require("node:net");

const [ports = "", ...args] = process.argv.slice(2);
const child = spawn(process.execPath, args, { stdio: "pipe", windowsHide: true });
const [stdin, stdout, stderr, exit] = /** @type {[Socket, Socket, Socket, Socket]} */ (
  ports.split(",").map((port) => connect({ port: Number(port), host: "127.0.0.1" }).on("error", () => child.kill()))
);

stdin.pipe(child.stdin.on("error", () => {}));
const carried = [once(child.stdout.pipe(stdout), "finish"), once(child.stderr.pipe(stderr), "finish")];
child.on("close", async (code, signal) => {
  await Promise.all(carried);
  stdin.destroy();
  exit.end(String(signal ?? code));
});
