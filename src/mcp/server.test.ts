// Progress, cancellation and slow calls, with the real client and server and
// tools that take as long as the test wants.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { TEST_TOOL } from "../../test/fixtures/test-tool.ts";
import { openCommonplace } from "../app/app.ts";
import { readSettings } from "../settings.ts";
import { defineTool, type Call } from "../tools/definition/define-tool.ts";
import { flag, optional } from "../tools/definition/schema.ts";
import { toolboxOf } from "../tools/toolbox.ts";
import { createServer } from "./server.ts";

let started = (_: Call) => {};
let finish = (_: { readonly done?: boolean }) => {};

const shared = {
  ...TEST_TOOL,
  input: {},
  output: { done: optional(flag()) },
} as const;
const slow = defineTool({
  ...shared,
  name: "slow",
  title: "Slow",
  run: (_input, call) =>
    new Promise<{ readonly done?: boolean }>((resolve) => {
      finish = resolve;
      started(call);
    }),
});
const quick = defineTool({ ...shared, name: "quick", title: "Quick", run: () => ({ done: true }) });

async function connect() {
  const commonplace = openCommonplace(readSettings({ home: "/nowhere" }, {}, "/"), {
    toolbox: toolboxOf([slow, quick]),
    log: () => {},
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([createServer(commonplace).connect(serverSide), client.connect(clientSide)]);
  return { client, commonplace };
}

const running = () => new Promise<Call>((resolve) => (started = resolve));
afterEach(() => finish({}));

describe("a slow call", () => {
  it("reports progress to a client that asks for it", async () => {
    const { client } = await connect();
    const call = running();
    const heard: unknown[] = [];
    const result = client.callTool({ name: "slow" }, { onprogress: (progress) => heard.push(progress) });
    (await call).progress(1, 3, "one of three");
    (await call).progress(2, 3);
    finish({ done: true });
    await result;
    expect(heard).toEqual([
      { progress: 1, total: 3, message: "one of three" },
      { progress: 2, total: 3 },
    ]);
  });

  it("is aborted when the client cancels", async () => {
    const { client } = await connect();
    const call = running();
    const controller = new AbortController();
    const result = client.callTool({ name: "slow" }, { signal: controller.signal });
    const { signal } = await call;
    controller.abort();
    await expect(result).rejects.toThrow();
    await expect.poll(() => signal.aborted).toBe(true);
  });

  it("does not block another", async () => {
    const { client } = await connect();
    const call = running();
    const result = client.callTool({ name: "slow" });
    await call;
    expect((await client.callTool({ name: "quick" })).structuredContent).toEqual({ done: true });
    finish({ done: false });
    expect((await result).structuredContent).toEqual({ done: false });
  });

  it("is waited for when the program ends", async () => {
    const { client, commonplace } = await connect();
    const call = running();
    const result = client.callTool({ name: "slow" });
    await call;
    let closed = false;
    const closing = commonplace.close().then(() => (closed = true));
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    finish({ done: true });
    await Promise.all([result, closing]);
  });
});
