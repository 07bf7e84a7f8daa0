import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Request } from "../requests.ts";
import { toolsOf } from "../tool-list.ts";
import { readOptions } from "./options.ts";
import { askAll } from "./asking.ts";
import type { Protocol } from "./protocol.ts";
import { PROTOCOLS, type ProtocolName } from "./protocols.ts";
import { runWithModel, type World } from "./run.ts";
import { startStub, type Scripted } from "./stub-endpoint.ts";

const READ = "contentManager_readContent";
const REQUESTS: readonly Request[] = [
  { id: "right", pair: "p", ask: "right", tools: [READ], args: { filePath: "/^A/" }, not: ["undo"] },
  { id: "prose", pair: "p", ask: "prose", context: "It is late.", tools: ["undo"] },
  { id: "two", ask: "two", tools: [READ], not: ["undo"] },
  { id: "json", ask: "json", tools: [READ], args: { filePath: "A" } },
  { id: "busy", ask: "busy", tools: ["undo"] },
  { id: "broken", ask: "broken", tools: ["undo"] },
  { id: "unknown", ask: "unknown", tools: ["undo"] },
];

const SCRIPT: Record<string, Scripted> = {
  right: { prose: "Let me look.", calls: [[READ, { filePath: "A.md" }]] },
  "It is late.\n\nprose": { prose: "I would undo it." },
  two: {
    calls: [
      [READ, { filePath: "A" }],
      ["undo", {}],
    ],
  },
  json: { calls: [[READ, '{"filePath": "A']] },
  busy: { calls: [["undo", {}]] },
  broken: { status: 500, body: "key sk-hidden is bad" },
  unknown: { calls: [["undo_everything", {}]] },
};

const many = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `${i}`, ask: `${i}`, tools: ["undo"] }));

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function run(
  protocol: ProtocolName,
  script: (words: string, nth: number) => Scripted,
  { requests = REQUESTS, more = [] as string[], base = "" } = {},
) {
  const stub = await startStub(protocol, script);
  closing.push(stub.close);
  const out = join(temporaryFolder(), "results", "stub.json");
  const waits: number[] = [];
  const lines: string[] = [];
  const world: World = {
    environment: { STUB_KEY: "sk-hidden" },
    wait: async (milliseconds) => void waits.push(milliseconds),
    day: "2026-01-02",
    report: (line) => lines.push(line),
  };
  const options = ["--model", stub.address + base, "--name", "stub-1", "--protocol", protocol, "--key-env", "STUB_KEY"];
  const { withModel } = readOptions([...options, "--out", out, ...more]);
  const done = runWithModel(withModel!, requests, world);
  return { done, stub, out, waits, lines };
}

const scripted = (words: string, nth: number): Scripted =>
  words === "busy" && nth < 3 ? { status: 429, headers: { "retry-after": "7" }, body: "slow down" } : SCRIPT[words]!;

