// A bare client for benchmarks and for tests of memory: one line out, one line
// in, so that what is measured is the server and not the client.
import { spawn, type ChildProcess } from "node:child_process";
import { LAUNCH_FLAGS } from "../../bin/launch-flags.js";
import { memoryOf, memoryOfChildren, peakMemoryOf, processorTimeOf } from "./process-memory.ts";

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
};

const ENDED = { error: { message: "The server has ended." } };

export class LineClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: { result?: unknown; error?: unknown }) => void>();
  readonly #ended: Promise<unknown>;
  #pieces: string[] = [];
  #id = 0;

  /** @param before words that stand before the command, as those of `nsenter` */
  constructor(
    args: readonly string[],
    env: NodeJS.ProcessEnv = process.env,
    folder: string = process.cwd(),
    before: readonly string[] = [],
  ) {
    // Our own server is started as hosts do.
    const flags = args[0]!.endsWith("commonplace.js") ? LAUNCH_FLAGS : [];
    const [command = "", ...rest] = [...before, process.execPath, ...flags, ...args];
    this.#child = spawn(command, rest, { stdio: ["pipe", "pipe", "ignore"], env, cwd: folder });
    // A server that was killed no longer reads.
    this.#child.stdin!.on("error", () => {});
    this.#ended = new Promise((resolve) => this.#child.on("exit", resolve));
    // Nobody waits for a server that has ended.
    void this.#ended.then(() => {
      for (const answer of this.#waiting.values()) answer(ENDED);
      this.#waiting.clear();
    });
    this.#child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      // An answer may have tens of megabytes: its pieces are joined once.
      this.#pieces.push(text);
      if (!text.includes("\n")) return;
      const lines = this.#pieces.join("").split("\n");
      this.#pieces = [lines.pop()!];
      for (const line of lines) {
        const answer = JSON.parse(line);
        this.#waiting.get(answer.id)?.(answer);
        this.#waiting.delete(answer.id);
      }
    });
  }

  request(method: string, params: object = {}): Promise<{ result?: unknown; error?: unknown }> {
    return this.requestWith(method, JSON.stringify(params));
  }

  /** @param params as JSON, which may be deeper than any object that can be written */
  requestWith(method: string, params: string): Promise<{ result?: unknown; error?: unknown }> {
    const id = ++this.#id;
    this.#child.stdin!.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return Promise.resolve(ENDED);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** @returns the result of the handshake */
  async initialize(): Promise<unknown> {
    const { result } = await this.request("initialize", INITIALIZE);
    this.#child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    return result;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** The server's memory now, in megabytes. */
  memory(): number {
    return memoryOf(this.pid);
  }

  /** The same with that of the processes that it has started. */
  memoryOfAll(): number {
    return memoryOf(this.pid) + memoryOfChildren(this.pid);
  }

  /** Its peak; only Linux reports it. */
  peakMemory(): number | undefined {
    return peakMemoryOf(this.pid);
  }

  /** What the server computed since it was started, in milliseconds; only Linux reports it. */
  processorTime(): number | undefined {
    return processorTimeOf(this.pid);
  }

  /** Ends the server at once, as a crash would. What was asked is never answered. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  async close(): Promise<void> {
    this.#child.stdin!.end();
    await this.#ended;
  }
}
