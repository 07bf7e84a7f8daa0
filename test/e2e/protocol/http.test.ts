// The checks that every HTTP request passes before anything looks at it.
import { METHODS, request as httpRequest } from "node:http";
import { statSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { connectHttp, ERAS, serveHttp, temporaryFolder, TOKEN, type Served } from "../../processes/program.ts";

const home = temporaryFolder();
let served: Served;
beforeAll(async () => {
  served = await serveHttp(home);
});

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

const BEARER = { authorization: `Bearer ${TOKEN}` };

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** A request with exactly these headers: fetch would not let us set Host. */
function send(options: {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}): Promise<Answer> {
  const { path = "/mcp", method = "POST", headers = {}, body = JSON.stringify(INITIALIZE) } = options;
  const all = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${TOKEN}`,
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(new URL(path, served.url), { method, headers: all }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
    });
    sent.on("error", reject);
    sent.end(method === "GET" ? undefined : body);
  });
}

describe("HTTP", () => {
  it("answers a valid request", async () => {
    const { status, body } = await send({});
    expect(status).toBe(200);
    expect(body).toContain('"protocolVersion":"2025-06-18"');
  });

  it.each([
    ["another Host", { host: "evil.example" }, 403],
    ["a Host that only begins like ours", { host: "127.0.0.1.evil.example" }, 403],
    ["the Origin of another site", { origin: "https://evil.example" }, 403],
    ["the Origin of another local server", { origin: "http://localhost:1" }, 403],
    ["an opaque Origin", { origin: "null" }, 403],
    ["our port under the name of another host", { host: "evil.example:PORT" }, 403],
    ["our name without the port", { host: "127.0.0.1" }, 403],
    ["our name with a foreign port", { host: "127.0.0.1:1" }, 403],
    ["an Origin without the port", { origin: "http://127.0.0.1" }, 403],
    ["an Origin without the scheme", { origin: "127.0.0.1:PORT" }, 403],
    ["an Origin of another scheme", { origin: "https://127.0.0.1:PORT" }, 403],
    ["an Origin of an extension", { origin: "chrome-extension://127.0.0.1:PORT" }, 403],
    ["an Origin with a path", { origin: "http://127.0.0.1:PORT/" }, 403],
    ["an Origin with more than one scheme", { origin: "http://http://127.0.0.1:PORT" }, 403],
    ["an Origin with a user", { origin: "http://x@127.0.0.1:PORT" }, 403],
    ["another of our names as Origin, which may be another program's", { origin: "http://localhost:PORT" }, 403],
    ["an empty Origin", { origin: "" }, 403],
    ["no token", { authorization: "" }, 401],
    ["a wrong token", { authorization: "Bearer wrong" }, 401],
    ["the token without its scheme", { authorization: TOKEN }, 401],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["plain text, which a page may send unasked", { "content-type": "text/plain" }, 415],
    ["an unknown session", { "mcp-session-id": "nope" }, 404],
  ])("refuses %s", async (_, headers, status) => {
    const { port } = new URL(served.url);
    const withPort = Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", port)]);
    const answer = await send({ headers: Object.fromEntries(withPort) });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).error.message).toEqual(expect.any(String));
    expect(answer.body).not.toContain(TOKEN);
  });

  it.each([
    ["ours first", (ours: string) => [ours, "evil.example"]],
    ["ours last", (ours: string) => ["evil.example", ours]],
    ["both ours", (ours: string) => [ours, ours]],
  ])("refuses two Host headers: %s", async (_, hosts) => {
    const { host, hostname, port } = new URL(served.url);
    const lines = hosts(host).map((name) => `Host: ${name}\r\n`);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        socket.write(`GET / HTTP/1.1\r\n${lines.join("")}Connection: close\r\n\r\n`);
      });
      socket.setEncoding("utf8").on("data", (part: string) => (text += part));
      socket.on("end", () => resolve(text)).on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  it("keeps a connection open for a client that is slow to send its next request", async () => {
    const answer = await fetch(served.url.replace("/mcp", "/"));
    await answer.text();
    expect(answer.headers.get("keep-alive")).toBe("timeout=120");
  });

  it("accepts its own Origin, and lets no other page read an answer", async () => {
    const { status, headers } = await send({ headers: { origin: new URL(served.url).origin } });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  it.each([
    ["a body that is no JSON", "{", 400, -32700],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400, -32700],
    ["a batch", JSON.stringify([INITIALIZE]), 400, -32600],
    [
      "a tool call without a name",
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }),
      400,
      -32602,
    ],
    ["a request before initialize", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }), 400, -32000],
  ])("refuses %s", async (_, body, status, code) => {
    const answer = await send({ body });
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([status, code]);
  });

  it("refuses a body that is longer than it can hold", async () => {
    const { status } = await send({ body: Buffer.alloc(17 * 1024 * 1024, "x") });
    expect(status).toBe(413);
  });

  it("answers other addresses with 404 and the address of MCP", async () => {
    expect(await send({ path: "/other" })).toMatchObject({ status: 404, body: expect.stringContaining("/mcp") });
    expect(await send({ path: "/", method: "GET" })).toMatchObject({
      status: 200,
      body: expect.stringContaining("/mcp"),
    });
  });

  const ADDRESSES = {
    "/mcp": ["GET", "POST", "DELETE"],
    "/changes": ["GET"],
    "/invitation": ["POST"],
    "/": ["GET", "HEAD"],
    "/note/x.md": ["GET", "HEAD"],
    "/assets/x.js": ["GET", "HEAD"],
    "/other": ["GET", "HEAD", "POST", "DELETE"],
  };
  // CONNECT takes another way through Node.
  const methods = METHODS.filter((method) => method !== "CONNECT");

  it.each(Object.entries(ADDRESSES))(
    "answers every other method at %s with 405, and says which there are",
    async (path, allowed) => {
      const refused = methods.filter((method) => !allowed.includes(method));
      expect(refused).toContain("TRACE");
      for (const headers of [{}, { authorization: "" }])
        for (const method of refused) {
          const answer = await send({ path, method, headers, body: "" });
          expect([method, answer.status, answer.headers["allow"]]).toEqual([method, 405, allowed.join(", ")]);
        }
      for (const method of allowed) {
        const dropped = await fetch(new URL(path, served.url), { method });
        expect(dropped.status).not.toBe(405);
        await dropped.body?.cancel();
      }
    },
  );

  it("answers CONNECT with 405", async () => {
    const { port } = new URL(served.url);
    const status = await new Promise((resolve, reject) => {
      httpRequest({ host: "127.0.0.1", port, method: "CONNECT", path: "evil.example:443" })
        .on("connect", (response, socket) => {
          socket.destroy();
          resolve(response.statusCode);
        })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(405);
  });

  it("keeps many clients apart", async () => {
    const clients = await Promise.all(
      Array.from({ length: 8 }, () => connectHttp(served.url, ERAS["2025-11-25 and before"])),
    );
    const results = await Promise.all(clients.map((client) => client.callTool({ name: "get_server_version" })));
    expect(results.every((result) => !result.isError)).toBe(true);
  });

  it("refuses a body that is longer than it can hold and comes in pieces", async () => {
    const { status } = await send({
      headers: { "transfer-encoding": "chunked" },
      body: Buffer.alloc(40 * 1024 * 1024, "x"),
    });
    expect(status).toBe(413);
  });

  it.each(["//", "http://[", "/mcp/", "/%00"])("answers the address %s without an internal error", async (path) => {
    const answer = await new Promise<number>((resolve, reject) => {
      const { port } = new URL(served.url);
      httpRequest({ host: "127.0.0.1", port, path, method: "GET" }, (response) =>
        resolve(response.resume().statusCode!),
      )
        .on("error", reject)
        .end();
    });
    expect(answer).toBe(404);
  });

  it("opens a client's own stream at once, and again after it was dropped", async () => {
    const begun = await send({});
    const headers = {
      ...BEARER,
      accept: "text/event-stream",
      "mcp-session-id": begun.headers["mcp-session-id"] as string,
    };
    for (let round = 0; round < 3; round++) {
      const dropping = new AbortController();
      // The server learns a moment later that a stream was dropped.
      const opened = async () => (await fetch(served.url, { headers, signal: dropping.signal })).status;
      if (round === 0) expect(await opened()).toBe(200);
      else await expect.poll(opened).toBe(200);
      dropping.abort();
    }
  });

  it("forgets the session used least recently when there are too many, but none that is in use", async () => {
    const own = await serveHttp(home);
    const begin = async () => {
      const init = {
        method: "POST",
        headers: { ...BEARER, "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(INITIALIZE),
      };
      const response = await fetch(own.url, init);
      await response.text();
      return response.headers.get("mcp-session-id")!;
    };
    const statusOf = async (session: string) => {
      const headers = {
        ...BEARER,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": session,
      };
      const response = await fetch(own.url, {
        method: "POST",
        headers,
        body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" }),
      });
      await response.text();
      return response.status;
    };
    const [streaming, idle] = [await begin(), await begin()];
    const stream = new AbortController();
    // Referenced until the end: a response that is collected closes its stream.
    const opened = await fetch(own.url, {
      headers: { ...BEARER, accept: "text/event-stream", "mcp-session-id": streaming },
      signal: stream.signal,
    });
    for (let i = 0; i < 64; i++) await begin();
    expect([await statusOf(streaming), await statusOf(idle)]).toEqual([200, 404]);
    stream.abort();
    await expect(opened.text()).rejects.toThrow("aborted");
  });

  it("creates a token on first use that only its owner can read, and keeps it", async () => {
    const other = temporaryFolder();
    const env = { COMMONPLACE_HOME: other };
    const first = await serveHttp(other, env);
    const file = join(other, "data", "token");
    const token = readFileSync(file, "utf8").trim();
    expect(token.length).toBeGreaterThan(30);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    await connectHttp(first.url, ERAS["2026-07-28"], token);
    await first.stop();
    const second = await serveHttp(other, env);
    await connectHttp(second.url, ERAS["2026-07-28"], token);
  });

  it("stops on SIGTERM while clients are connected", async () => {
    const own = await serveHttp(home);
    await connectHttp(own.url, ERAS["2025-11-25 and before"]);
    expect(await own.stop()).toMatchObject({ code: 0, signal: null });
  });
});
