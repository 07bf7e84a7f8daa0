// What only a person in the page may ask for: who is let in, what is planned and
// made, and that nothing is made but what was shown.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { serveHttp, temporaryFolder, TOKEN } from "../../processes/program.ts";

interface Answer {
  readonly status: number;
  readonly body: { readonly result?: unknown; readonly error?: { readonly message: string } };
}

describe("the calls of a person", () => {
  let home: string;
  let origin: string;
  const file = () => join(home, ".cursor", "mcp.json");

  const ask = async (name: string, sent: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${origin}/person/${name}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", Origin: origin, ...headers },
      body: JSON.stringify(sent),
    });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  };
  const result = async <T>(name: string, sent: unknown = {}): Promise<T> => {
    const { status, body } = await ask(name, sent);
    expect(body).not.toHaveProperty("error");
    expect(status).toBe(200);
    return body.result as T;
  };
  interface Planned {
    readonly difference?: string;
    readonly stamp: string;
    readonly notes: readonly string[];
  }

  beforeAll(async () => {
    home = temporaryFolder();
    mkdirSync(join(home, ".cursor"));
    writeFileSync(file(), '{\n  // mine\n  "mcpServers": {"other": {"command": "other"}}\n}\n');
    for (const name of ["One", "Two"]) {
      mkdirSync(join(home, name));
      writeFileSync(join(home, name, `Note of ${name}.md`), `A note of ${name}\n`);
    }
    mkdirSync(join(home, ".config", "obsidian"), { recursive: true });
    const vaults = {
      a: { path: join(home, "One"), ts: 1 },
      b: { path: join(home, "Two"), ts: 2, open: true },
      c: { path: join(home, "Gone") },
    };
    writeFileSync(join(home, ".config", "obsidian", "obsidian.json"), JSON.stringify({ vaults }));
    const { url } = await serveHttp(home, { COMMONPLACE_TOKEN: TOKEN, COMMONPLACE_HOME: join(home, "own") });
    ({ origin } = new URL(url));
  });

  it.each([
    ["without a token", { Authorization: "" }, 401],
    ["with a wrong token", { Authorization: "Bearer a-token-from-elsewhere" }, 401],
    ["of another origin", { Origin: "http://elsewhere.example" }, 403],
    ["of an origin that is null", { Origin: "null" }, 403],
    ["with a form's content type", { "Content-Type": "text/plain" }, 415],
  ])("are refused %s", async (_, headers, status) => {
    for (const name of ["status", "hosts", "chooseVault", "changeHost"])
      expect((await ask(name, { vault: home, host: "cursor", stamp: "x" }, headers)).status).toBe(status);
  });

  it("are refused without an Origin, which a host does not send, and for other methods", async () => {
    const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
    const bare = await fetch(`${origin}/person/status`, { method: "POST", headers, body: "{}" });
    expect(bare.status).toBe(403);
    expect((await fetch(`${origin}/person/status`, { headers: { ...headers, Origin: origin } })).status).toBe(405);
    expect((await ask("constructor")).status).toBe(404);
    expect((await ask("toString")).status).toBe(404);
  });

  it("refuse invalid arguments", async () => {
    for (const sent of [null, [], "x", { host: 5 }, { host: "" }, { host: "a\0b" }])
      expect((await ask("planHost", sent)).status).toBe(400);
    expect((await ask("planHost", { host: "nowhere" })).body.error!.message).toContain("Unknown host");
    expect((await ask("planHost", { host: "x".repeat(100_000) })).status).toBe(400);
  });

  it("show the change of a host's configuration, make it with a backup, and take it out again", async () => {
    const before = readFileSync(file(), "utf8");
    const shown = await result<Planned>("planHost", { host: "cursor" });
    expect(shown.difference).toMatch(/^\+.*commonplace/m);
    expect(readFileSync(file(), "utf8")).toBe(before);
    expect((await ask("changeHost", { host: "cursor", stamp: "another" })).body.error!.message).toContain(
      "changed since",
    );
    writeFileSync(file(), before.replace("// mine", "// mine, changed"));
    expect((await ask("changeHost", { host: "cursor", stamp: shown.stamp })).status).toBe(400);
    writeFileSync(file(), before);
    const { backup } = await result<{ backup: string }>("changeHost", { host: "cursor", stamp: shown.stamp });
    expect(readFileSync(backup, "utf8")).toBe(before);
    expect(readFileSync(file(), "utf8")).toContain('"commonplace"');
    const hosts = await result<{ host: string; state: string }[]>("hosts");
    expect(hosts.find(({ host }) => host === "cursor")!.state).toBe("connected");
    const removal = await result<Planned>("planHost", { host: "cursor", removes: true });
    await result("changeHost", { host: "cursor", removes: true, stamp: removal.stamp });
    expect(readFileSync(file(), "utf8")).toBe(before);
  });

  it("report what doctor finds, how far the index is, and what the program's own files take", async () => {
    const status = await result<{ findings: { part: string }[]; vault: { isGuide: boolean }; diskUse: unknown[] }>(
      "status",
    );
    expect(status.findings.map(({ part }) => part)).toContain("vault");
    expect(status.vault.isGuide).toBe(true);
    await expect
      .poll(() => result("progress"))
      .toMatchObject({ notes: { isComplete: true }, conversations: { isComplete: true } });
    expect((await result<{ diskUse: { what: string }[] }>("status")).diskUse.map(({ what }) => what)).toContain(
      "Conversations",
    );
  });

  it("offer the vaults that Obsidian knows, and refuse what is no folder", async () => {
    const vaults = await result<{ vault: string; why: string }[]>("vaults");
    expect(vaults).toEqual([
      { vault: join(home, "Two"), why: "open in Obsidian" },
      { vault: join(home, "One"), why: "known to Obsidian" },
    ]);
    for (const vault of ["Two", "/", join(home, "Gone"), file()])
      expect((await ask("planVault", { vault })).status).toBe(400);
  });

  it("serves another vault at once, and leaves the one before as it is", async () => {
    const read = async (filePath: string) => {
      const response = await fetch(`${origin}/mcp`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${TOKEN}`,
          Origin: origin,
          Accept: "application/json, text/event-stream",
          "Content-Type": "application/json",
          "Mcp-Protocol-Version": "2026-07-28",
          "Mcp-Method": "tools/call",
          "Mcp-Name": "contentManager_readContent",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: {
            name: "contentManager_readContent",
            arguments: { filePath },
            _meta: {
              "io.modelcontextprotocol/protocolVersion": "2026-07-28",
              "io.modelcontextprotocol/clientInfo": { name: "page", version: "1" },
              "io.modelcontextprotocol/clientCapabilities": {},
            },
          },
        }),
      });
      return response.text();
    };
    const config = join(home, "own", "config.json");
    const guide = join(home, "own", "data", "vault");
    expect(await read("Welcome.md")).toContain('"success":true');
    const names = readdirSync(guide);
    const shown = await result<Planned>("planVault", { vault: join(home, "One") });
    expect(shown.difference).toContain(join(home, "One"));
    expect(existsSync(config)).toBe(false);
    // Reads that run while the vault changes end on the vault that they began with.
    const running = Array.from({ length: 8 }, () => read("Welcome.md"));
    await result("chooseVault", { vault: join(home, "One"), stamp: shown.stamp });
    for (const answer of await Promise.all(running)) expect(answer).toMatch(/"success":true|File not found/);
    expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({ vault: join(home, "One") });
    expect(await read("Note of One.md")).toContain("A note of One");
    expect(readdirSync(guide)).toEqual(names);

    writeFileSync(config, `{\n     "Vault": ${JSON.stringify(join(home, "One"))},\n  "timeZone": "Europe/Berlin"\n}\n`);
    const again = await result<Planned>("planVault", { vault: join(home, "Two") });
    await result("chooseVault", { vault: join(home, "Two"), stamp: again.stamp });
    expect(readFileSync(config, "utf8")).toContain(`"Vault": ${JSON.stringify(join(home, "Two"))}`);
    expect(readFileSync(config, "utf8")).toMatch(/^ {5}"Vault".*\n {2}"timeZone"/m);
    writeFileSync(config, "{ // a comment, which no command can read\n}");
    expect((await ask("planVault", { vault: join(home, "One") })).body.error!.message).toContain(
      "must contain an object",
    );
    expect(await read("Note of Two.md")).toContain("A note of Two");
  });
});
