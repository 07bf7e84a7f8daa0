// Changes are told to whoever listens, and nobody looks while nobody does.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openChangeStream } from "./change-stream.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

async function serving(stamp: () => Promise<string>) {
  const changes = openChangeStream(stamp);
  server = createServer((_, response) => changes.listen(response));
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const listen = async () => {
    const leaving = new AbortController();
    const { body } = await fetch(`http://127.0.0.1:${port}`, { signal: leaving.signal });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    return { reader, leave: () => leaving.abort() };
  };
  return { changes, listen };
}

describe("a stream of changes", () => {
  it("tells everyone who listens that something changed, once for each change", async () => {
    let stamp = "a";
    const { listen, changes } = await serving(async () => stamp);
    const [first, second] = [await listen(), await listen()];
    // The first look only tells how things are.
    await new Promise((resolve) => setTimeout(resolve, 50));
    stamp = "b";
    expect(await first.reader.read()).toEqual({ done: false, value: "data: changed\n\n" });
    expect(await second.reader.read()).toEqual({ done: false, value: "data: changed\n\n" });
    changes.close();
    expect(await first.reader.read()).toMatchObject({ done: true });
  });

  it("looks only while someone listens", async () => {
    let looks = 0;
    const { listen } = await serving(async () => String(looks++));
    expect(looks).toBe(0);
    const { reader, leave } = await listen();
    await reader.read();
    leave();
    // One look may have been under way, and one pause.
    await new Promise((resolve) => setTimeout(resolve, 1_400));
    const then = looks;
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect(looks).toBe(then);
  });
});
