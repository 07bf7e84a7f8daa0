// Three servers behind a real nginx: any of them answers any request of clients of
// both eras, also of the earlier SDK, and what one acknowledged all of them know.
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it } from "vitest";
import { callContext } from "../../fixtures/call-context.ts";
import { MEMBER_TOOLS } from "../../../src/app/members/member-parts.ts";
import { connectHttp, ERAS } from "../../processes/program.ts";
import { atTheEnd } from "../../temporary-folder.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { freePort, NGINX, startNginx, type Proxy } from "./nginx.ts";
import { newTeam, type Serving, type Team } from "./team.ts";

const context = callContext({ sessionId: "s1" });

/** What the tests need of a client of either SDK. */
interface AnyClient {
  readonly listTools: () => Promise<{ readonly tools: readonly unknown[] }>;
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

describe.runIf(HAS_POSTGRESQL && NGINX !== undefined)("three servers behind nginx", () => {
  let team: Team;
  let servers: readonly Serving[] = [];
  let proxy: Proxy;
  let url = "";
  let token = "";

  beforeAll(async () => {
    team = await newTeam();
    const port = await freePort();
    const settings = { publicUrl: `http://127.0.0.1:${port}`, trustedProxies: ["127.0.0.1"] };
    servers = await Promise.all([1, 2, 3].map(() => team.serve(settings)));
    proxy = await startNginx(
      port,
      servers.map((each) => each.port),
    );
    url = `${proxy.origin}/mcp`;
    token = await team.token("alice");
  });

  const earlier = async (): Promise<AnyClient> => {
    const client = new EarlierClient({ name: "earlier", version: "1" });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    const transport = new EarlierTransport(new URL(url), { requestInit });
    await client.connect(transport as never);
    atTheEnd(() => client.close());
    return client;
  };
  const clients: Readonly<Record<string, () => Promise<AnyClient>>> = {
    "2026-07-28": () => connectHttp(url, ERAS["2026-07-28"], token),
    "2025-11-25": () => connectHttp(url, ERAS["2025-11-25 and before"], token),
    "2025-11-25 and the earlier SDK": earlier,
  };

  it.each(Object.keys(clients))("answer a client of %s, whichever server gets a request", async (era) => {
    const client = await clients[era]!();
    // Each server in turn: at least three times each.
    for (let i = 0; i < 9; i++) {
      expect((await client.listTools()).tools).toHaveLength(MEMBER_TOOLS.size);
      const made = await client.callTool({
        name: "memoryManager_createSession",
        arguments: { context, name: `${era} ${i}` },
      });
      expect(made).not.toMatchObject({ isError: true });
      // The next server knows what this one has just acknowledged.
      const listed = await client.callTool({
        name: "memoryManager_listSessions",
        arguments: { context, limit: 100 },
      });
      expect(JSON.stringify(listed)).toContain(`${era} ${i}`);
    }
    await client.close();
  });

  it("keep a session of an earlier client until it ends it, for its member alone", async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const send = (body: object | undefined, more: Record<string, string> = {}, method = "POST") =>
      fetch(url, { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) });
    const clientInfo = { name: "x".repeat(5_000), version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: { elicitation: {}, roots: {} }, clientInfo };
    const begun = await send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    await begun.text();
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id")!, "mcp-protocol-version": "2025-06-18" };
    expect(session["mcp-session-id"]).toMatch(/^[\w-]{43}$/);
    const stored = JSON.stringify(await team.database.superuser`SELECT * FROM commonplace.client_session`);
    expect(stored).not.toContain(session["mcp-session-id"]);
    expect(stored).not.toContain("x".repeat(300));
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    for (let i = 0; i < 6; i++) {
      const answer = await send(list, session);
      expect([answer.status, (await answer.text()).includes("memoryManager")]).toEqual([200, true]);
      expect((await send({ jsonrpc: "2.0", method: "notifications/initialized" }, session)).status).toBe(202);
    }
    const other = { authorization: `Bearer ${await team.token("bob", "other")}` };
    expect((await send(list, { ...session, ...other })).status).toBe(404);
    expect((await send(undefined, { ...session, ...other }, "DELETE")).status).toBe(404);
    expect((await send(undefined, session, "GET")).status).toBe(405);
    expect((await send(undefined, session, "DELETE")).status).toBe(204);
    for (let i = 0; i < 3; i++) expect((await send(list, session)).status).toBe(404);
    expect((await send(list)).status).toBe(400);
  });

  it("forget a session that nobody used for a day", async () => {
    const client = await clients["2025-11-25"]!();
    await team.database.superuser`UPDATE commonplace.client_session SET used = now() - interval '25 hours'`;
    await expect(client.listTools()).rejects.toThrow(/Session not found/);
    await client.close().catch(() => {});
  });

  it("answer pages of their own origin alone, whatever headers a client forwards", async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        body: "{}",
      }).then(({ status }) => status);
    expect(await ask({ origin: proxy.origin })).toBe(400);
    expect(await ask({ origin: "https://evil.example" })).toBe(403);
    expect(await ask({ origin: "https://evil.example", "x-forwarded-host": "evil.example" })).toBe(403);
  });

  it("hold up who sends wrong tokens, by the address that the proxy saw, and nobody else", async () => {
    const ask = (authorization: string) =>
      fetch(`http://127.0.0.1:${servers[0]!.port}/mcp`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json", "x-forwarded-for": "1.2.3.4, 192.0.2.7" },
        body: "{}",
      }).then(({ status }) => status);
    expect(await ask(`Bearer ${token}`)).toBe(400);
    const wrong = [];
    for (let i = 0; i < 70; i++) wrong.push(await ask(`Bearer cmnp_${String(i).padStart(43, "x")}`));
    expect(wrong.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 401));
    expect(wrong.slice(60)).toEqual(Array.from({ length: 10 }, () => 429));
    // Who was known before is not held up, and other addresses are not.
    expect(await ask(`Bearer ${token}`)).toBe(400);
    const elsewhere = await fetch(url, { method: "POST", headers: { authorization: "Bearer cmnp_x" } });
    expect(elsewhere.status).toBe(401);
  });

  it("go on while one of them is killed and another is stopped", async () => {
    const client = await clients["2025-11-25"]!();
    const names: string[] = [];
    const over = new AbortController();
    const writing = (async () => {
      for (let i = 0; !over.signal.aborted || i < 20; i++) {
        const name = `Kept ${i}`;
        const sent = { name: "memoryManager_createSession", arguments: { context, name } };
        const answer = await client.callTool(sent).catch(() => undefined);
        if (answer !== undefined && !JSON.stringify(answer).includes('"isError":true')) names.push(name);
      }
    })();
    await servers[0]!.kill();
    await servers[1]!.stop();
    over.abort();
    await writing;
    expect(names.length).toBeGreaterThan(0);
    const rows = await team.database.superuser`
      SELECT line FROM commonplace.memory_event WHERE line LIKE '%"Kept %'`;
    const stored = rows.map((row) => String(row["line"])).join("\n");
    for (const name of names) expect(stored).toContain(`"${name}"`);
    await client.close();
  });
});
