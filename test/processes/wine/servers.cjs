// Runs in Wine, on Windows' Node, for the scripts of tests: starts the packed
// program with pipes of Windows, and calls its tools. Several at once cost one
// start each, where every client from outside costs two.
"use strict";
const { spawn, spawnSync } = require("node:child_process");
const { once } = require("node:events");
const { createInterface } = require("node:readline");

/** @typedef {Record<string, any>} Result */

/** Runs the program to its end. @param {string} program @param {string[]} args */
exports.run = (program, args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  return { code: status, stdout, stderr };
};

/** Starts a server on standard streams. @param {string} program @param {string[]} args */
exports.serve = async (program, args) => {
  const child = spawn(process.execPath, [program, "serve", ...args], { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "exit");
  /** @type {Map<number, (result: Result) => void>} */
  const waiting = new Map();
  createInterface(child.stdout).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    waiting.get(id)?.(result ?? { error });
  });
  // After a kill.
  child.stdin.on("error", () => {});
  let last = 0;
  /** @param {string} method @param {object} params @returns {Promise<Result>} */
  const request = (method, params) => {
    const id = ++last;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  await request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  return {
    /** @param {string} name @param {object} sent */
    call: async (name, sent) => (await request("tools/call", { name, arguments: sent }))["structuredContent"],
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
};

/**
 * Starts a server over HTTP. Its token is the one that it keeps: with the variable, this Node aborts in Wine.
 * @param {string} program @param {string[]} args
 */
exports.serveHttp = async (program, args) => {
  const child = spawn(process.execPath, [program, "serve", "--http", "0", ...args], { stdio: "pipe" });
  const ended = once(child, "exit");
  let said = "";
  for await (const piece of child.stderr) {
    said += piece;
    const url = /http:\/\/127\.0\.0\.1:\d+(?=\/)/.exec(said)?.[0];
    if (url !== undefined) return { url, end: () => (child.kill(), ended) };
  }
  throw new Error(`The server ended: ${said}`);
};
