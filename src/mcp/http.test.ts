// A stop while a call is under way: its answer still reaches the client.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { openCommonplace } from "../commonplace.ts";
import { readSettings } from "../settings.ts";
import { defineTool } from "../tools/tool.ts";
import { toolboxOf } from "../tools/toolbox.ts";
import { serveHttp } from "./http.ts";

const TOKEN = "a-token-for-this-test";

describe("stopping", () => {
  it.each([{ mode: "legacy" }, { mode: { pin: "2026-07-28" } }] as const)(
    "waits for a call, and its answer is delivered (%j)",
    async (versionNegotiation) => {
      let started = () => {};
      const running = new Promise<void>((resolve) => (started = resolve));
      const slow = defineTool({
        name: "slow",
        title: "Slow",
        description: "A tool of this test.",
        toolset: "every",
        byDefault: true,
        contract: "recall",
        effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
        input: {},
        output: {},
        run: async () => {
          started();
          await new Promise((resolve) => setTimeout(resolve, 300));
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
      expect((await result).structuredContent).toEqual({ done: true });
      await client.close();
      await closing;
    },
  );
});

describe("an invitation to the page", () => {
  it("is an address without the token, which is given for it once", async () => {
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
