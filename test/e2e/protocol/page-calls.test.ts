// What the page may ask that a host is not offered: every tool, whole results,
// the history of one file. A browser says by its Origin that it is the page.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT } from "../../contract/vault.ts";
import { NODE } from "../../processes/child.ts";
import {
  atTheEnd,
  collect,
  environmentIn,
  PROGRAM,
  serveHttp,
  temporaryFolder,
  TOKEN,
} from "../../processes/program.ts";

const VERSION = "2026-07-28";

interface Result {
  readonly tools: readonly { readonly name: string }[];
  readonly content: readonly object[];
  readonly structuredContent: {
    readonly truncated?: boolean;
    readonly data: { readonly content: string };
    readonly entries: readonly { readonly paths: readonly string[] }[];
    readonly notesChanged?: readonly number[];
  };
}

describe("a request of the page", () => {
  let url: string;
  const vault = join(temporaryFolder(), "vault");
  const long = "A line that is long enough to count for something.\n".repeat(5_000);
  beforeAll(async () => {
    mkdirSync(vault, { recursive: true });
    writeFileSync(join(vault, "Long.md"), long);
    ({ url } = await serveHttp(temporaryFolder(), { COMMONPLACE_TOKEN: TOKEN, COMMONPLACE_VAULT: vault }));
  });

  const ask = async (method: string, params: { name?: string; arguments?: object }, isPage: boolean) => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": VERSION,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        "mcp-method": method,
        "mcp-protocol-version": VERSION,
        ...(params.name !== undefined && { "mcp-name": params.name }),
        ...(isPage && { origin: new URL(url).origin }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    });
    return ((await answer.json()) as { result: Result }).result;
  };
  const call = (name: string, sent: object, isPage: boolean) =>
    ask("tools/call", { name, arguments: { ...sent, context: CONTEXT } }, isPage);

  it("is offered every tool; a host only those of its toolsets", async () => {
    const names = async (isPage: boolean) => (await ask("tools/list", {}, isPage)).tools.map(({ name }) => name);
    expect(await names(true)).toEqual(expect.arrayContaining([...(await names(false)), "redo", "vaultLibrarian_tags"]));
    expect(await names(false)).not.toContain("redo");
  });

  it("is answered in full, and once; a host in a part that fits", async () => {
    const whole = await call("contentManager_readContent", { filePath: "Long.md" }, true);
    expect([whole.structuredContent.data.content, whole.content]).toEqual([long, []]);
    const part = await call("contentManager_readContent", { filePath: "Long.md" }, false);
    expect(part.structuredContent.truncated).toBe(true);
    expect(part.content).toHaveLength(1);
  });

  it("gets the history of one file, or of a folder", async () => {
    for (const filePath of ["A/One.md", "A/Two.md", "Ab.md"])
      await call("contentManager_createContent", { filePath, content: "x" }, true);
    const pathsOf = async (path?: string) =>
      (await call("history", { path }, true)).structuredContent.entries.map(({ paths }) => paths[0]);
    expect(await pathsOf("A/One.md")).toEqual(["A/One.md"]);
    expect(await pathsOf("/A/")).toEqual(["A/Two.md", "A/One.md"]);
    expect(await pathsOf()).toEqual(["Ab.md", "A/Two.md", "A/One.md"]);
  });

  it("gets how many notes changed between two times, without a list of them", async () => {
    const now = Date.now();
    const { structuredContent } = await call(
      "history",
      { limit: 1, times: [0, now - 3_600_000, now + 3_600_000] },
      true,
    );
    expect(structuredContent.notesChanged).toEqual([0, 4]);
    expect(structuredContent.entries).toHaveLength(1);
  });
});

describe("serve --http --welcome", () => {
  it("prints the address that opens the page", async () => {
    const home = temporaryFolder();
    const env = { ...environmentIn(home), COMMONPLACE_TOKEN: TOKEN };
    const child = spawn(NODE, [PROGRAM, "serve", "--http", "0", "--welcome"], { cwd: home, env });
    const ended = collect(child);
    atTheEnd(() => child.kill());
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (text: string) => text.includes("Ctrl-C") && resolve());
    });
    child.kill("SIGTERM");
    const { stdout } = await ended;
    expect(stdout).toMatch(new RegExp(`http://127\\.0\\.0\\.1:\\d+/#token=${TOKEN}\n`));
    expect(stdout).not.toContain("opening in your browser");
  });
});
