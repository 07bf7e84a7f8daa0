// Back pressure over stdio: how many calls run, what waits, and when reading
// stops; with the real server and a tool that answers when the test wants.
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { TEST_TOOL } from "../../test/fixtures/test-tool.ts";
import { openCommonplace } from "../app/app.ts";
import { MAX_CALLS_AT_ONCE } from "../kernel/protocol.ts";
import { readSettings } from "../settings.ts";
import { optional, text } from "../tools/definition/schema.ts";
import { defineTool } from "../tools/definition/define-tool.ts";
import { toolboxOf } from "../tools/toolbox.ts";
import { serveStdio } from "./stdio.ts";

interface Running {
  readonly label: string;
  readonly finish: (result: object) => void;
}

interface Answer {
  readonly id: number | string;
  readonly result?: { readonly structuredContent?: object };
}

/** A server, and what a client and its tool see of it. */
async function serve({ outputBuffer = 1_000_000 } = {}) {
  const running: Running[] = [];
  const tool = defineTool({
    ...TEST_TOOL,
    name: "slow",
    title: "Slow",
    input: { label: text(), padding: optional(text()) },
    output: {},
    run: ({ label }) => new Promise((resolve) => running.push({ label, finish: resolve })),
  });
  const settings = readSettings({ home: "/nowhere" }, {}, "/");
  const commonplace = openCommonplace(settings, { toolbox: toolboxOf([tool]), log: () => {} });
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: outputBuffer });
  const ended = serveStdio(commonplace, input, output);
  const answers: Answer[] = [];
  const read = () => {
    let rest = "";
    output.setEncoding("utf8").on("data", (part: string) => {
      const lines = (rest + part).split("\n");
      rest = lines.pop()!;
      answers.push(...lines.map((line) => JSON.parse(line) as Answer));
    });
  };
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const call = (id: number, padding?: string) =>
    send({ id, method: "tools/call", params: { name: "slow", arguments: { label: `call ${id}`, padding } } });
  read();
  const clientInfo = { name: "test", version: "1" };
  send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  await until(() => answers.length === 1);
  return { running, input, output, answers, send, call, ended };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** Long enough for everything that can happen now to happen. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await turn();
}

const labels = (running: readonly Running[]) => running.map(({ label }) => label);
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => i + from);

describe("calls that come faster than they are answered", () => {
  it("run a limited number at a time, and start in the order of arrival", async () => {
    const { running, call, answers, input, ended } = await serve();
    const ids = upTo(MAX_CALLS_AT_ONCE * 3);
    for (const id of ids) call(id);
    await until(() => running.length === MAX_CALLS_AT_ONCE);
    await settle();
    expect(running).toHaveLength(MAX_CALLS_AT_ONCE);
    for (let done = 0; done < ids.length; done++) {
      await until(() => running.length > done);
      expect(running.length).toBeLessThanOrEqual(done + MAX_CALLS_AT_ONCE);
      running[done]!.finish({ is: running[done]!.label });
    }
    await until(() => answers.length === ids.length + 1);
    expect(labels(running)).toEqual(ids.map((id) => `call ${id}`));
    const results = answers.slice(1).map(({ id, result }) => [id, result?.structuredContent]);
    expect(results).toEqual(ids.map((id) => [id, { is: `call ${id}` }]));
    input.end();
    await ended;
  });

  it("do not delay pings and cancellations, and never start if they are cancelled while waiting", async () => {
    const { running, call, send, answers, input, ended } = await serve();
    const last = MAX_CALLS_AT_ONCE + 2;
    for (const id of upTo(last)) call(id);
    send({ id: "ping", method: "ping" });
    send({ method: "notifications/cancelled", params: { requestId: last - 1 } });
    await until(() => answers.some(({ id }) => id === "ping"));
    expect(running).toHaveLength(MAX_CALLS_AT_ONCE);
    for (let done = 0; done < MAX_CALLS_AT_ONCE + 1; done++) {
      await until(() => running.length > done);
      running[done]!.finish({});
    }
    input.end();
    await ended;
    expect(labels(running)).not.toContain(`call ${last - 1}`);
    expect(answers.map(({ id }) => id)).not.toContain(last - 1);
    expect(answers.at(-1)?.id).toBe(last);
  });

  it("free their slot when they are cancelled", async () => {
    const { running, call, send, input, ended } = await serve();
    for (const id of upTo(MAX_CALLS_AT_ONCE + 1)) call(id);
    await until(() => running.length === MAX_CALLS_AT_ONCE);
    send({ method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => running.length === MAX_CALLS_AT_ONCE + 1);
    expect(labels(running)).toContain(`call ${MAX_CALLS_AT_ONCE + 1}`);
    for (const { finish } of running) finish({});
    input.end();
    await ended;
  });

  it("pause reading while too many bytes wait, and are all answered", async () => {
    const { running, call, answers, input, ended } = await serve();
    const padding = "x".repeat(1_000_000);
    const ids = upTo(60);
    for (const id of ids) call(id, padding);
    await until(() => input.isPaused());
    await settle();
    // 16 MB run, 16 MB wait, and the rest has not been read.
    expect(running.length).toBeLessThan(20);
    expect(input.readableLength + input.writableLength).toBeGreaterThan(20_000_000);
    for (let done = 0; done < ids.length; done++) {
      await until(() => running.length > done);
      running[done]!.finish({});
    }
    await until(() => answers.length === ids.length + 1);
    expect(input.isPaused()).toBe(false);
    input.end();
    await ended;
  });
});

describe("a client that does not read its answers", () => {
  it("is not read from, and gets all of them when it reads again", async () => {
    const { running, call, output, answers, input, ended } = await serve({ outputBuffer: 1_000 });
    output.pause();
    const ids = upTo(MAX_CALLS_AT_ONCE * 4);
    for (const id of ids) call(id);
    const large = "x".repeat(20_000);
    const finishAll = () => {
      for (const { finish } of running) finish({ large });
    };
    await until(() => running.length === MAX_CALLS_AT_ONCE);
    finishAll();
    await settle();
    // An answer that was not read keeps its place: only so many were ever begun.
    expect(running.length).toBeLessThan(MAX_CALLS_AT_ONCE * 2);
    output.resume();
    while (answers.length <= ids.length) {
      finishAll();
      await turn();
    }
    expect(answers.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, ...ids]);
    input.end();
    await ended;
  });

  it("gets no unlimited answers to pings", async () => {
    const { output, send, input, answers, ended } = await serve({ outputBuffer: 1_000 });
    output.pause();
    const id = "x".repeat(500_000);
    for (let i = 0; i < 100; i++) send({ id: `${i} ${id}`, method: "ping" });
    await until(() => input.isPaused());
    await settle();
    expect(output.writableLength).toBeLessThan(40_000_000);
    output.resume();
    await until(() => answers.length === 101);
    input.end();
    await ended;
  });
});
