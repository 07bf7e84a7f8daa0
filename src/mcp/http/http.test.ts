// The HTTP server in this process: stopping it during a call, invitations to the
// page, and more requests than are served at a time.
import { Agent } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { TEST_TOOL } from "../../../test/fixtures/test-tool.ts";
import { postCall } from "../../../test/processes/http-call.ts";
import { openCommonplace } from "../../app/app.ts";
import { MAX_CALLS_AT_ONCE } from "../../kernel/protocol.ts";
import { readSettings } from "../../settings.ts";
import { defineTool } from "../../tools/definition/define-tool.ts";
import { flag } from "../../tools/definition/schema.ts";
import { toolboxOf } from "../../tools/toolbox.ts";
import { serveHttp } from "./http.ts";

const TOKEN = "a-token-for-this-test";

interface Answer {
  readonly result?: { readonly structuredContent: { readonly done?: boolean } };
  readonly error: { readonly message: string };
}

describe("stopping the HTTP server", () => {
  it.each([{ mode: "legacy" }, { mode: { pin: "2026-07-28" } }] as const)(
    "waits until a running call is answered (%j)",
    async (versionNegotiation) => {
      let started = () => {};
      const running = new Promise<void>((resolve) => (started = resolve));
      const closed = Promise.withResolvers<void>();
      const slow = defineTool({
        ...TEST_TOOL,
        name: "slow",
        title: "Slow",
        input: {},
        output: { done: flag() },
        run: async () => {
          started();
          await closed.promise;
          return { done: true };
        },
      });
      const settings = readSettings({ home: "/nowhere" }, {}, "/");
      const commonplace = openCommonplace(settings, { toolbox: toolboxOf([slow]), log: () => {} });
      const serving = await serveHttp(commonplace, {
        token: TOKEN,
        port: 0,
        host: "127.0.0.1",
        page: "/nowhere",
      });
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
      const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(serving.url), { requestInit }));
      const result = client.callTool({ name: "slow" });
      await running;
      const closing = serving.close();
      setImmediate(() => closed.resolve());
      expect((await result).structuredContent).toEqual({ done: true });
      await client.close();
      await closing;
    },
  );
});

describe("an invitation to the page", () => {
  it("is an address without the token, and is exchanged for the token once", async () => {
    const settings = readSettings({ home: "/nowhere" }, {}, "/");
    const commonplace = openCommonplace(settings, { toolbox: toolboxOf([]), log: () => {} });
    const serving = await serveHttp(commonplace, { token: TOKEN, port: 0, host: "127.0.0.1", page: "/nowhere" });
    const { origin, hash } = new URL(serving.invite());
    expect(hash).not.toContain(TOKEN);
    const redeem = (key: string) =>
      fetch(`${origin}/invitation`, { method: "POST", headers: { authorization: `Bearer ${key}` } });
    const key = hash.replace("#invitation=", "");
    expect((await redeem(`${key}x`)).status).toBe(401);
    expect(await (await redeem(key)).json()).toEqual({ token: TOKEN });
    expect((await redeem(key)).status).toBe(401);
    expect((await redeem(TOKEN)).status).toBe(401);
    await serving.close();
  });
});

describe("more requests than are served at a time", () => {
  it("wait, and get 503 with Retry-After if too many wait already", async () => {
    const running: (() => void)[] = [];
    const slow = defineTool({
      ...TEST_TOOL,
      name: "slow",
      title: "Slow",
      input: {},
      output: {},
      run: () => new Promise((resolve) => running.push(() => resolve({ done: true }))),
    });
    const settings = readSettings({ home: "/nowhere" }, {}, "/");
    const commonplace = openCommonplace(settings, { toolbox: toolboxOf([slow]), log: () => {} });
    const serving = await serveHttp(commonplace, { token: TOKEN, port: 0, host: "127.0.0.1", page: "/nowhere" });
    const server = { url: serving.url, token: TOKEN, agent: new Agent() };
    const call = { name: "slow", arguments: {} };
    const calls = Array.from({ length: MAX_CALLS_AT_ONCE + 1_001 }, (_, id) => postCall<Answer>(server, id, call));
    // All slots are taken and a thousand wait: exactly one was too many.
    const first = await Promise.race(calls);
    expect(first).toMatchObject({ status: 503, retryAfter: "1" });
    expect(first.body.error.message).toBe("Too many calls are waiting already (1000). Try again.");
    expect(running).toHaveLength(MAX_CALLS_AT_ONCE);
    let finished = 0;
    const finishing = setInterval(() => {
      for (; finished < running.length; finished++) running[finished]!();
    }, 1);
    const answers = await Promise.all(calls);
    clearInterval(finishing);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(1);
    const done = answers.filter(({ body }) => body.result?.structuredContent.done === true);
    expect(done).toHaveLength(MAX_CALLS_AT_ONCE + 1_000);
    await serving.close();
  });
});
