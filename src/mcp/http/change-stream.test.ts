// Changes are reported to every listener, and nothing is polled without one.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openChangeStream } from "./change-stream.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function serving(stamp: () => Promise<string | undefined>) {
  /** The pauses between polls; none is waited for. */
  const pauses: number[] = [];
  const wait = async (milliseconds: number) => {
    pauses.push(milliseconds);
    await turn();
  };
  const changes = openChangeStream(
    async (listeners: readonly string[]) => {
      const now = await stamp();
      return listeners.map((path) => (path === "/unwelcome" ? undefined : now));
    },
    { wait },
  );
  let hasLeft = () => {};
  const left = new Promise<void>((resolve) => (hasLeft = resolve));
  server = createServer(({ url }, response) => {
    changes.listen(response, url!);
    response.on("close", hasLeft);
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const listen = async (path = "/") => {
    const leaving = new AbortController();
    const { body } = await fetch(`http://127.0.0.1:${port}${path}`, { signal: leaving.signal });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    // One write may arrive in several chunks.
    let rest = "";
    const next = async (): Promise<string | undefined> => {
      while (!rest.includes("\n\n")) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        rest += value;
      }
      const [line = "", ...lines] = rest.split("\n\n");
      rest = lines.join("\n\n");
      return line;
    };
    expect(await next()).toBe(": open");
    return { next, leave: () => leaving.abort() };
  };
  return { changes, listen, pauses, left };
}

describe("a stream of changes", () => {
  it("notifies every listener once per change", async () => {
    let stamp = "a";
    const { listen, changes } = await serving(async () => stamp);
    const [first, second] = [await listen(), await listen()];
    // A new listener is always notified: something may have changed before its first poll.
    for (const { next } of [first, second]) expect(await next()).toBe("data: changed");
    stamp = "b";
    for (const { next } of [first, second]) expect(await next()).toBe("data: changed");
    changes.close();
    expect(await first.next()).toBeUndefined();
  });

  it("notifies only a new listener of what changed before the next poll", async () => {
    const { listen, changes } = await serving(async () => "always the same");
    const first = await listen();
    expect(await first.next()).toBe("data: changed");
    const second = await listen();
    expect(await second.next()).toBe("data: changed");
    changes.close();
    expect(await first.next()).toBeUndefined();
  });

  it("ends for a listener that may no longer listen, and for no other", async () => {
    let stamp = "a";
    const { listen, changes } = await serving(async () => stamp);
    const [welcome, unwelcome] = [await listen(), await listen("/unwelcome")];
    expect(await unwelcome.next()).toBeUndefined();
    expect(await welcome.next()).toBe("data: changed");
    stamp = "b";
    expect(await welcome.next()).toBe("data: changed");
    changes.close();
  });

  it("polls only while someone listens", async () => {
    let polls = 0;
    const { listen, pauses, left } = await serving(async () => String(polls++));
    expect(polls).toBe(0);
    const { next, leave } = await listen();
    await next();
    leave();
    await left;
    // One look may have been under way, and one pause.
    for (let turns = 0; turns < 10; turns++) await turn();
    const then = polls;
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(polls).toBe(then);
    expect(pauses.filter((pause) => pause < 700 || pause > 1_300)).toEqual([]);
  });
});
