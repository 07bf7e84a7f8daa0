// Changes are told to whoever listens, and nobody looks while nobody does.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openChangeStream } from "./change-stream.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function serving(stamp: () => Promise<string>) {
  /** The pauses between two looks, none of which is waited for. */
  const pauses: number[] = [];
  const changes = openChangeStream(stamp, async (milliseconds) => {
    pauses.push(milliseconds);
    await turn();
  });
  let hasLeft = () => {};
  const left = new Promise<void>((resolve) => (hasLeft = resolve));
  server = createServer((_, response) => {
    changes.listen(response);
    response.on("close", hasLeft);
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const listen = async () => {
    const leaving = new AbortController();
    const { body } = await fetch(`http://127.0.0.1:${port}`, { signal: leaving.signal });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    // What is written at once may come in one piece or in several.
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
    // What changed before the first look since they came, nobody could tell them.
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

  it("polls only while someone listens", async () => {
    let looks = 0;
    const { listen, pauses, left } = await serving(async () => String(looks++));
    expect(looks).toBe(0);
    const { next, leave } = await listen();
    await next();
    leave();
    await left;
    // One look may have been under way, and one pause.
    for (let turns = 0; turns < 10; turns++) await turn();
    const then = looks;
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(looks).toBe(then);
    expect(pauses.filter((pause) => pause < 700 || pause > 1_300)).toEqual([]);
  });
});
