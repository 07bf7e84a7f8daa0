// The packed program, for end-to-end tests: run to its end, or served and
// spoken to by a real client.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { inject } from "vitest";
import { LAUNCH_FLAGS } from "../../bin/launch-flags.js";
import { NODE } from "./child.ts";
import { atTheEnd } from "../temporary-folder.ts";

export { atTheEnd, temporaryFolder } from "../temporary-folder.ts";

export const PROGRAM = join(inject("packageFolder"), "bin", "commonplace.js");

/** The two ways in which clients agree on a protocol version. */
export const ERAS = {
  "2025-11-25 and before": { versionNegotiation: { mode: "legacy" } },
  "2026-07-28": { versionNegotiation: { mode: { pin: "2026-07-28" } } },
} as const satisfies Record<string, ClientOptions>;

/**
 * What V8 compiled of the program, for all tests: with every home of a test a process
 * would compile it again, which takes longer than most of what tests do with it.
 */
const COMPILED = join(inject("packageFolder"), "..", "compiled");

/** The program keeps its compiled code in its home, as it does for a user. */
export const COMPILED_IN_HOME = { NODE_COMPILE_CACHE: "" };

/** The environment of a user who has set nothing, with a home of their own. */
export function environmentIn(home: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, NODE_COMPILE_CACHE: COMPILED };
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end. */
export function runProgram(
  args: readonly string[],
  { home, input = "", env = {}, nodeArgs = [] }: { home: string; input?: string | Buffer } & Machine,
): Promise<Ended> {
  const child = spawn(NODE, [...nodeArgs, PROGRAM, ...args], {
    cwd: home,
    env: { ...environmentIn(home), ...env },
  });
  const collected = collect(child);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return collected;
}

export function collect(child: ReturnType<typeof spawn>): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Simulates another machine; see simulator/. */
export interface Machine {
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A client that started the program over stdio; it is closed after the tests of this file. */
export async function connectStdio(
  home: string,
  options: ClientOptions,
  args: readonly string[] = [],
  { nodeArgs = [], env = {} }: Machine = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, options);
  const transport = new StdioClientTransport({
    command: NODE,
    args: [...nodeArgs, PROGRAM, ...args],
    cwd: home,
    env: { ...environmentIn(home), ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  atTheEnd(() => client.close());
  return thatWaitsForIndexes(client);
}

export interface Served {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<Ended>;
}

export const TOKEN = "a-token-for-the-tests-only";

/** The program serving over HTTP on a free port; it is stopped after the tests of this file. */
export async function serveHttp(
  home: string,
  env: Record<string, string> = { COMMONPLACE_TOKEN: TOKEN },
  args: readonly string[] = [],
): Promise<Served> {
  const child = spawn(NODE, [...LAUNCH_FLAGS, PROGRAM, "serve", "--http", "0", ...args], {
    cwd: home,
    env: { ...environmentIn(home), ...env },
  });
  const ended = collect(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (text: string) => {
      const found = /serving on (\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ stderr }) => reject(new Error(`ended before it served: ${stderr}`)));
  });
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  atTheEnd(stop);
  return { url, pid: child.pid!, stop };
}

export async function connectHttp(url: string, options: ClientOptions, token: string = TOKEN): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, options);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  atTheEnd(() => client.close());
  return thatWaitsForIndexes(client);
}

/** Milliseconds until an index is believed to stay incomplete. */
const MAX_WAIT = 120_000;

/**
 * The program answers from an incomplete index after half a second, and says so:
 * a busy machine takes longer for three notes. The client asks again until the
 * answer is complete, so that no test depends on that half second.
 */
export function thatWaitsForIndexes(client: Client): Client {
  const callTool = client.callTool.bind(client);
  client.callTool = async (params, options) => {
    const end = Date.now() + MAX_WAIT;
    for (;;) {
      // The client's own limit is a minute.
      const result = await callTool(params, { timeout: 2 * MAX_WAIT, ...options });
      if (!isOfIncompleteIndex(result.structuredContent as OfIndex | undefined) || Date.now() > end) return result;
      await pause(100);
    }
  };
  return client;
}

interface OfIndex {
  readonly stale?: boolean;
  readonly indexing?: object;
  readonly indexingConversations?: object;
  readonly summary?: { readonly note?: string };
}

function isOfIncompleteIndex(result: OfIndex = {}): boolean {
  const { stale, indexing, indexingConversations, summary } = result;
  const isStale = stale === true || summary?.note === "Changes of the last seconds may be missing.";
  return isStale || indexing !== undefined || indexingConversations !== undefined;
}
