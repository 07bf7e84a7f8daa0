// Whatever comes in on standard input, the server goes on serving or ends
// cleanly, and says so on standard error.
import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { NODE } from "../../processes/child.ts";
import { collect, environmentIn, PROGRAM, runProgram, temporaryFolder } from "../../processes/program.ts";

const home = temporaryFolder();
const CLIENT = { name: "test", version: "1" };
const INITIALIZE = request(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: CLIENT,
});
const INITIALIZED = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
const PING = request(99, "ping");

function request(id: number | string, method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

const complete = (ref: object, name: string) => ({
  jsonrpc: "2.0",
  id: 4,
  method: "completion/complete",
  params: { ref, argument: { name, value: "" } },
});

/** Sends the lines between a handshake and a ping; returns the answers by id. */
async function answersTo(...lines: (string | Buffer)[]) {
  const input = [INITIALIZE, INITIALIZED, ...lines, PING].flatMap((line) => [Buffer.from(line), Buffer.from("\n")]);
  const ended = await runProgram([], { home, input: Buffer.concat(input) });
  const answers = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const byId = (id: unknown) => answers.find((answer) => answer.id === id);
  expect(byId(99), "the server still answers after it").toEqual({ jsonrpc: "2.0", id: 99, result: {} });
  expect(ended.code).toBe(0);
  return { byId, all: answers, without: answers.filter((answer) => answer.id === undefined), stderr: ended.stderr };
}

describe("standard input", () => {
  it("answers garbage with a parse error, and continues", async () => {
    const { without, stderr } = await answersTo("garbage", "{", "\u0000\u0001", "]]]]");
    expect(without.map(({ error }) => error.code)).toEqual([-32700, -32700, -32700, -32700]);
    expect(stderr).toContain("refused a message");
  });

  it("ignores blank lines and accepts CRLF", async () => {
    const { byId, stderr } = await answersTo("", "   ", `${request(5, "ping")}\r`);
    expect(byId(5)).toHaveProperty("result");
    expect(stderr).toBe("");
  });

  it.each([
    ["its id", '"id":42', 42],
    ["an id that is a text", '"id":"forty-two"', "forty-two"],
    ["no id, where that is none", '"id":007', undefined],
    ["no id, where that has a control character", '"id":"a\tb"', undefined],
    ["no id, where that is a fraction", '"id":1.5', undefined],
    ["no id, where the first one belongs to something else", '"params":{"id":3},"id":4', undefined],
  ])("refuses a line that is longer than it can hold with %s, and goes on", async (_, member, id) => {
    const long = `{"jsonrpc":"2.0",${member},"method":"ping","x":"${"x".repeat(17 * 1024 * 1024)}"}`;
    const { all, stderr } = await answersTo(long);
    const refused = all.filter((answer) => answer.error !== undefined);
    expect(refused).toMatchObject([{ error: { code: -32700, message: expect.stringContaining("bytes long") } }]);
    expect(refused[0].id).toBe(id);
    expect(stderr).toContain("bytes long");
  });

  it("accepts a last line without a line break", async () => {
    const { stdout } = await runProgram([], { home, input: `${INITIALIZE}\n${INITIALIZED}\n${request(2, "ping")}` });
    expect(stdout).toContain('"id":2');
  });

  it("answers a tool name of megabytes at once, and does not repeat it", async () => {
    const { byId } = await answersTo(request(4, "tools/call", { name: "x".repeat(10_000_000) }));
    expect(byId(4).error.message.length).toBeLessThan(200);
  });

  it("ignores unknown members of a message", async () => {
    const { byId } = await answersTo(
      JSON.stringify({ jsonrpc: "2.0", id: 4, method: "tools/list", foo: 1 }),
      `{"jsonrpc":"2.0","id":5,"method":"ping","__proto__":{}}`,
    );
    expect(byId(4).result.tools).not.toHaveLength(0);
    expect(byId(5)).toHaveProperty("result");
  });

  it("treats null as absent arguments", async () => {
    const { byId } = await answersTo(request(4, "tools/call", { name: "get_server_version", arguments: null }));
    expect(byId(4).result.structuredContent.server_name).toBe("commonplace");
  });

  it("accepts a message of ten megabytes", async () => {
    const long = request(7, "tools/call", { name: "get_server_version", arguments: { extra: "x".repeat(10_000_000) } });
    const { byId } = await answersTo(long);
    expect(byId(7).result.structuredContent.server_name).toBe("commonplace");
  });

  it("refuses invalid UTF-8 instead of repairing it", async () => {
    const bytes = Buffer.from(request(8, "tools/call", { name: "get_server_version", arguments: { text: "?" } }));
    bytes[bytes.indexOf("?")] = 0xff;
    const { without, byId } = await answersTo(bytes);
    expect(without[0].error).toEqual({ code: -32700, message: "Parse error: the message is not valid UTF-8" });
    expect(byId(8)).toBeUndefined();
  });

  it.each([
    ["a request without a method", { jsonrpc: "2.0", id: 4 }, -32600],
    ["a method that is no string", { jsonrpc: "2.0", id: 4, method: 5 }, -32600],
    ["another JSON-RPC version", { jsonrpc: "1.0", id: 4, method: "ping" }, -32600],
    ["a tool call without a name", { jsonrpc: "2.0", id: 4, method: "tools/call", params: {} }, -32602],
    ["params that are no object", { jsonrpc: "2.0", id: 4, method: "tools/list", params: [1] }, -32602],
    ["an unknown method", { jsonrpc: "2.0", id: 4, method: "tools/destroy" }, -32601],
    ["an unknown tool", { jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: "nope" } }, -32602],
    [
      "arguments that are a list",
      { jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: "undo", arguments: [] } },
      -32602,
    ],
    ["_meta that is no object", { jsonrpc: "2.0", id: 4, method: "tools/list", params: { _meta: 7 } }, -32602],
    [
      "a progress token that is an object",
      { jsonrpc: "2.0", id: 4, method: "tools/list", params: { _meta: { progressToken: {} } } },
      -32602,
    ],
    [
      "a prompt argument that is a number",
      { jsonrpc: "2.0", id: 4, method: "prompts/get", params: { name: "orient", arguments: { part: 5 } } },
      -32602,
    ],
    ["a completion of nothing", { jsonrpc: "2.0", id: 4, method: "completion/complete", params: {} }, -32602],
    [
      "a completion without an argument",
      { jsonrpc: "2.0", id: 4, method: "completion/complete", params: { ref: { type: "ref/prompt", name: "orient" } } },
      -32602,
    ],
    ["a method that every object has", { jsonrpc: "2.0", id: 4, method: "constructor" }, -32601],
    ["a completion for an unknown prompt", complete({ type: "ref/prompt", name: "nope" }, "x"), -32602],
    [
      "a completion of an argument that a prompt does not have",
      complete({ type: "ref/prompt", name: "orient" }, "nope"),
      -32602,
    ],
    ["a completion for an unknown resource", complete({ type: "ref/resource", uri: "nope://{x}" }, "x"), -32602],
    [
      "a completion of a variable that a resource does not have",
      complete({ type: "ref/resource", uri: "note:///{path}" }, "nope"),
      -32602,
    ],
    ["an unknown resource", { jsonrpc: "2.0", id: 4, method: "resources/read", params: { uri: "nope://x" } }, -32602],
    [
      "a note that is not there",
      { jsonrpc: "2.0", id: 4, method: "resources/read", params: { uri: "note:///nope" } },
      -32602,
    ],
    ["a cursor that is no string", { jsonrpc: "2.0", id: 4, method: "tools/list", params: { cursor: 5 } }, -32602],
  ])("answers %s with a JSON-RPC error", async (_, message, code) => {
    const { byId } = await answersTo(JSON.stringify(message));
    expect(byId(4).error).toMatchObject({ code, message: expect.not.stringContaining("\n") });
    expect(byId(4)).not.toHaveProperty("result");
  });

  it.each(["tools/list", "prompts/list", "resources/list", "resources/templates/list"])(
    "refuses a cursor that %s never gave",
    async (method) => {
      const { byId } = await answersTo(request(4, method, { cursor: "nope" }), request(5, method, { cursor: "" }));
      expect(byId(4).error).toEqual({ code: -32602, message: "Invalid params: invalid cursor" });
      expect(byId(5)).toHaveProperty("result");
    },
  );

  it("names an unknown resource, as the protocol requires", async () => {
    const { byId } = await answersTo(request(4, "resources/read", { uri: "nope://x" }));
    expect(byId(4).error).toMatchObject({ code: -32602, data: { uri: "nope://x" } });
  });

  it.each([
    [{}, "missing required parameter 'protocolVersion'"],
    [{ protocolVersion: "2025-06-18", clientInfo: CLIENT }, "missing required parameter 'capabilities'"],
    [
      { protocolVersion: "2025-06-18", capabilities: [], clientInfo: CLIENT },
      "missing required parameter 'capabilities'",
    ],
    [{ protocolVersion: "2025-06-18", capabilities: {} }, "missing required parameter 'clientInfo'"],
    [{ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x" } }, "'version'"],
    [{ protocolVersion: "2025-06-18", capabilities: { roots: 1 }, clientInfo: CLIENT }, "a member of capabilities"],
    [
      { protocolVersion: "2025-06-18", capabilities: { roots: { listChanged: "yes" } }, clientInfo: CLIENT },
      "a member of capabilities",
    ],
    [
      { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { ...CLIENT, icons: 5 } },
      "a member of clientInfo",
    ],
  ])("answers initialize with %j with a sentence, and takes a right one after it", async (params, sentence) => {
    const input = `${request(4, "initialize", params)}\n${INITIALIZE}\n`;
    const { stdout } = await runProgram([], { home, input });
    const [refused, begun] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(refused).toMatchObject({ id: 4, error: { code: -32602, message: expect.stringContaining(sentence) } });
    expect(refused.error.message).not.toMatch(/[\n{]/);
    expect(begun).toHaveProperty("result.serverInfo");
  });

  it("accepts unknown capabilities, and unknown facts about a client", async () => {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {
        roots: { listChanged: true },
        sampling: {},
        elicitation: { form: {} },
        experimental: { x: { y: 1 } },
      },
      clientInfo: { ...CLIENT, title: "Test", icons: [{ src: "https://example.com/x.png" }] },
    };
    const { stdout } = await runProgram([], { home, input: `${request(4, "initialize", params)}\n` });
    expect(JSON.parse(stdout)).toHaveProperty("result.serverInfo");
  });

  it("refuses an unsupported version on every request of a connection of 2026-07-28", async () => {
    const withVersion = (id: number, method: string, version: string) =>
      request(id, method, {
        name: "get_server_version",
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientInfo": CLIENT,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      });
    const requests = [
      withVersion(1, "tools/list", "2099-01-01"),
      withVersion(2, "tools/list", "2026-07-28"),
      withVersion(3, "tools/call", "2099-01-01"),
      withVersion(4, "prompts/list", "2025-06-18"),
      withVersion(5, "server/discover", "2099-01-01"),
      withVersion(6, "nope/nope", ""),
      withVersion(7, "tools/call", "2026-07-28"),
    ];
    const { stdout } = await runProgram([], { home, input: `${requests.join("\n")}\n` });
    const answers = new Map(
      stdout
        .trim()
        .split("\n")
        .map((line) => [JSON.parse(line).id, JSON.parse(line)]),
    );
    for (const [id, requested] of [
      [1, "2099-01-01"],
      [3, "2099-01-01"],
      [4, "2025-06-18"],
      [5, "2099-01-01"],
      [6, ""],
    ])
      expect(answers.get(id).error).toMatchObject({ code: -32022, data: { supported: ["2026-07-28"], requested } });
    for (const id of [2, 7]) expect(answers.get(id)).toHaveProperty("result");
  });

  it("says which parameter is missing in the contract's words", async () => {
    const { byId } = await answersTo(request(4, "tools/call", {}));
    expect(byId(4).error).toEqual({ code: -32602, message: "Invalid params: missing required parameter 'name'" });
  });

  it("refuses a batch, and a null", async () => {
    const { without } = await answersTo(`[${PING}]`, "null", "5");
    expect(without.map(({ error }) => error.code)).toEqual([-32600, -32600, -32600]);
  });

  it("answers a thousand requests at once", async () => {
    const calls = Array.from({ length: 1000 }, (_, i) =>
      request(`call-${i}`, "tools/call", { name: "get_server_version" }),
    );
    const { byId } = await answersTo(...calls);
    expect(calls.every((_, i) => byId(`call-${i}`)?.result?.structuredContent?.server_name === "commonplace")).toBe(
      true,
    );
  });

  it("answers requests that came before standard input was closed", async () => {
    const input = `${INITIALIZE}\n${INITIALIZED}\n${request(2, "tools/call", { name: "get_server_version" })}\n`;
    const { stdout, code } = await runProgram([], { home, input });
    expect(stdout).toContain('"id":2');
    expect(code).toBe(0);
  });
});

describe("the end of a connection", () => {
  function start() {
    const child = spawn(NODE, [PROGRAM], { cwd: home, env: environmentIn(home) });
    child.stdin.on("error", () => {});
    return { child, ended: collect(child), answered: new Promise((resolve) => child.stdout.once("data", resolve)) };
  }

  it.each(["SIGTERM", "SIGINT"] as const)("ends cleanly on %s", async (signal) => {
    const { child, ended, answered } = start();
    child.stdin.write(`${INITIALIZE}\n`);
    await answered;
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  it("ends cleanly when standard input is closed at once", async () => {
    expect(await runProgram([], { home })).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  });

  it("ends when the client disappears in the middle of an answer", async () => {
    const { child, ended, answered } = start();
    child.stdin.write(`${INITIALIZE}\n${INITIALIZED}\n`);
    await answered;
    child.stdout.destroy();
    for (let i = 0; i < 200; i++) child.stdin.write(`${request(i, "tools/list")}\n`);
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain("standard output failed");
  });

  it("ends when the client disappears in the middle of a message", async () => {
    const { stdout, code } = await runProgram([], { home, input: `${INITIALIZE}\n{"jsonrpc":"2.0","id":2,"meth` });
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(code).toBe(0);
  });
});
