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
