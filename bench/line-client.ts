// A bare client for benchmarks: one line out, one line in, so that what is
// measured is the server and not the client.
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
};

export class LineClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: { result?: unknown; error?: unknown }) => void>();
  readonly #ended: Promise<unknown>;
  #rest = "";
  #id = 0;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.#child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"], env });
    this.#ended = new Promise((resolve) => this.#child.on("exit", resolve));
    this.#child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop()!;
      for (const line of lines) {
        const answer = JSON.parse(line);
        this.#waiting.get(answer.id)?.(answer);
        this.#waiting.delete(answer.id);
      }
    });
  }

  request(method: string, params: object = {}): Promise<{ result?: unknown; error?: unknown }> {
    const id = ++this.#id;
    this.#child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async initialize(): Promise<void> {
    await this.request("initialize", INITIALIZE);
    this.#child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  }

  /** Megabytes of memory that the server holds now. */
  memory(): number {
    const { pid } = this.#child;
    if (process.platform === "linux") {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
    }
    return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
  }

  /** The most that it ever held; only Linux tells. */
  peakMemory(): number | undefined {
    if (process.platform !== "linux") return undefined;
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child.pid}/status`, "utf8"))![1]) / 1024;
  }

  async close(): Promise<void> {
    this.#child.stdin!.end();
    await this.#ended;
  }
}
