// Sessions that their clients have left: they end after a while, and make room.
import { Server } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { LegacySessions } from "./sessions.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HEADERS = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
const ENDED = Promise.resolve();

function open() {
  const clock = { now: 0 };
  let closed = 0;
  const sessions = new LegacySessions(
    () => {
      const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
      server.onclose = () => void closed++;
      return server;
    },
    () => clock.now,
  );
  const post = (id: string | undefined, message: object, done: Promise<unknown> = ENDED) =>
    sessions.fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { ...HEADERS, ...(id !== undefined && { "Mcp-Session-Id": id }) },
      }),
      { jsonrpc: "2.0", ...message },
      done,
    );
  const begin = async () => {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const answer = await post(undefined, { id: 1, method: "initialize", params });
    await answer.text();
    return answer.headers.get("mcp-session-id")!;
  };
  const ping = async (id: string, done?: Promise<unknown>) => (await post(id, { id: 2, method: "ping" }, done)).status;
  const stream = async (id: string, done: Promise<unknown>) => {
    const headers = { Accept: "text/event-stream", "Mcp-Session-Id": id, "Mcp-Protocol-Version": "2025-06-18" };
    const answer = await sessions.fetch(new Request("http://localhost/mcp", { headers }), undefined, done);
    expect(answer.status).toBe(200);
  };
  return { clock, sessions, begin, ping, stream, closed: () => closed };
}

describe("HTTP sessions", () => {
  it("end half an hour after their last request, and say that they are not found", async () => {
    const { clock, sessions, begin, ping, closed } = open();
    const [left, used] = [await begin(), await begin()];
    clock.now = 29 * MINUTE;
    sessions.expire();
    expect(await ping(used)).toBe(200);
    clock.now = 31 * MINUTE;
    sessions.expire();
    expect([sessions.size, closed()]).toEqual([1, 1]);
    expect(await ping(left)).toBe(404);
    expect(await ping(used)).toBe(200);
    clock.now += HOUR;
    sessions.expire();
    expect([sessions.size, closed()]).toEqual([0, 2]);
    await sessions.close();
  });

  it("last for a day while a stream is open, and as long as a call runs", async () => {
    const { clock, sessions, begin, ping, stream } = open();
    const gone = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const [streaming, calling] = [await begin(), await begin()];
    await stream(streaming, gone.promise);
    expect(await ping(calling, answered.promise)).toBe(200);
    clock.now = 23 * HOUR;
    sessions.expire();
    expect(sessions.size).toBe(2);
    clock.now = 25 * HOUR;
    sessions.expire();
    expect(sessions.size).toBe(1);
    expect(await ping(streaming)).toBe(404);
    answered.resolve();
    await answered.promise.then(() => new Promise(setImmediate));
    sessions.expire();
    expect(sessions.size).toBe(0);
    gone.resolve();
    await sessions.close();
  });

  it("that were abandoned are few, also with their streams open", async () => {
    const { sessions, begin, stream, closed } = open();
    for (let i = 0; i < 1_500; i++) await begin();
    expect([sessions.size, closed()]).toEqual([64, 1_436]);
    const never = new Promise<void>(() => {});
    for (let i = 0; i < 600; i++) await stream(await begin(), never);
    expect(sessions.size).toBeLessThanOrEqual(512);
    await sessions.close();
    expect(closed()).toBe(2_100);
  });
});
