// Parts of the server for members that need no store: limits, and where requests
// come from.
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { clientAddresses } from "./client-address.ts";
import { RequestLimits } from "./request-limits.ts";
import { challenge, isMetadataAddress } from "./resource-metadata.ts";

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

describe("the address of a client", () => {
  it("is that of the connection, if no proxy is trusted", () => {
    expect(clientAddresses([])(request("127.0.0.1", "1.2.3.4"))).toBe("127.0.0.1");
    expect(clientAddresses(["10.0.0.0/8"])(request("192.0.2.1", "1.2.3.4"))).toBe("192.0.2.1");
  });

  it("is the last one that no trusted proxy has, whatever a client put in front of it", () => {
    const addressOf = clientAddresses(["10.0.0.0/8", "fd00::/8"]);
    expect(addressOf(request("10.1.1.1", "6.6.6.6, 198.51.100.7"))).toBe("198.51.100.7");
    expect(addressOf(request("::ffff:10.1.1.1", "6.6.6.6, 198.51.100.7, 10.9.9.9"))).toBe("198.51.100.7");
    expect(addressOf(request("fd00::1", "2001:db8::1"))).toBe("2001:db8::1");
    expect(addressOf(request("10.1.1.1", "198.51.100.7, nonsense"))).toBe("10.1.1.1");
    expect(addressOf(request("10.1.1.1"))).toBe("10.1.1.1");
  });
});

describe("the limit of requests", () => {
  it("is that of all servers together, but for a part that each may take before it tells the others", async () => {
    let total = 0;
    let reports = 0;
    const report = async (_member: string, amount: number) => {
      reports++;
      total += amount;
      return { total, secondsLeft: 60 };
    };
    const servers = [new RequestLimits(500, report), new RequestLimits(500, report), new RequestLimits(500, report)];
    let taken = 0;
    for (let i = 0; i < 2_000; i++) if ((await servers[i % 3]!.take("alice")) === undefined) taken++;
    expect(taken).toBeGreaterThanOrEqual(500);
    // Ten of each of the two other servers.
    expect(taken).toBeLessThanOrEqual(520);
    expect(reports).toBeLessThan(100);
    expect(await servers[0]!.take("alice")).toBeGreaterThan(0);
  });

  it("is not lifted by a store that cannot be asked", async () => {
    let isAway = true;
    const limits = new RequestLimits(1, async () => {
      if (isAway) throw new Error("away");
      return { total: 1, secondsLeft: 60 };
    });
    await expect(limits.take("alice")).rejects.toThrow("away");
    isAway = false;
    expect(await limits.take("alice")).toBeUndefined();
    expect(await limits.take("alice")).toBeGreaterThan(0);
  });
});

describe("the metadata of the resource", () => {
  const oauth = {
    issuer: "https://id.example",
    resource: "https://example.org/notes/mcp",
    audience: "",
    memberClaim: "",
    groupsClaim: "",
    scopes: [],
    groups: new Map(),
  };

  it("is where RFC 9728 says, for an address with a path, too", () => {
    expect(isMetadataAddress("/.well-known/oauth-protected-resource/notes/mcp", oauth)).toBe(true);
    expect(isMetadataAddress("/.well-known/oauth-protected-resource", oauth)).toBe(true);
    expect(isMetadataAddress("/.well-known/oauth-protected-resource/other", oauth)).toBe(false);
    expect(challenge(oauth, "invalid_token")).toBe(
      'Bearer error="invalid_token", resource_metadata="https://example.org/.well-known/oauth-protected-resource/notes/mcp"',
    );
    expect(challenge(undefined)).toBe("Bearer");
  });
});