describe.each(["openai", "anthropic"] as const)("a run against an endpoint that speaks %s", (protocol) => {
  it("compares the first call of each answer", async () => {
    const { done, out, waits, lines } = await run(protocol, scripted);
    const { results, table } = await done;
    expect(results).toMatchObject({
      model: "stub-1",
      day: "2026-01-02",
      requests: 7,
      rightTool: 4,
      right: 2,
      harmful: 1,
      unanswered: 1,
      tokensIn: 600,
      tokensOut: 60,
      byPair: { p: { requests: 2, rightTool: 1, right: 1, harmful: 0 } },
      byTool: { undo: { requests: 4, right: 1 } },
    });
    expect(Object.fromEntries(results.wrong.map(({ id, problem }) => [id, problem]))).toEqual({
      prose: "answered in prose",
      two: "called undo",
      json: "wrote arguments that are no JSON",
      broken: "HTTP 500: key (key) is bad",
      unknown: "called undo_everything",
    });
    expect(
      results.wrong.map(({ id }) => id),
      "in the order of the requests",
    ).toEqual(REQUESTS.map(({ id }) => id).filter((id) => id !== "right" && id !== "busy"));
    expect(table).toMatch(/\| all +\| +7 \| +57\.1 % \| +28\.6 % \| +1 \|/);
    expect(JSON.parse(readFileSync(out, "utf8"))).toEqual(JSON.parse(JSON.stringify(results)));
    expect(readFileSync(out.replace(".json", ".md"), "utf8")).toBe(table);
    expect(
      waits.filter((wait) => wait === 7_000),
      "as long as the endpoint asked for",
    ).toHaveLength(2);
    expect(waits, "and longer each time where it did not say").toEqual(expect.arrayContaining([1_000, 2_000, 16_000]));
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toMatch(/^7\/7 /);
  });

  it("sends the server's list, its instructions and the key, and writes the key nowhere", async () => {
    const { done, stub, out, lines } = await run(protocol, scripted, { requests: REQUESTS.slice(0, 2) });
    await done;
    const [first, second] = stub.received;
    const names = first!.body.tools.map(
      (tool) => (tool["function"] as { name?: string } | undefined)?.name ?? tool["name"],
    );
    expect(names).toEqual(toolsOf("default").map(({ name }) => name));
    expect(JSON.stringify(first!.body.tools)).not.toContain("outputSchema");
    expect(first!.body.model).toBe("stub-1");
    expect(first!.body.system ?? first!.body.messages[0]!.content).toContain("Commonplace");
    expect([first, second].map((one) => one!.body.messages.at(-1)!.content)).toContain("It is late.\n\nprose");
    expect(first!.headers[protocol === "openai" ? "authorization" : "x-api-key"]).toMatch(/^(Bearer )?sk-hidden$/);
    const written = [...lines, readFileSync(out, "utf8"), readFileSync(out.replace(".json", ".md"), "utf8")].join("\n");
    expect(written).not.toContain("sk-hidden");
    expect(written, "the address is nobody's business").not.toContain("127.0.0.1");
  });

  it("asks nothing more once the key is refused", async () => {
    const refused = (words: string): Scripted =>
      words === "0" ? { status: 401, body: "sk-hidden is unknown" } : { calls: [["undo", {}]] };
    const { done, stub, out } = await run(protocol, refused, { requests: many(200), more: ["--parallel", "2"] });
    await expect(done).rejects.toThrow("HTTP 401: (key) is unknown");
    expect(stub.received.length).toBeLessThan(100);
    expect(existsSync(out)).toBe(false);
  });

  it("goes on after an answer that is not valid", async () => {
    const { done } = await run(protocol, (_, nth) => (nth === 1 ? { body: "<html>" } : { body: "{}" }), {
      requests: REQUESTS.slice(0, 1),
    });
    expect((await done).results.wrong[0]?.problem).toMatch(/^no answer: the answer has no /);
  });

  it("offers the tools that it is told to, and asks what these can answer", async () => {
    const { done } = await run(protocol, () => ({ calls: [["undo", {}]] }), {
      requests: [...many(3), { id: "none", ask: "none", tools: ["get_row"] }],
      more: ["--toolsets", "vault"],
    });
    const tools = toolsOf("vault").length;
    expect((await done).results).toMatchObject({ requests: 3, right: 3, toolsets: "vault", tools });
  });

  it.each(["", "/", "/v1", "/v1/"])("finds the endpoint below http://host%s", async (base) => {
    const { done, stub } = await run(protocol, scripted, { requests: REQUESTS.slice(0, 1), base });
    await done;
    const end = protocol === "openai" ? "/chat/completions" : "/messages";
    expect(stub.received[0]?.path).toBe(protocol === "openai" && base.length < 2 ? end : `/v1${end}`);
  });
});

describe("questions under way", () => {
  it("are as many as they may be, and no more", async () => {
    const stub = await startStub("openai", () => ({ calls: [["undo", {}]] }));
    closing.push(stub.close);
    const { path, headers, body, read } = PROTOCOLS.openai;
    let underWay = 0;
    let most = 0;
    const counting: Protocol = {
      path,
      headers,
      body: (question) => {
        most = Math.max(most, ++underWay);
        return body(question);
      },
      read: (answer) => {
        underWay--;
        return read(answer);
      },
    };
    const endpoint = { address: new URL(stub.address), protocol: counting, key: undefined, wait: async () => {} };
    const asking = { endpoint, model: "m", instructions: "", listing: [], parallel: 3, progress: () => {} };
    expect(await askAll(many(20), asking)).toHaveLength(20);
    expect(most).toBe(3);
  });
});

describe("a run without its key", () => {
  it("says which variable is missing before it asks anything", async () => {
    const stub = await startStub("openai", () => ({}));
    closing.push(stub.close);
    const { withModel } = readOptions(["--model", stub.address, "--key-env", "NOT_SET"]);
    const world = { environment: {}, wait: async () => {}, day: "", report: () => {} };
    await expect(runWithModel(withModel!, REQUESTS, world)).rejects.toThrow("the variable NOT_SET is not set");
    expect(stub.received).toEqual([]);
  });
});
