// The settings of a server for members: what they mean, and what is refused.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DEFAULT_SERVER, serverFrom } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "commonplace-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const from = (value: unknown) => serverFrom({ value, origin: "server", base: folder });
const oauth = { issuer: "https://id.example/", groups: { all: "team:reader" } };

describe("the settings of a server for members", () => {
  it("are read from the config file, from a file that is named, or from the JSON itself", () => {
    const value = { publicUrl: "https://notes.example/" };
    writeFileSync(join(folder, "server.json"), JSON.stringify(value));
    for (const given of [value, "server.json", JSON.stringify(value)])
      expect(from(given)).toEqual({ ...DEFAULT_SERVER, publicUrl: "https://notes.example" });
  });

  it("have defaults for everything", () => {
    expect(from({})).toEqual(DEFAULT_SERVER);
  });

  it("make tokens for the endpoint at the public address, unless another audience is named", () => {
    const publicUrl = "https://example.org/notes";
    expect(from({ publicUrl, oauth }).oauth).toMatchObject({
      // To the letter: tokens have it so.
      issuer: "https://id.example/",
      resource: "https://example.org/notes/mcp",
      audience: "https://example.org/notes/mcp",
      memberClaim: "sub",
      groupsClaim: "groups",
    });
    expect(from({ publicUrl, oauth: { ...oauth, audience: "api" } }).oauth?.audience).toBe("api");
  });

  it("map groups to spaces and roles, also of names with a colon", () => {
    const groups = { a: "team:writer", b: ["x:y:reader", "team:owner"] };
    const read = from({ publicUrl: "https://notes.example", oauth: { ...oauth, groups } }).oauth!.groups;
    expect(Object.fromEntries(read)).toEqual({
      a: [{ space: "team", role: "writer" }],
      b: [
        { space: "x:y", role: "reader" },
        { space: "team", role: "owner" },
      ],
    });
  });

  it.each([
    [{ publicUrl: "http://notes.example" }, "publicUrl must be an address"],
    [{ publicUrl: "https://user:pass@notes.example" }, "no login"],
    [{ publicURL: "https://notes.example" }, "publicUrl"],
    [{ trustedProxies: ["everybody"] }, "must be addresses or networks"],
    [{ trustedProxies: ["10.0.0.0/99"] }, "must be addresses or networks"],
    [{ requestsPerMinute: 0 }, "whole number from 1"],
    [{ connections: "many" }, "whole number from 1"],
    [{ oauth }, "needs publicUrl"],
    [{ publicUrl: "https://notes.example", oauth: { issuer: "http://id.example" } }, "issuer must be an address"],
    [{ publicUrl: "https://notes.example", oauth: { ...oauth, groups: { a: "team" } } }, "is not SPACE:ROLE"],
    [{ publicUrl: "https://notes.example", oauth: { ...oauth, groups: { a: "team:king" } } }, "is not SPACE:ROLE"],
    [{ publicUrl: "https://notes.example", oauth: { ...oauth, scopes: ['a"b'] } }, "must be a list"],
    [{ publicUrl: "https://notes.example", oauth: { ...oauth, secret: "x" } }, "unknown key 'secret'"],
    ["{", "cannot be read"],
    ["missing.json", "cannot be read"],
    ["[1]", "cannot be read"],
  ])("refuse %j in words", (value, message) => {
    expect(() => from(value)).toThrow(message);
  });
});
