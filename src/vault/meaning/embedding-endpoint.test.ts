import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { isLoopback } from "../../kernel/kernel.ts";
import { openEmbeddingEndpoint } from "./embedding-endpoint.ts";

async function silentServer() {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close };
}

describe("a request to an embeddings endpoint", () => {
  it("ends after its time, and when the caller gives up", async () => {
    const { url, close } = await silentServer();
    const endpoint = openEmbeddingEndpoint({ url, model: "m" });
    await expect(endpoint.embed(["text"], { timeout: 50 })).rejects.toThrow("did not answer within 0.05 s");
    const giveUp = new AbortController();
    const asked = endpoint.embed(["text"], { timeout: 60_000, signal: giveUp.signal });
    giveUp.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await expect(endpoint.embed(["text"], { timeout: 60_000, signal: giveUp.signal })).rejects.toThrow("enough");
    endpoint.close();
    close();
  });

  it("goes to this machine alone, whatever the name stands for", async () => {
    for (const url of ["http://192.0.2.1:9/v1", "http://[2001:db8::1]:9/v1", "http://example.org/v1"]) {
      const endpoint = openEmbeddingEndpoint({ url, model: "m" });
      await expect(endpoint.embed(["text"], { timeout: 1_000 })).rejects.toThrow("is not on this machine");
    }
    expect(["127.0.0.1", "127.9.9.9", "::1"].map(isLoopback)).toEqual([true, true, true]);
    expect(["0.0.0.0", "10.0.0.1", "::", "fe80::1", "192.0.2.1"].map(isLoopback)).not.toContain(true);
  });
});
