// A real client, both protocol eras, stdio and HTTP: the packed program must
// answer all of them alike.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { NODE, nodeVersion } from "../../processes/child.ts";
import {
  COMPILED_IN_HOME,
  connectHttp,
  connectStdio,
  environmentIn,
  ERAS,
  PROGRAM,
  serveHttp,
  temporaryFolder,
  TOKEN,
} from "../../processes/program.ts";

const home = temporaryFolder();
let url: string;
beforeAll(async () => {
  ({ url } = await serveHttp(home));
});

for (const [era, options] of Object.entries(ERAS)) {
  describe.each([
    ["stdio", () => connectStdio(home, options)],
    ["HTTP", () => connectHttp(url, options)],
  ] as const)(`a client of ${era} over %s`, (_, connect) => {
    let client: Client;
    beforeAll(async () => {
      client = await connect();
    });

    it("gets the server's name and instructions", () => {
      expect(client.getServerVersion()).toMatchObject({ name: "commonplace", version: packageJson.version });
      expect(client.getInstructions()).toContain("commonplace://guide");
    });

    it("lists the tools", async () => {
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toContain("get_server_version");
    });

    it("calls a tool, and gets the same facts as structure and as text", async () => {
      const result = await client.callTool({ name: "get_server_version", arguments: { unknown: 1 } });
      expect(result.structuredContent).toMatchObject({
        server_name: "commonplace",
        server_version: packageJson.version,
        node_version: nodeVersion(),
        protocol_version: client.getNegotiatedProtocolVersion(),
      });
      const [text] = result.content as { text: string }[];
      expect(JSON.parse(text!.text)).toEqual(result.structuredContent);
    });

    it("gets a protocol error for a tool that does not exist", async () => {
      await expect(client.callTool({ name: "get_server_versoin" })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining("Did you mean get_server_version?"),
      });
    });

    it("reads the guide, and the reference of a tool that it completed", async () => {
      const { resources } = await client.listResources();
      const guide = await client.readResource({ uri: resources[0]!.uri });
      expect(guide.contents[0]).toMatchObject({
        mimeType: "text/markdown",
        text: expect.stringContaining("get_server_version"),
      });
      const { resourceTemplates } = await client.listResourceTemplates();
      const { uriTemplate } = resourceTemplates.find(({ name }) => name === "tool")!;
      const { completion } = await client.complete({
        ref: { type: "ref/resource", uri: uriTemplate },
        argument: { name: "name", value: "server_v" },
      });
      expect(completion.values).toEqual(["get_server_version"]);
      const tool = await client.readResource({ uri: uriTemplate.replace("{name}", completion.values[0]!) });
      expect(tool.contents[0]).toMatchObject({ text: expect.stringContaining("### get_server_version") });
      await expect(client.readResource({ uri: "commonplace://nothing" })).rejects.toMatchObject({
        message: expect.stringContaining("commonplace://nothing"),
      });
    });

    it("reads a note that it completed", async () => {
      const uri = "note:///{path}";
      const { completion } = await client.complete({
        ref: { type: "ref/resource", uri },
        argument: { name: "path", value: "nothing is" },
      });
      expect(completion.values).toEqual(["Guide/Nothing is lost.md"]);
      const note = await client.readResource({ uri: `note:///${encodeURIComponent(completion.values[0]!)}` });
      expect(note.contents[0]).toMatchObject({ text: expect.stringContaining("# Nothing is lost") });
      await expect(client.readResource({ uri: "note:///../secret" })).rejects.toThrow();
    });

    it("gets a prompt, with its argument completed", async () => {
      const { prompts } = await client.listPrompts();
      expect(prompts.map((prompt) => prompt.name)).toEqual(["orient", "continue", "day", "decided"]);
      const { completion } = await client.complete({
        ref: { type: "ref/prompt", name: "orient" },
        argument: { name: "part", value: "e" },
      });
      expect(completion.values).toContain("every");
      const { messages } = await client.getPrompt({ name: "orient", arguments: { part: "every" } });
      expect(messages[0]).toMatchObject({
        role: "user",
        content: { text: expect.stringContaining("get_server_version") },
      });
      await expect(client.getPrompt({ name: "orient", arguments: { part: "nonsense" } })).rejects.toMatchObject({
        code: -32602,
      });
    });
  });
}

describe("a client of SDK 1.x", () => {
  it.each([
    [
      "stdio",
      () =>
        new OldStdio({
          command: NODE,
          args: [PROGRAM],
          cwd: home,
          env: environmentIn(home),
          stderr: "ignore",
        }),
    ],
    ["HTTP", () => new OldHttp(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } })],
  ] as const)("lists and calls tools over %s", async (_, transport) => {
    const client = new OldClient({ name: "old", version: "1" });
    await client.connect(transport() as never);
    expect((await client.listTools()).tools).not.toHaveLength(0);
    const result = await client.callTool({ name: "get_server_version" });
    expect(result.structuredContent).toMatchObject({ server_name: "commonplace" });
    await client.close();
  });
});

describe("protocol versions", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "a client that asks for %s gets it",
    async (version) => {
      const client = await connectStdio(home, {
        ...ERAS["2025-11-25 and before"],
        supportedProtocolVersions: [version],
      });
      const { structuredContent } = await client.callTool({ name: "get_server_version" });
      expect(structuredContent).toMatchObject({ protocol_version: version });
    },
  );
});

describe("starting", () => {
  it("creates nothing but the compiled program", async () => {
    const clean = temporaryFolder();
    const client = await connectStdio(clean, ERAS["2025-11-25 and before"], [], { env: COMPILED_IN_HOME });
    await client.listTools();
    await client.callTool({ name: "get_server_version" });
    await client.close();
    const files = readdirSync(clean, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter(({ parentPath }) => !parentPath.includes("compiled"))).toEqual([]);
    expect(existsSync(join(clean, ".local"))).toBe(false);
  });
});
